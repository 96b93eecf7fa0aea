// What the steps of a choice are called.

import type { Words } from '../../words/words.svelte';
import type { Layout, Naming } from '../../board/layout';

/** `layout`: may have a name of its own for the step. */
export function stepName(id: string, layout: Layout | undefined, naming: Naming, words: Words): string {
  const name = layout?.steps?.name(id, naming, words);
  if (name !== undefined) return name;
  const item = naming.scene?.trays.flatMap(({ items }) => items).find((each) => each.id === id);
  if (item) return words.t('step.piece', { face: item.face });
  return words.has(`button.${id}`) ? words.t(`button.${id}`) : words.spaceName(id);
}

/** All steps of a path in a row. */
export const wayWords = (path: readonly string[], layout: Layout | undefined, naming: Naming, words: Words): string =>
  path.map((id) => stepName(id, layout, naming, words)).join(' → ');
