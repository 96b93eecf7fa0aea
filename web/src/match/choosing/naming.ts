// Names of the steps of a choice.

import type { Words } from '../../words/words.svelte';
import type { Layout, Naming } from '../../board/layout';

/** Name a step; `layout` may have its own name for it. */
export function stepName(id: string, layout: Layout | undefined, naming: Naming, words: Words): string {
  const name = layout?.steps?.name(id, naming, words);
  if (name !== undefined) return name;
  const item = naming.scene?.trays.flatMap(({ items }) => items).find((each) => each.id === id);
  if (item) return words.t('step.piece', { face: item.face });
  return words.has(`button.${id}`) ? words.t(`button.${id}`) : words.spaceName(id);
}

/** Name all steps of a path, in one text. */
export const wayWords = (path: readonly string[], layout: Layout | undefined, naming: Naming, words: Words): string =>
  path.map((id) => stepName(id, layout, naming, words)).join(' → ');
