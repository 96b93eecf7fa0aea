// What the steps of a choice are called.

import type { Words } from '../../words/words.svelte';
import type { MatchSight } from '../sight.svelte';

export function stepName(id: string, sight: MatchSight, words: Words): string {
  const name = sight.layout?.steps?.name(id, sight, words);
  if (name !== undefined) return name;
  const item = sight.scene?.trays.flatMap(({ items }) => items).find((each) => each.id === id);
  if (item) return words.t('step.piece', { face: item.face });
  return words.has(`button.${id}`) ? words.t(`button.${id}`) : words.spaceName(id);
}

/** All steps of a path in a row. */
export const wayWords = (path: readonly string[], sight: MatchSight, words: Words): string =>
  path.map((id) => stepName(id, sight, words)).join(' → ');
