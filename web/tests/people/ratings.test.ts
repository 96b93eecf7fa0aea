import { expect, test } from 'vitest';
import { curveOf, ratingText, rowsOf } from '../../src/people/ratings';

const shown = (rating: number, provisional = false) => ({ rating, deviation: 40, provisional, matches: 12 });
const person = (name: string, rating: number) => ({ name, rating: shown(rating), day: '2026-01-31' });

test('a provisional rating has a question mark', () => {
  expect(ratingText(shown(1512))).toBe('1512 ± 40');
  expect(ratingText(shown(1476, true))).toBe('1476? ± 40');
});

test('levels stand between the persons without a place', () => {
  const board = { variant: 'duel', speed: 'fast', entries: [person('Ada', 1400), person('Bo', 1100)] } as const;
  const told = (pool: 'people' | 'levels') =>
    rowsOf({ ...board, entries: [...board.entries], pool, levels: [1000, 1100, 1500] }).map((row) =>
      'entry' in row ? `${row.place} ${row.entry.name}` : `level ${row.level}`,
    );
  expect(told('people')).toEqual(['1 Ada', '2 Bo']);
  expect(told('levels')).toEqual(['level 3', '1 Ada', '2 Bo', 'level 2', 'level 1']);
});

test('a curve follows the days and keeps within its scale', () => {
  const days = [
    { day: '2026-01-01', rating: 1476 },
    { day: '2026-01-04', rating: 1525 },
    { day: '2026-01-05', rating: 1500 },
  ];
  expect(curveOf(days, 400, 100)).toEqual({
    lowest: 1450,
    highest: 1550,
    points: [
      [0, 74],
      [300, 25],
      [400, 50],
    ],
  });
  expect(curveOf(days.slice(0, 1), 400, 100)).toBeNull();
  const flat = [
    { day: '2026-01-01', rating: 1500 },
    { day: '2026-01-02', rating: 1500 },
  ];
  expect(curveOf(flat, 400, 100)).toMatchObject({ lowest: 1500, highest: 1550 });
});
