// Events in a row that are one thing to tell: the same one several times, or one that names another piece or card each
// time.

import type { Event } from '../protocol/messages';

export interface Run {
  event: Event;
  /** How often the very same came. */
  count: number;
  /** Where only what is named differs: the argument, and how often it named what, in the order in which that came. */
  named?: { key: string; counts: ReadonlyMap<string, number> };
}

/** Arguments that name one piece or card, and no place. */
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
