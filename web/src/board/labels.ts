// What a screen reader is told of a space, and words for what is known of pieces together.

import { glyph } from '../words/glyphs';
import type { Group, Space, Token } from '../protocol/messages';
import { DOT } from './pieces/pencil.svelte';
import type { Words } from '../words/words.svelte';

interface Sight {
  /** The own side; empty for one who only looks. */
  side: string;
  groups?: readonly Group[];
  /** One's own pencil marks by token. */
  pencilled?: ReadonlyMap<string, string>;
  /** By token what a hidden piece may be. */
  possible?: ReadonlyMap<string, readonly string[]>;
}

interface Choice {
  steps: ReadonlySet<string>;
  path: readonly string[];
  /** The way of a choice that is not confirmed yet. */
  waiting?: readonly string[];
}

/** What stands on each space, in words. It is made once for a scene: what can be chosen changes more often. */
export function standingOf(
  words: Words,
  spaces: readonly Space[],
  tokens: readonly Token[],
  sight: Sight,
): ReadonlyMap<string, string> {
  const at = new Map(tokens.map((token) => [token.place, token]));
  return new Map(spaces.map((space) => [space.id, standing(words, space, at.get(space.id), sight)]));
}

/** For example "d4, your Captain", "g7, enemy, has moved" or "Lookout 1, Blue's unit, was seen". */
function standing(words: Words, space: Space, token: Token | undefined, sight: Sight): string {
  const parts = [words.spaceName(space.id, space.name), token ? who(words, token, sight.side) : ground(words, space)];
  for (const mark of token?.marks ?? []) parts.push(markWords(words, mark, token as Token, sight));
  const pencilled = token && pencilWords(words, token, sight);
  if (pencilled) parts.push(pencilled);
  const possible = token && sight.possible?.get(token.id);
  if (possible) parts.push(words.t('possible.faces', { faces: possible, count: possible.length }));
  return parts.join(', ');
}

/** Labels of all spaces: what stands there, and what it is in a choice. */
export function labelsOf(
  { t }: Words,
  standing: ReadonlyMap<string, string>,
  { steps, path, waiting = [] }: Choice,
): (space: Pick<Space, 'id'>) => string {
  return ({ id }) => {
    const parts = [standing.get(id) ?? id];
    if (waiting.includes(id)) parts.push(t('board.waiting'));
    if (path.includes(id)) parts.push(t('board.chosen'));
    else if (steps.has(id)) parts.push(t(path.length > 0 ? 'board.target' : 'board.choice'));
    return parts.join(', ');
  };
}

function who({ t, has, sideName }: Words, { side, face = '' }: Token, own: string): string {
  if (side === own) return t('board.own', { face });
  // Where there may be more than one enemy, it is said whose.
  if (has('board.unit')) return face === '' ? t('board.unit', { side }) : t('board.whose', { side, face });
  if (own === '') return face === '' ? sideName(side) : t('board.of-side', { side, face });
  return face === '' ? t('board.enemy') : t('board.enemy-known', { face });
}

/** The piece on a space in one line: what it is and does, or what is known of it. */
export function aboutToken(words: Words, token: Token, sight: Sight, variant: string): string {
  const { side, face = '', marks = [] } = token;
  const whose = side === sight.side ? '' : side;
  return [
    face === '' ? words.t('about.hidden', { side }) : words.pieceLine(face, variant, whose),
    ...marks.map((mark) => markWords(words, mark, token, sight)),
    pencilWords(words, token, sight),
    possibleWords(words, sight.possible?.get(token.id)),
  ]
    .filter((part) => part !== '')
    .reduce((about, more) => words.t('about.more', { about, more }));
}

function pencilWords({ t }: Words, { id }: Token, { pencilled }: Sight): string {
  const mark = pencilled?.get(id);
  return mark === undefined ? '' : mark === DOT ? t('pencil.dotted') : t('pencil.marked', { face: mark });
}

/** In a line there is room for numerals only: "one of 10, 9 and Bomb". */
const possibleWords = ({ t, faceName }: Words, faces: readonly string[] = []): string => {
  const ranks = faces.map((face) => glyph(face).numeral || faceName(face));
  return faces.length === 0 ? '' : t('possible.ranks', { ranks, count: faces.length });
};

/** "Seen" means another thing on an own piece than on an enemy's. */
function markWords(words: Words, mark: string, { side: owner, place }: Token, { side, groups }: Sight): string {
  const group = mark === 'among' ? groupOf(groups, place) : undefined;
  if (group) return groupWords(words, group);
  const [what = '', by] = mark.split('.');
  if (by !== undefined) return words.t(`mark.${what}`, { side: by });
  const code = side === '' ? '' : `mark.${mark}.${owner === side ? 'own' : 'enemy'}`;
  return words.t(words.has(code) ? code : `mark.${mark}`);
}

/** `looked.<side>`: this side alone has seen the piece. */
export const isLook = (mark: string): boolean => mark.startsWith('looked.');

function ground({ t }: Words, space: Space): string {
  return space.ground && space.ground !== 'land' ? t(`ground.${space.ground}`) : t('board.empty');
}

/** The group that a space, or `hand.<side>`, belongs to. */
export const groupOf = (groups: readonly Group[] | undefined, place: string): Group | undefined =>
  groups?.find(({ places }) => places.includes(place));

/** For example "one of 4 cards, among them Captain and Scout"; where all are known, the message with `-all`. */
export const groupWords = ({ t }: Words, { count, faces }: Group, code = 'board.among'): string =>
  t(count === faces.length ? `${code}-all` : code, { count, faces });

/** For example "b2, b4 and the hand". */
export function placesWords({ list, t, spaceName }: Words, places: readonly string[]): string {
  // What lies beside the board is called by its kind: `hand.<side>`.
  return list(places.map((place) => (place.includes('.') ? t(`known.${place.split('.', 1)[0]}`) : spaceName(place))));
}
