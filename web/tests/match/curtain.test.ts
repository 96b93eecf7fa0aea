import { expect, test } from 'vitest';
import { hidesNothing, stopsClocks } from '../../src/match/curtain';
import { scene, token } from '../make';

test('before anything is placed nothing is hidden', () => {
  const pile = { kind: 'pile', side: '', items: [{ id: 'pile.hidden', face: '', count: 40 }] };
  expect(hidesNothing(scene([], { trays: [pile] }))).toBe(true);
});

test('what is to be placed, lies on the board or is held in a hand has to be hidden', () => {
  const hand = { kind: 'hand', side: 'red', items: [{ id: 'hand.1', face: 'king' }] };
  expect(hidesNothing(scene([], { arrange: { places: ['a1'], pieces: [] } }))).toBe(false);
  expect(hidesNothing(scene([token('1', 'a1')]))).toBe(false);
  expect(hidesNothing(scene([], { trays: [hand] }))).toBe(false);
});

test('the server must know of the curtain while clocks run', () => {
  expect(stopsClocks({ kind: 'bank', bank: 900 })).toBe(true);
  expect(stopsClocks({ kind: 'turn', turn: 60 })).toBe(true);
  expect(stopsClocks({ kind: 'correspondence', days: 3 })).toBe(false);
  expect(stopsClocks({ kind: 'untimed', claim_after: 0 })).toBe(false);
  expect(stopsClocks(null)).toBe(false);
});
