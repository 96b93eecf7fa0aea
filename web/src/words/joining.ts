// Joins consecutive events that can share one sentence: equal events, or events that differ only in a piece or card.

import type { Event } from '../protocol/messages';

export interface Run {
  event: Event;
  /** Number of equal events. */
  count: number;
  /** Argument in which the events differ. `counts`: how often each name occurs, in order of appearance. */
  named?: { key: string; counts: ReadonlyMap<string, number> };
}

/** Arguments that name one piece or card, and no space. */
const NAMING = ['face', 'card'] as const;

export function runsOf(events: readonly Event[]): Run[] {
  const runs: { first: Event; key: string; names: string[]; rest: string }[] = [];
  for (const event of events) {
    const key = NAMING.find((each) => typeof event.args?.[each] === 'string') ?? '';
    const { [key]: name = '', ...others } = event.args ?? {};
    const rest = JSON.stringify([event.code, key, others]);
    const before = runs.at(-1);
    if (before?.rest === rest) before.names.push(String(name));
    else runs.push({ first: event, key, names: [String(name)], rest });
  }
  return runs.map(({ first, key, names }) => {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts.size > 1 ? { event: first, count: 1, named: { key, counts } } : { event: first, count: names.length };
  });
}
