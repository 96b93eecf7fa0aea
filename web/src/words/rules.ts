// The rules pages of the families, rendered at build time. A page loads when somebody asks for it.

import type { Block } from '../../build/rules';

export type { Block, Heading, Picture } from '../../build/rules';

/** Return a family's rules in a language; null if there are none. */
export async function loadRules(family: string, language: string): Promise<Block[] | null> {
  const { default: loaders } = await import('virtual:rules/index');
  const loader = loaders[family]?.[language];
  return loader ? (await loader()).default : null;
}

/** Return the number of blocks that introduce the game: those before the first section. */
export function countIntroduction(blocks: readonly Block[]): number {
  const first = blocks.findIndex((block) => block.kind === 'html' && (block.heading?.level ?? 1) > 1);
  return first < 0 ? blocks.length : first;
}
