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

/** Return the most important sentences that fit into `most` letters, at least one. */
export function weightiest(sentences: readonly string[], most: number): string {
  if (lengthOf(sentences) <= most) return sentences.join(' ');
  let [said = ''] = sentences;
  for (const each of sentences.slice(1)) {
    if (said.length + each.length + 3 > most) return `${said} …`;
    said += ` ${each}`;
  }
  return said;
}
