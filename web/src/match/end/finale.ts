// How a match that has ended before one's eyes is shown to have ended: a moment on the board, and then it is gone.

import type { LogEntry } from '../../board/notes/log';
import type { Ending, Event } from '../../protocol/messages';
import type { Pace } from '../../browser/settings.svelte';
import type { Fallen } from '../../board/stage';

export interface Finale {
  /** The sides whose banners are shown: who has won, or who shares a draw. */
  banners: readonly string[];
  /** The Flag with whose fall it ended, and the space where it stood. */
  flag: { side: string; space: string } | null;
}

const FLAG = 'flag';

/** Nothing where a match was broken off. `fallen`: who falls, by the event that says how a battle ended. */
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

/** A Flag fell in the last thing that anybody did. */
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

/** For how long the Flag and then the banners stand, in milliseconds. */
export const STANDS_MS: Record<Pace, { flag: number; banners: number }> = {
  brisk: { flag: 1000, banners: 2400 },
  calm: { flag: 1600, banners: 3800 },
  'at-once': { flag: 0, banners: 1000 },
};
