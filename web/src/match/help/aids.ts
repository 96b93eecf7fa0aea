// What can be looked up in a match without leaving it.

export const AIDS = ['ranks', 'keys', 'hints'] as const;
/** Empty: nothing is open. */
export type Aid = (typeof AIDS)[number] | '';
/** Keys that the page knows, in words `key.<name>` and `key.<name>.does`. */
export const KEYS = ['arrows', 'enter', 'escape', 'tab', 'return', 'hint', 'mark', 'back', 'on', 'help'] as const;
/** Those of them that go through turns. */
const TURN_KEYS: readonly string[] = ['back', 'on'];

/** The keys of a match: where turns are not told as one, none of them goes through turns. */
export const keysOf = (byTurns: boolean): readonly string[] =>
  KEYS.filter((key) => byTurns || !TURN_KEYS.includes(key));

/** A row of the table of ranks; `count`: how many a side has, 0 where that is not told. */
export interface Rank {
  face: string;
  count: number;
}

/** The pieces that are spoken of, those of the army only where it is known. */
export function ranksOf(faces: readonly string[], army: readonly { face: string; count: number }[]): Rank[] {
  const counts = new Map(army.map(({ face, count }) => [face, count]));
  return faces
    .filter((face) => counts.size === 0 || counts.has(face))
    .map((face) => ({ face, count: counts.get(face) ?? 0 }));
}
