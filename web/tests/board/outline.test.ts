import { expect, test } from 'vitest';
import { outline } from '../../src/board/places/outline';
import { event, scene } from '../make';

const OUTLINES = { sword: ['space', 'first_space'] };
const moved = scene([], { tints: [{ place: 'a1', kind: 'from' }] });

test('what is no move is outlined by the spaces of its events', () => {
  const { tints } = outline(moved, [event('sword', { space: 'a1', first_space: 'b2' }), event('drew')], OUTLINES);
  expect(tints.map(({ place }) => place)).toEqual(['a1', 'b2']);
  expect(tints[0]?.kind).toBe('from');
});

test('a scene of which there is nothing to add stays the same', () => {
  expect(outline(moved, [event('moved', { from: 'a1', to: 'a2' })], OUTLINES)).toBe(moved);
  expect(outline(moved, [event('sword', { space: 'a1', first_space: 7 })], OUTLINES)).toBe(moved);
});
