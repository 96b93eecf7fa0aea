import { expect, test } from 'vitest';
import { applyPatch } from '../../src/protocol/patch';
import { scene, token } from '../make';

const old = scene([token('1', 'a1'), token('2', 'b1'), token('3', 'c1')], { turn: 4 });

test('tokens go, change in place, and come last', () => {
  const patch = { gone: ['1'], tokens: [token('4', 'd1'), token('2', 'b2')] };
  expect(applyPatch(old, patch).tokens.map(({ id, place }) => id + place)).toEqual(['2b2', '3c1', '4d1']);
});

test('what did not change stays the same object', () => {
  const fresh = applyPatch(old, { rest: { turn: 5 } });
  expect(fresh.turn).toBe(5);
  expect(fresh.tokens).toBe(old.tokens);
  expect(fresh.trays).toBe(old.trays);
  expect(applyPatch(old, { tokens: [token('2', 'b2')] }).tokens[2]).toBe(old.tokens[2]);
  expect(old.turn).toBe(4);
});

test('trays are replaced whole', () => {
  const trays = [{ kind: 'lost', side: 'red', items: [] }];
  expect(applyPatch(old, { trays }).trays).toBe(trays);
});
