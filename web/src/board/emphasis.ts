// Which events need words, and which do not just now. What the events are, a layout says of its own games.

import type { Event } from '../protocol/messages';

export interface Emphasis {
  /** One piece was placed: a whole army is not told piece by piece. */
  placed: string;
  /** What a player does on the way to a choice is told while he does it; the choice itself tells it again. */
  onTheWay: readonly string[];
  /** What the line above says too, or the viewer has just done: told only where nothing else happened. */
  small: readonly string[];
  /** What the result of a match says or has made idle. */
  idle: readonly string[];
  /** How one's own act ended: it stays in sight until one acts again. */
  lasting: readonly string[];
  /** A turn may hold many acts: those of another side's are told as one. */
  byTurns?: boolean;
  /** How much an event matters to a side, the least number first. Without it, events are told as they came. */
  weigh?: (event: Event, seat: string) => number;
}

export const PLAIN: Emphasis = { placed: '', onTheWay: [], small: [], idle: [], lasting: [] };

/** More in one step is a whole deployment, which its owner has just made himself. */
const MOST_PLACED = 6;

/** The events to put into words. */
export function worthTelling(events: readonly Event[], { placed }: Emphasis): Event[] {
  const others = events.filter(({ code }) => code !== placed);
  return events.length - others.length > MOST_PLACED ? others : [...events];
}

/** Those of them that are to be read later, as they came: who reads the log wants to know what led to what. */
export const worthKeeping = (events: readonly Event[], emphasis: Emphasis): Event[] =>
  worthTelling(events, emphasis).filter(({ code }) => !emphasis.onTheWay.includes(code));

/** What matters most to `seat` comes first. */
export const ranked = (events: readonly Event[], { weigh }: Emphasis, seat: string): Event[] =>
  weigh ? events.toSorted((one, other) => weigh(one, seat) - weigh(other, seat)) : [...events];

/** Those of the newest events that the line above the board says; `first`: those among them that come first of all. */
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
