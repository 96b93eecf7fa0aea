import { expect, test } from 'vitest';
import type { Candidates } from '../../src/protocol/messages';
import { hidden, possibleAt } from '../../src/replay/possible.svelte';
import { token } from '../make';

const made: Candidates = {
  faces: ['flag', 'miner', 'marshal'],
  first: {},
  steps: [{ red: { b1: 0b111, b2: 0b111 } }, { red: { b1: 0b110 }, blue: { r1: 0b1 } }, { red: { b2: 0b100 } }],
};
const at = (observer: string, step: number): Record<string, string[]> =>
  Object.fromEntries(possibleAt(made, observer, step));

test('what may be grows less with the steps, the highest rank first', () => {
  expect(at('red', 0)).toEqual({});
  expect(at('red', 1)).toEqual({ b1: ['marshal', 'miner', 'flag'], b2: ['marshal', 'miner', 'flag'] });
  expect(at('red', 2).b1).toEqual(['marshal', 'miner']);
  expect(at('red', 3)).toEqual({ b1: ['marshal', 'miner'], b2: ['marshal'] });
  expect(at('blue', 3)).toEqual({ r1: ['flag'] });
  expect(at('public', 3)).toEqual({});
});

test('what all have seen needs no slip; what one could have found out has one', () => {
  const possible = new Map([
    ['1', ['spy', 'miner']],
    ['2', ['miner']],
    ['3', ['miner']],
    ['4', ['miner']],
  ]);
  const seen = { ...token('2', 'a2', 'red', 'miner'), marks: ['seen'] };
  const tokens = [token('1', 'a1'), seen, token('3', 'a3', 'red', 'miner'), token('4', 'a4')];
  expect([...hidden(possible, tokens).keys()]).toEqual(['1', '3', '4']);
});
