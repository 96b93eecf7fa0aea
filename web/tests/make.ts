// Small parts of a server's messages.

import { loadCatalogues } from '../src/words/catalogues';
import type { Board, Choice, Event, Scene, Space, Token, Update } from '../src/protocol/messages';
import { Names } from '../src/words/names.svelte';
import { Words, type Subject } from '../src/words/words.svelte';

export const token = (id: string, place: string, side = 'red', face = ''): Token => ({ id, place, side, face });

export const event = (code: string, args: Record<string, unknown> = {}): Event => ({ code, args });

export const choice = (id: number, ...path: string[]): Choice => ({ id, verb: 'move', path });

export const scene = (tokens: Token[] = [], changes: Partial<Scene> = {}): Scene => ({
  tokens,
  trays: [],
  tints: [],
  buttons: [],
  status: { code: 'turn', args: { side: 'red' } },
  to_act: [],
  turn: 0,
  arrange: null,
  groups: [],
  started: true,
  out: [],
  left: [],
  headlines: [],
  scores: [],
  round: 0,
  ...changes,
});

export const update = (seq: number, by: string, events: Event[] = [], changes: Partial<Update> = {}): Update => ({
  type: 'update',
  seq,
  by,
  events,
  patch: {},
  choices: [],
  draft: false,
  hints: [],
  ...changes,
});

/** Make a board of squares; `a1` is in the first player's left corner. */
export function squares(columns: number, rows: number, grounds: Record<string, string> = {}): Board {
  const spaces: Space[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const id = `${String.fromCharCode(97 + column)}${row + 1}`;
      spaces.push({ id, name: id, place: [column, row], ground: grounds[id] ?? 'land' });
    }
  }
  return { layout: 'grid', columns, rows, spaces };
}

export const ENGLISH = await loadCatalogues('en');

export const words = (subject: Subject = {}, names = new Names(() => 'en')): Words =>
  new Words(
    () => ENGLISH,
    names,
    () => subject,
  );

/** Wait until all due promises are settled. */
export const settle = (): Promise<void> => new Promise((done) => setTimeout(done));
