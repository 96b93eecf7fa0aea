// Changes of ratings by a match. The server computes them after the end, usually within a second.

import type { MatchRatings, SeatRating } from '../../protocol/messages';

/** Pauses before the next question, in milliseconds. */
export const PAUSES_MS = [400, 800, 1600, 3200, 6400] as const;

/** Ask until the changes are there. Return no change for a match that is not rated, or if the server is too busy.
 * `isOver`: whether nobody waits for the answer any more.
 */
export async function askChanges(
  ask: () => Promise<MatchRatings>,
  pause: (ms: number) => Promise<unknown>,
  isOver: () => boolean,
): Promise<readonly SeatRating[]> {
  for (const ms of PAUSES_MS) {
    // The server is away for a moment, or has not stored the end yet: the next question comes after the pause.
    const { seats } = await ask().catch(() => ({ seats: [] }));
    if (seats.length > 0) return seats;
    await pause(ms);
    if (isOver()) return [];
  }
  return [];
}

/** Return a change of points with its sign, `+24` or `–24`. The page's font has a dash, but no minus sign. */
export const signed = (points: number): string => (points < 0 ? `–${-points}` : `+${points}`);
