// Content of the references in a match: its keys and ranks.

/** Keys that the page knows, in words `key.<name>` and `key.<name>.does`. */
export const KEYS = [
  'arrows',
  'enter',
  'escape',
  'tab',
  'return',
  'hint',
  'mark',
  'clocks',
  'back',
  'on',
  'help',
] as const;
/** Names of the keys that go through turns. */
const TURN_KEYS: readonly string[] = ['back', 'on'];

/** Name of the key that says the clocks. */
const CLOCK_KEY = 'clocks';

/** Return the keys of a match. Keys that go through turns are included only if the layout tells events by turns, the
 * key for clocks only if there are some.
 */
export const keysOf = (byTurns: boolean, timed: boolean): readonly string[] =>
  KEYS.filter((key) => (byTurns || !TURN_KEYS.includes(key)) && (timed || key !== CLOCK_KEY));

/** A row of the table of ranks. `count`: number of such pieces in the army, 0 if unknown. */
export interface Rank {
  face: string;
  count: number;
}

/** Return the pieces that have words; if the army is known, only its pieces. */
export function ranksOf(faces: readonly string[], army: readonly { face: string; count: number }[]): Rank[] {
  const counts = new Map(army.map(({ face, count }) => [face, count]));
  return faces
    .filter((face) => counts.size === 0 || counts.has(face))
    .map((face) => ({ face, count: counts.get(face) ?? 0 }));
}
