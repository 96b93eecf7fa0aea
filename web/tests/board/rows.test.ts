import { expect, test } from 'vitest';
import { neighbour, rowsOf, screenPlace } from '../../src/board/places/rows';
import { squares } from '../make';

const board = squares(3, 2);
const ids = (turned: boolean): string[] => rowsOf(board, turned).map((row) => row.map(({ id }) => id).join(' '));

test('each side sees its own row at the bottom', () => {
  expect(ids(false)).toEqual(['a2 b2 c2', 'a1 b1 c1']);
  expect(ids(true)).toEqual(['c1 b1 a1', 'c2 b2 a2']);
});

test('places on the screen agree with the rows', () => {
  for (const turned of [false, true]) {
    const rows = rowsOf(board, turned);
    for (const space of board.spaces) {
      const [column, row] = screenPlace(board, space.place, turned);
      expect(rows[row]?.[column]).toBe(space);
    }
  }
});

test('arrow keys move between squares and stop at the edge', () => {
  const rows = rowsOf(board, false);
  expect(neighbour(rows, 'b1', 'ArrowUp')).toBe('b2');
  expect(neighbour(rows, 'b1', 'ArrowLeft')).toBe('a1');
  expect(neighbour(rows, 'b1', 'ArrowDown')).toBeUndefined();
  expect(neighbour(rows, 'c1', 'ArrowRight')).toBeUndefined();
  expect(neighbour(rows, 'b1', 'Home')).toBe('a1');
  expect(neighbour(rows, 'b1', 'End')).toBe('c1');
  expect(neighbour(rows, 'b1', 'PageUp')).toBe('b2');
  expect(neighbour(rows, 'b1', 'x')).toBeUndefined();
});
