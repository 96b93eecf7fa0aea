import { expect, test } from 'vitest';
import { hidesNothing } from '../../src/match/curtain';
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
