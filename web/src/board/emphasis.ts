// Choice of the events to put into words. A layout says which events its games have.

import type { Event } from '../protocol/messages';

export interface Emphasis {
  /** Event of one placed piece. A whole army is not told piece by piece. */
  placed: string;
  /** Events on the way to a choice. The event of the choice itself repeats them. */
  onTheWay: readonly string[];
  /** Minor events: the status or the player's own act already says them. They are told only if nothing else happened.
   */
  small: readonly string[];
  /** Events that a result makes superfluous. */
  idle: readonly string[];
  /** Events that end an act. The player's own last one stays on the screen until the player acts again. */
  lasting: readonly string[];
  /** A turn may hold many acts; those of another side are told together. */
  byTurns?: boolean;
  /** Weight of an event for a side, the most important first (lowest number). Without it, events keep their order. */
  weigh?: (event: Event, seat: string) => number;
}

export const PLAIN: Emphasis = { placed: '', onTheWay: [], small: [], idle: [], lasting: [] };

/** More placed pieces in one step are a whole deployment, which the player has just made. */
const MOST_PLACED = 6;

/** Return the events to put into words. */
export function worthTelling(events: readonly Event[], { placed }: Emphasis): Event[] {
  const others = events.filter(({ code }) => code !== placed);
  return events.length - others.length > MOST_PLACED ? others : [...events];
}

/** Return the events to keep for the log, in order: a reader of the log wants to see causes. */
export const worthKeeping = (events: readonly Event[], emphasis: Emphasis): Event[] =>
  worthTelling(events, emphasis).filter(({ code }) => !emphasis.onTheWay.includes(code));

/** Sort events by their weight for `seat`. */
export const ranked = (events: readonly Event[], { weigh }: Emphasis, seat: string): Event[] =>
  weigh ? events.toSorted((one, other) => weigh(one, seat) - weigh(other, seat)) : [...events];

/** Return the newest events that the status line says; `first`: those among them that come first. */
export function worthShowing(
  all: readonly Event[],
  emphasis: Emphasis,
  ended: boolean,
  seat = '',
  first: readonly Event[] = [],
): Event[] {
  const { onTheWay, small, idle } = emphasis;
  const others = first.length > 0 ? all.filter((event) => !first.includes(event)) : all;
  const events = [...ranked(first, emphasis, seat), ...ranked(others, emphasis, seat)];
  if (ended) return events.filter(({ code }) => !idle.includes(code));
  const newest = all.at(-1);
  if (newest && onTheWay.includes(newest.code)) return events.filter(({ code }) => onTheWay.includes(code));
  const large = events.filter(({ code }) => !small.includes(code) && !onTheWay.includes(code));
  return large.length > 0 ? large : [...events];
}
