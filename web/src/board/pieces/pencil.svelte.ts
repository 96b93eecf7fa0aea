// Pencil marks: what a player thinks that a hidden piece of another is. They are his own notes, kept in his browser by
// match and side, and never sent. Each is written down with the step at which it was made, so that his replay of the
// match shows what he thought then.

import type { Token } from '../../protocol/messages';
import { isList, isRecord, isText, read, write } from '../../browser/storage';

/** A mark that says nothing but "look here". All others are faces. */
export const DOT = 'dot';
/** Step, token, mark; an empty mark rubs out the one before. */
export type Note = readonly [number, string, string];

const KEY = 'gonfalon.pencil';
const MOST_MATCHES = 100;

const isNote = (value: unknown): value is Note =>
  isList(value) && value.length === 3 && typeof value[0] === 'number' && isText(value[1]) && isText(value[2]);

const load = (): Record<string, unknown> => read(localStorage, KEY, isRecord, {});

/** The marks of a side that stand after a step, by token: on pieces of others that it sees, but not their faces. */
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

  /** Marks of pieces that can no longer be followed are gone for good, whatever is called by that name later. Who comes
   * back is shown the last steps again: they say nothing of marks that were made after them.
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
    write(localStorage, KEY, Object.fromEntries([...others.slice(1 - MOST_MATCHES), [this.key, notes]]));
  }
}
