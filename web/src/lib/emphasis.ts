// Which events need words, and which do not just now. What the events are, a layout says of its own games.

import type { Event } from './messages';

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
}

export const PLAIN: Emphasis = { placed: '', onTheWay: [], small: [], idle: [], lasting: [] };

/** More in one step is a whole deployment, which its owner has just made himself. */
const MOST_PLACED = 6;

/** The events to put into words. */
export function worthTelling(events: readonly Event[], { placed }: Emphasis): Event[] {
  const others = events.filter(({ code }) => code !== placed);
  return events.length - others.length > MOST_PLACED ? others : [...events];
}

/** Those of them that are to be read later. */
export const worthKeeping = (events: readonly Event[], emphasis: Emphasis): Event[] =>
  worthTelling(events, emphasis).filter(({ code }) => !emphasis.onTheWay.includes(code));

/** Those of the newest events that the line above the board says. */
export function worthShowing(events: readonly Event[], { onTheWay, small, idle }: Emphasis, ended: boolean): Event[] {
  if (ended) return events.filter(({ code }) => !idle.includes(code));
  const newest = events.at(-1);
  if (newest && onTheWay.includes(newest.code)) return events.filter(({ code }) => onTheWay.includes(code));
  const large = events.filter(({ code }) => !small.includes(code) && !onTheWay.includes(code));
  return large.length > 0 ? large : [...events];
}
