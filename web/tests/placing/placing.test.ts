import { beforeEach, expect, test } from 'vitest';
import type { Layout } from '../../src/board/layout';
import type { Arrange } from '../../src/protocol/messages';
import { Placing } from '../../src/placing/placing.svelte';
import { write } from '../../src/browser/storage';
import { scene, squares, token, words } from '../make';

const piece = (face: string, count: number, action: number) => ({ face, letter: face.slice(0, 1), count, action });
const arrange: Arrange = { places: ['a1', 'b1'], pieces: [piece('flag', 1, 10), piece('scout', 1, 11)] };
const board = squares(4, 2);

function placing(fromHand = false): Placing {
  const layout = { deploying: { fromHand, mirrors: true } } as Layout;
  const seat = { id: 'm', side: 'red', info: null, scene: scene([token('1', 'a2', 'blue')], { started: false }) };
  return new Placing(seat, { arrange, board, layout }, words({ board }));
}

beforeEach(() => sessionStorage.clear());

test('the board shows what stands and what is placed, and each press is told', () => {
  const one = placing();
  const { shown } = one;
  expect([one.told, shown.zone]).toEqual(['2 left to place.', new Set(['a1', 'b1'])]);
  shown.pick?.('d2');
  expect(one.told).toBe('Your pieces go on the marked rows.');
  shown.pick?.('a1');
  expect(one.told).toBe('Choose a piece first.');
  one.deployer.pickFace('flag');
  shown.pick?.('a1');
  expect(shown.tokens).toEqual([token('1', 'a2', 'blue'), token('place:a1', 'a1', 'red', 'flag')]);
  expect(shown.label?.(board.spaces[0] as (typeof board.spaces)[0])).toBe('a1, your Flag');
  shown.lifted?.('a1');
  expect(shown.path).toEqual(['a1']);
  shown.drop?.('a1', 'b1');
  expect([one.deployer.at.get('b1'), shown.path, shown.lift?.('b1')]).toEqual([
    'flag',
    [],
    { side: 'red', face: 'flag' },
  ]);
  shown.drop?.('b1', '');
  expect(one.deployer.at.size).toBe(0);
});

test('places light up where few pieces are placed from a hand only', () => {
  for (const fromHand of [true, false]) {
    const one = placing(fromHand);
    one.deployer.pickFace('flag');
    expect(one.shown.steps).toEqual(fromHand ? new Set(['a1', 'b1']) : undefined);
  }
});

test('what is unfinished is found again in this tab, and nothing that was sent', () => {
  const one = placing();
  one.deployer.putFace('scout', 'b1');
  one.keepDraft();
  expect([...placing().deployer.at]).toEqual([['b1', 'scout']]);
  one.forgetDraft();
  expect(placing().deployer.at.size).toBe(0);
  const edited = { turn: 0, at: ['d2 flag', 'a1 spy', 'b1 flag'].map((each) => each.split(' ')) };
  write('sessionStorage', 'gonfalon.draft.m.red', JSON.stringify(edited));
  expect([...placing().deployer.at]).toEqual([['b1', 'flag']]);
});
