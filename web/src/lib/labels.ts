// What a screen reader is told of a space, and words for what is known of pieces together.

import type { Group, Space, Token, TrayItem } from './messages';
import { faceName, has, sideName, spaceName, t } from './words.svelte';

interface Sight {
  /** The own side; empty for one who only looks. */
  side: string;
  steps: ReadonlySet<string>;
  path: readonly string[];
  groups?: readonly Group[];
  layout?: string;
}

/** For example "d4, your Captain" or "g7, enemy, has moved". */
export function spaceLabel(space: Space, token: Token | undefined, sight: Sight): string {
  const parts = [space.name, token ? who(token, sight.side) : ground(space, sight.layout ?? '')];
  for (const mark of token?.marks ?? []) parts.push(markWords(mark, token as Token, sight));
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
function markWords(mark: string, { side: owner, place }: Token, { side, groups }: Sight): string {
  const group = mark === 'among' ? groupOf(groups, place) : undefined;
  if (group) return groupWords(group);
  const code = side === '' ? '' : `mark.${mark}.${owner === side ? 'own' : 'enemy'}`;
  return t(has(code) ? code : `mark.${mark}`);
}

/** A layout may have its own word for a place without a piece. */
function ground(space: Space, layout: string): string {
  if (space.ground && space.ground !== 'land') return t(`ground.${space.ground}`);
  return t(has(`board.empty.${layout}`) ? `board.empty.${layout}` : 'board.empty');
}

/** The group that a space, or `hand.<side>`, belongs to. */
export const groupOf = (groups: readonly Group[] | undefined, place: string): Group | undefined => groups?.find(({ places }) => places.includes(place));

/** For example "one of 4 cards, among them Captain, Scout". */
export const groupWords = ({ count, faces }: Group): string => t(count === faces.length ? 'board.among-all' : 'board.among', { count, faces });

/** For example "b2, b4 and the hand". */
export function placesWords(places: readonly string[]): string {
  const words = places.map((place) => (place.startsWith('hand.') ? t('known.hand') : spaceName(place)));
  const last = words.pop() ?? '';
  return words.length > 0 ? t('known.and', { words: words.join(', '), last }) : last;
}

/** A hand and a pile for those who do not see them. */
export function handWords(side: string, hand: readonly TrayItem[], pile: number): string {
  const count = hand.reduce((sum, item) => sum + (item.count ?? 1), 0);
  const faces = hand.flatMap((item) => (item.face === '' ? [] : Array<string>(item.count ?? 1).fill(item.face)));
  return t(faces.length > 0 ? 'hand.faces' : 'hand.count', { side, count, faces, pile });
}
