// The finale of a match that ends while the viewer watches.

import type { LogEntry } from '../../board/notes/log';
import type { Ending, Event } from '../../protocol/messages';
import type { Pace } from '../../browser/settings.svelte';
import type { Fallen } from '../../board/stage';

export interface Finale {
  /** Sides whose banners are shown: the winners, or all sides of a draw. */
  banners: readonly string[];
  /** The Flag whose fall ended the match, and its last space. */
  flag: { side: string; space: string } | null;
}

const FLAG = 'flag';

/** Return the finale; null for a match that was broken off. `fallen`: losers by the event that ends a battle. */
export function finaleOf(
  { winner, reason, returns }: Ending,
  sides: readonly string[],
  log: readonly LogEntry[],
  fallen: Fallen,
): Finale | null {
  if (reason === 'no-result') return null;
  if (winner !== '') return { banners: [winner], flag: flagThatFell(log, sides, winner, fallen) };
  const best = Math.max(...returns);
  return { banners: sides.filter((_, player) => returns[player] === best), flag: null };
}

/** Return the Flag that fell in the last act, if any. */
function flagThatFell(log: readonly LogEntry[], sides: readonly string[], winner: string, fallen: Fallen) {
  const events = log.findLast(({ by }) => by !== '')?.events ?? [];
  const fall = events.findLast(
    (event) => fallen[event.code]?.includes('defender') && named(event, 'defender_face') === FLAG,
  );
  if (!fall) return null;
  const attack = events.slice(0, events.indexOf(fall)).findLast((event) => named(event, 'to') !== '');
  const space = named(fall, 'space') || (attack ? named(attack, 'to') : '');
  const side = named(fall, 'other') || (sides.find((each) => each !== winner) ?? '');
  return space === '' ? null : { side, space };
}

const named = ({ args = {} }: Event, name: string): string => {
  const value = args[name];
  return typeof value === 'string' ? value : '';
};

/** Durations of the Flag and then of the banners, in milliseconds. */
export const STANDS_MS: Record<Pace, { flag: number; banners: number }> = {
  brisk: { flag: 1000, banners: 2400 },
  calm: { flag: 1600, banners: 3800 },
  'at-once': { flag: 0, banners: 1000 },
};
