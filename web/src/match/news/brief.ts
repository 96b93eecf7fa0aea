// What just happened in the room there is above the board: the log has all of it.

export interface News {
  /** How one's own last act ended. */
  kept: readonly string[];
  /** What happened since, a sentence each. */
  all: readonly string[];
  /** The same without who attacked what: of a battle it is said whose it was, and how it ended. */
  plain: readonly string[];
  /** The last battle in it. */
  battle?: string;
}

const lengthOf = (sentences: readonly string[]): number => sentences.join(' ').length;

/** As much of it as `most` letters hold. What one did oneself was read before; of what is left out, the beginning and
 * the end stay, or else the battle.
 */
export function brief({ kept, all, plain, battle }: News, most: number): string {
  const whole = [[...kept, ...all], [...kept, ...plain], all, plain].find((each) => lengthOf(each) <= most);
  if (whole) return whole.join(' ');
  const [first = '', ...rest] = plain;
  while (rest.length > 1 && first.length + 3 + lengthOf(rest) > most) rest.shift();
  if (first.length + 3 + lengthOf(rest) <= most) return `${first} … ${rest.join(' ')}`;
  return battle ? `${battle} …` : `… ${plain.at(-1) ?? ''}`;
}

/** What matters most comes first: as much of it as there is room for, one sentence at least. */
export function weightiest(sentences: readonly string[], most: number): string {
  if (lengthOf(sentences) <= most) return sentences.join(' ');
  let [said = ''] = sentences;
  for (const each of sentences.slice(1)) {
    if (said.length + each.length + 3 > most) return `${said} …`;
    said += ` ${each}`;
  }
  return said;
}
