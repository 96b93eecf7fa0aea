import { expect, test } from 'vitest';
import { spread } from '../../src/layouts/grid/spread';

test('every army of every board has a place of its own for each piece', () => {
  for (let columns = 3; columns <= 10; columns += 1) {
    for (let rows = 1; rows <= 3; rows += 1) {
      for (let pieces = 2; pieces <= Math.min(40, 5 * columns); pieces += 1) {
        const places = spread(pieces, columns, rows);
        expect(new Set(places.map(String)).size, `${pieces} on ${columns} columns`).toBe(pieces);
        expect(places.every(([x, y]) => x < columns && y < Math.max(rows, Math.ceil(pieces / columns)))).toBe(true);
      }
    }
  }
});
