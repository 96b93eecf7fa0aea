// Ratings on the screen: texts, places, and the points of a curve.

import type { CurvePoint, Leaderboard, LeaderboardEntry, ShownRating } from '../protocol/messages';
import { ratingNumber } from '../words/rating';

export type Pool = Leaderboard['pool'];
export type Speed = Leaderboard['speed'];
/** Kinds of opponents, in the order of the screen. */
export const POOLS: readonly Pool[] = ['people', 'levels'];
/** Speed classes, in the order of the screen. */
export const SPEEDS: readonly Speed[] = ['fast', 'slow', 'correspondence'];
/** The leaderboard to show next: that of the last visit, so that a way back from a profile leads to the same list, or
 * that of a rating in a profile.
 */
export const chosenList: { pool: Pool; speed: Speed } = { pool: 'people', speed: 'fast' };

/** Return a rating with its standard deviation: `1512 ± 40`; `1512? ± 160` while it is provisional. */
export const ratingText = (shown: ShownRating): string => `${ratingNumber(shown)} ± ${shown.deviation}`;

/** A row of a leaderboard: a person with a place, or a level of the computer player for comparison. */
export type Row =
  | { readonly place: number; readonly entry: LeaderboardEntry }
  | { readonly place: 0; readonly level: number; readonly rating: number };

/** Return the rows of a leaderboard, the highest rating first. The list of play against levels has the levels too. */
export function rowsOf({ entries, levels, pool }: Leaderboard): Row[] {
  const persons = entries.map((entry, index): Row => ({ place: index + 1, entry }));
  const others = pool === 'levels' ? levels.map((rating, index): Row => ({ place: 0, level: index + 1, rating })) : [];
  const points = (row: Row): number => ('entry' in row ? row.entry.rating.rating : row.rating);
  // Sorting is stable: of equal ratings persons come first, then the higher level.
  return [...persons, ...others.reverse()].sort((a, b) => points(b) - points(a));
}

/** A curve of ratings in a picture. Ratings at the lower and upper edge, and the points in pixels. */
export interface Curve {
  lowest: number;
  highest: number;
  points: [x: number, y: number][];
}

/** Distance of the scale's numbers, in rating points. */
const STEP = 50;

/** Return the curve of ratings by day; null for fewer than two days, which make no line. */
export function curveOf(days: readonly CurvePoint[], width: number, height: number): Curve | null {
  const times = days.map(({ day }) => Date.parse(day));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  if (last <= first) return null;
  const ratings = days.map(({ rating }) => rating);
  const lowest = STEP * Math.floor(Math.min(...ratings) / STEP);
  const highest = Math.max(lowest + STEP, STEP * Math.ceil(Math.max(...ratings) / STEP));
  const points = days.map(({ rating }, index): [number, number] => [
    Math.round((width * ((times[index] ?? first) - first)) / (last - first)),
    Math.round((height * (highest - rating)) / (highest - lowest)),
  ]);
  return { lowest, highest, points };
}
