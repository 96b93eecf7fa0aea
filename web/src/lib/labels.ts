// What a screen reader is told of a space.

import type { Space, Token } from './messages';
import { faceName, has, sideName, t } from './words.svelte';

interface Sight {
  /** The own side; empty for one who only looks. */
  side: string;
  steps: ReadonlySet<string>;
  path: readonly string[];
}

/** For example "d4, your Captain" or "g7, enemy, has moved". */
export function spaceLabel(space: Space, token: Token | undefined, sight: Sight): string {
  const parts = [space.name, token ? who(token, sight.side) : ground(space)];
  for (const mark of token?.marks ?? []) parts.push(markWords(mark, token?.side ?? '', sight.side));
  if (sight.path.includes(space.id)) parts.push(t('board.chosen'));
  else if (sight.steps.has(space.id)) parts.push(t(sight.path.length > 0 ? 'board.target' : 'board.choice'));
  return parts.join(', ');
}

function who(token: Token, side: string): string {
  const face = token.face ?? '';
  if (side === '') return face === '' ? sideName(token.side) : t('board.of-side', { side: token.side, face });
  if (token.side === side) return t('board.own', { face });
  return face === '' ? t('board.enemy') : `${t('board.enemy')}, ${faceName(face)}`;
}

/** "Seen" means another thing on an own piece than on an enemy's. */
function markWords(mark: string, owner: string, side: string): string {
  const code = side === '' ? '' : `mark.${mark}.${owner === side ? 'own' : 'enemy'}`;
  return t(has(code) ? code : `mark.${mark}`);
}

const ground = (space: Space): string => t(space.ground && space.ground !== 'land' ? `ground.${space.ground}` : 'board.empty');
