// A selection of the newest events that fits above the board. The log has all of them.

export interface News {
  /** End of the player's own last act. */
  kept: readonly string[];
  /** Events since then, a sentence each. */
  all: readonly string[];
  /** Events of `all` without attacks: the sentence of a battle names the sides and the result. */
  plain: readonly string[];
  /** Sentence of the last battle. */
  battle?: string;
}

const lengthOf = (sentences: readonly string[]): number => sentences.join(' ').length;

/** Return as much as `most` letters hold. The player has read the own act before, so it goes first. Of the rest, the
 * beginning and the end stay, or else the battle.
 */
export function brief({ kept, all, plain, battle }: News, most: number): string {
  const whole = [[...kept, ...all], [...kept, ...plain], all, plain].find((each) => lengthOf(each) <= most);
  if (whole) return whole.join(' ');
  const [first = '', ...rest] = plain;
  while (rest.length > 1 && first.length + 3 + lengthOf(rest) > most) rest.shift();
  if (first.length + 3 + lengthOf(rest) <= most) return `${first} … ${rest.join(' ')}`;
  return battle ? `${battle} …` : `… ${plain.at(-1) ?? ''}`;
}

/** Return the most important sentences that fit, at least one. */
export function weightiest(sentences: readonly string[], most: number): string {
  if (lengthOf(sentences) <= most) return sentences.join(' ');
  let [said = ''] = sentences;
  for (const each of sentences.slice(1)) {
    if (said.length + each.length + 3 > most) return `${said} …`;
    said += ` ${each}`;
  }
  return said;
}
