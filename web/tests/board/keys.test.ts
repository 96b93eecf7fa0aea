import { expect, test } from 'vitest';
import { placedId, TokenKeys } from '../../src/board/pieces/keys';
import type { Token } from '../../src/protocol/messages';

const token = (id: string, place: string): Token => ({ id, place, side: 'red' });
const placed = (place: string): Token => token(placedId(place), place);

test('a piece that was placed keeps its element, wherever it goes', () => {
  const keys = new TokenKeys();
  keys.keep([placed('a1'), placed('a2')]);
  const stands = keys.keep([token('t7', 'a1'), token('t8', 'b4')]);
  expect([...stands]).toEqual([
    ['t7', placedId('a1')],
    ['t8', 't8'],
  ]);
  expect(keys.keep([token('t7', 'c5')]).get('t7')).toBe(placedId('a1'));
});

test('no two have one key, where pieces are placed again later', () => {
  const keys = new TokenKeys();
  keys.keep([placed('a1')]);
  keys.keep([token('t7', 'a1')]);
  const again = keys.keep([token('t7', 'b1'), placed('a1')]);
  expect(new Set(again.values()).size).toBe(2);
  expect(again.get('t7')).toBe(placedId('a1'));
  const stands = keys.keep([token('t7', 'b1'), token('t9', 'a1')]);
  expect(new Set(stands.values()).size).toBe(2);
  expect(stands.get('t9')).toBe(again.get(placedId('a1')));
});
