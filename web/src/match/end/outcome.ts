// Facts for the outcome of a match: the hardest battle, and each side's losses.

import type { LogEntry } from '../../board/notes/log';
import type { Event, Replay, Tray } from '../../protocol/messages';

export interface Battle {
  by: string;
  turn: number;
  event: Event;
}

/** Return the log without moves that were taken back. */
export function counted(log: readonly LogEntry[]): LogEntry[] {
  const line: LogEntry[] = [];
  for (const entry of log) {
    if (entry.events.some(({ code }) => code === 'took-back'))
      line.length = Math.max(
        0,
        line.findLastIndex(({ by }) => by === entry.by),
      );
    else line.push(entry);
  }
  return line;
}

/** Return the log of a whole match for one observer, made from its replay. */
export const logOf = ({ steps }: Replay, observer: string): LogEntry[] =>
  steps.map(({ seq, by, turn, events }) => ({ seq, by, turn, events: events[observer] ?? [] }));

/** Minimum number of battles; among fewer, no battle stands out. */
const FEWEST = 3;

/** Return the battle with the greatest loss, the latest one if several are equal; null if none stands out. Losses of
 * the winner are left out, because they did not decide the match.
 */
export function greatestBattle(log: readonly LogEntry[], winner: string): Battle | null {
  const battles = counted(log).flatMap(({ by, turn, events }) =>
    events.map((event) => {
      const losses = Object.entries(event.fell ?? {}).flatMap(([side, loss]) => (side === winner ? [] : [loss]));
      return { by, turn, event, loss: Math.max(0, ...losses) };
    }),
  );
  const costly = battles.filter(({ loss }) => loss > 0);
  const most = Math.max(...costly.map(({ loss }) => loss));
  if (costly.length < FEWEST || costly.every(({ loss }) => loss === most)) return null;
  const { by, turn, event } = costly.findLast(({ loss }) => loss === most) as Battle;
  return { by, turn, event };
}

export interface Losses {
  side: string;
  count: number;
}

/** Count the pieces that each side has lost for good; empty if the game keeps no list of lost pieces. */
export const lossesOf = (trays: readonly Tray[]): Losses[] =>
  trays
    .filter(({ kind }) => kind === 'lost')
    .map(({ side, items }) => ({ side, count: items.reduce((sum, { count = 1 }) => sum + count, 0) }));
