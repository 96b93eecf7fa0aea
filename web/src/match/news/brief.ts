// Shortens the newest events so that they fit above the board. The log has all of them.

export interface News {
  /** Sentences about the end of the player's own last act. */
  kept: readonly string[];
  /** Sentences about the events since then, one for each. */
  all: readonly string[];
  /** The sentences of `all` without attacks. The sentence of a battle then names the sides and the result. */
  plain: readonly string[];
  /** Sentence of the last battle. */
  battle?: string;
}

const lengthOf = (sentences: readonly string[]): number => sentences.join(' ').length;

/** Return the sentences that fit into `most` letters. Those of the own act are dropped first, because the player has
 * read them. Of the rest, keep the beginning and the end; if these are too long, keep the battle.
 */
export function brief({ kept, all, plain, battle }: News, most: number): string {
  const whole = [[...kept, ...all], [...kept, ...plain], all, plain].find((each) => lengthOf(each) <= most);
  if (whole) return whole.join(' ');
  const [first = '', ...rest] = plain;
  while (rest.length > 1 && first.length + 3 + lengthOf(rest) > most) rest.shift();
  if (first.length + 3 + lengthOf(rest) <= most) return `${first} … ${rest.join(' ')}`;
  return battle ? `${battle} …` : `… ${plain.at(-1) ?? ''}`;
}

/** Return the most important of some events in words, the oldest first, as far as they fit into `most` letters; at
 * least one event. `events`: in order of time; `ranked`: the most important first; `kept`: sentences about the player's
 * own last act, which come first and are dropped first.
 */
export function weightiest<T>(
  { events, ranked, kept }: { events: readonly T[]; ranked: readonly T[]; kept: readonly string[] },
  tell: (events: readonly T[]) => string[],
  most: number,
): string {
  const inTime = (some: readonly T[]): string[] => tell(events.filter((event) => some.includes(event)));
  const whole = inTime(ranked);
  const all = [...kept, ...whole];
  if (lengthOf(all) <= most) return all.join(' ');
  if (lengthOf(whole) <= most) return whole.join(' ');
  if (ranked.length <= 1) return whole.join(' ');
  let count = ranked.length - 1;
  while (count > 1 && lengthOf(inTime(ranked.slice(0, count))) + 2 > most) count -= 1;
  const said = inTime(ranked.slice(0, count)).join(' ');
  // The dots stand where events are left out: before the newest events, or after older ones.
  const newest = events.findLast((event) => ranked.includes(event));
  return newest && ranked.slice(0, count).includes(newest) ? `… ${said}` : `${said} …`;
}
