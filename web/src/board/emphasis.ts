// Choice of the events to put into words. A layout says which events its games have.

import type { Event } from '../protocol/messages';

export interface Emphasis {
  /** Event of one placed piece. The log does not list the pieces of a whole army. */
  placed: string;
  /** Events on the way to a choice. The event of the choice itself repeats them. */
  onTheWay: readonly string[];
  /** Minor events, which the status or the player's own act already shows. They are told only if nothing else happened.
   */
  small: readonly string[];
  /** Events that a result makes superfluous. */
  idle: readonly string[];
  /** Events that end an act. After the player's own act, the last of them stays on the screen until the player acts
   * again.
   */
  lasting: readonly string[];
  /** Whether a turn may hold many acts. Then the acts of another side are told together at the end of its turn. */
  byTurns?: boolean;
  /** Return the weight of an event for a side; the lowest number is the most important. Without this function, events
   * keep their order.
   */
  weigh?: (event: Event, seat: string) => number;
}

export const PLAIN: Emphasis = { placed: '', onTheWay: [], small: [], idle: [], lasting: [] };

/** With more placed pieces than this, a step is a whole deployment, which the player has just made. */
const MOST_PLACED = 6;

/** Return the events to put into words. */
export function worthTelling(events: readonly Event[], { placed }: Emphasis): Event[] {
  const others = events.filter(({ code }) => code !== placed);
  return events.length - others.length > MOST_PLACED ? others : [...events];
}

/** Return the events to keep for the log, in order: a reader of the log wants to see causes. */
export const worthKeeping = (events: readonly Event[], emphasis: Emphasis): Event[] =>
  worthTelling(events, emphasis).filter(({ code }) => !emphasis.onTheWay.includes(code));

/** Sort events by their weight for `seat`; of events with the same weight, the newest come first. */
const ranked = (events: readonly Event[], { weigh }: Emphasis, seat: string): Event[] =>
  weigh ? events.toReversed().toSorted((one, other) => weigh(one, seat) - weigh(other, seat)) : [...events];

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
