// Pencil marks: a player's guesses about hidden pieces of other players. The browser keeps them by match and side and
// never sends them. Each mark has the number of its step, so that a replay shows the guesses of that time.

import type { Token } from '../../protocol/messages';
import { isList, isRecord, isText, read, write } from '../../browser/storage';

/** A mark that only means "look here". All other marks are faces. */
export const DOT = 'dot';
/** Step, token, mark; an empty mark removes the token's earlier mark. */
export type Note = readonly [number, string, string];

const KEY = 'gonfalon.pencil';
const MOST_MATCHES = 100;

const isNote = (value: unknown): value is Note =>
  isList(value) && value.length === 3 && typeof value[0] === 'number' && isText(value[1]) && isText(value[2]);

const load = (): Record<string, unknown> => read('localStorage', KEY, isRecord, {});

/** Return a side's marks after a step, by token: only on pieces of other sides whose faces the side does not see. */
export function marksAt(notes: readonly Note[], seq: number, tokens: readonly Token[], side: string) {
  const hidden = new Set(tokens.filter((token) => token.side !== side && !token.face).map(({ id }) => id));
  const marks = new Map<string, string>();
  for (const [made, token, mark] of notes) {
    if (made > seq || !hidden.has(token)) continue;
    if (mark === '') marks.delete(token);
    else marks.set(token, mark);
  }
  return marks;
}

export class Pencil {
  notes = $state.raw<readonly Note[]>([]);
  private readonly key: string;

  constructor(
    match: string,
    readonly side: string,
  ) {
    this.key = `${match}.${side}`;
    const stored = load()[this.key];
    if (isList(stored)) this.notes = stored.filter(isNote);
  }

  write(seq: number, token: string, mark: string): void {
    this.keep([...this.notes, [seq, token, mark]]);
  }

  /** Drop marks of pieces that can no longer be followed, even if a later piece gets the same ID. A new connection
   * shows the last steps again; marks made after the repeated step stay.
   */
  follow(seq: number, tokens: readonly Token[]): void {
    const standing = new Set(tokens.map(({ id }) => id));
    const last = new Map(this.notes.map((note) => [note[1], note]));
    const lost = [...last.values()].filter(([made, token, mark]) => made <= seq && mark !== '' && !standing.has(token));
    if (lost.length > 0) this.keep([...this.notes, ...lost.map(([, token]): Note => [seq, token, ''])]);
  }

  private keep(notes: readonly Note[]): void {
    this.notes = notes;
    const others = Object.entries(load()).filter(([key]) => key !== this.key);
    write('localStorage', KEY, Object.fromEntries([...others.slice(1 - MOST_MATCHES), [this.key, notes]]));
  }
}
