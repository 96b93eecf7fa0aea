import { expect, test } from 'vitest';
import { cutOut, groundsOf } from '../../src/layouts/grid/cutout';
import { rowsOf } from '../../src/board/places/rows';
import { squares } from '../make';

const water = (...ids: string[]): string =>
  cutOut(groundsOf(rowsOf(squares(5, 4, Object.fromEntries(ids.map((id) => [id, 'water']))), false)), 'water');
const outlines = (path: string): number => path.split('Z').length - 1;
const lines = (path: string): number => path.split('L').length - 1;

test('nothing is cut where no water is', () => {
  expect(water()).toBe('');
});

test('squares that touch are cut out together', () => {
  expect(outlines(water('b2', 'c2', 'b3', 'c3'))).toBe(1);
  expect(outlines(water('b2', 'd2'))).toBe(2);
});

test('only outer borders are drawn, each as four points', () => {
  expect(lines(water('b2'))).toBe(4 * 4 - 1);
  expect(lines(water('b2', 'c2'))).toBe(6 * 4 - 1);
});

test('the edge lies inside of the squares, and the same each time', () => {
  const numbers =
    water('c2')
      .match(/[\d.]+/g)
      ?.map(Number) ?? [];
  for (let at = 0; at < numbers.length; at += 2) {
    expect(numbers[at]).toBeGreaterThan(2);
    expect(numbers[at]).toBeLessThan(3);
    expect(numbers[at + 1]).toBeGreaterThan(2);
    expect(numbers[at + 1]).toBeLessThan(3);
  }
  expect(water('c2')).toBe(water('c2'));
});
