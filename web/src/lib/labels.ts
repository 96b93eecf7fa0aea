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

/** For example "d4, your Captain", "g7, enemy, has moved" or "Lookout 1, Blue's unit, was seen". */
export function spaceLabel(space: Space, token: Token | undefined, sight: Sight): string {
  const parts = [space.name, token ? who(token, sight) : ground(space, sight.layout ?? '')];
  for (const mark of token?.marks ?? []) parts.push(markWords(mark, token as Token, sight));
  if (sight.path.includes(space.id)) parts.push(t('board.chosen'));
  else if (sight.steps.has(space.id)) parts.push(t(sight.path.length > 0 ? 'board.target' : 'board.choice'));
  return parts.join(', ');
}

function who(token: Token, { side, layout = '' }: Sight): string {
  const face = token.face ?? '';
  const unit = `board.unit.${layout}`;
  if (token.side === side) return t('board.own', { face });
  // Where there may be more than one enemy, it is said whose.
  if (has(unit)) return face === '' ? t(unit, { side: token.side }) : t('board.whose', { side: token.side, face });
  if (side === '') return face === '' ? sideName(token.side) : t('board.of-side', { side: token.side, face });
  return face === '' ? t('board.enemy') : `${t('board.enemy')}, ${faceName(face)}`;
}

/** "Seen" means another thing on an own piece than on an enemy's. */
function markWords(mark: string, { side: owner, place }: Token, { side, groups, layout = '' }: Sight): string {
  const group = mark === 'among' ? groupOf(groups, place) : undefined;
  if (group) return groupWords(group, layout);
  const code = side === '' ? '' : `mark.${mark}.${owner === side ? 'own' : 'enemy'}`;
  return t(of(has(code) ? code : `mark.${mark}`, layout));
}

/** A layout may have its own words. */
export const of = (code: string, layout: string): string => (has(`${code}.${layout}`) ? `${code}.${layout}` : code);

function ground(space: Space, layout: string): string {
  if (space.ground && space.ground !== 'land') return t(`ground.${space.ground}`);
  return t(of('board.empty', layout));
}

/** The group that a space, or `hand.<side>`, belongs to. */
export const groupOf = (groups: readonly Group[] | undefined, place: string): Group | undefined =>
  groups?.find(({ places }) => places.includes(place));

/** For example "one of 4 cards, among them Captain, Scout". */
export const groupWords = ({ count, faces }: Group, layout = ''): string =>
  t(of(count === faces.length ? 'board.among-all' : 'board.among', layout), { count, faces });

/** For example "b2, b4 and the hand". */
export function placesWords(places: readonly string[]): string {
  const words = places.map((place) =>
    place.startsWith('hand.') ? t('known.hand') : place.startsWith('reserve.') ? t('known.reserve') : spaceName(place),
  );
  const last = words.pop() ?? '';
  return words.length > 0 ? t('known.and', { words: words.join(', '), last }) : last;
}

/** A hand and a pile for those who do not see them. */
export function handWords(side: string, hand: readonly TrayItem[], pile: number): string {
  const count = hand.reduce((sum, item) => sum + (item.count ?? 1), 0);
  const faces = hand.flatMap((item) => (item.face === '' ? [] : Array<string>(item.count ?? 1).fill(item.face)));
  return t(faces.length > 0 ? 'hand.faces' : 'hand.count', { side, count, faces, pile });
}
