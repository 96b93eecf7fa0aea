// Labels of spaces for screen readers, and words for groups of pieces.

import { glyph } from '../words/glyphs';
import type { Group, Space, Token } from '../protocol/messages';
import { DOT } from './pieces/pencil.svelte';
import type { Words } from '../words/words.svelte';

interface Viewer {
  /** Side of this seat; empty for a spectator. */
  side: string;
  groups?: readonly Group[];
  /** The player's pencil marks by token. */
  pencilled?: ReadonlyMap<string, string>;
  /** Possible ranks of hidden pieces by token. */
  possible?: ReadonlyMap<string, readonly string[]>;
}

interface Choice {
  steps: ReadonlySet<string>;
  path: readonly string[];
  /** Path of a choice that the server has not confirmed. */
  waiting?: readonly string[];
}

/** Return words for the content of each space. Call this once per scene: choices change more often than pieces. */
export function contentsOf(
  words: Words,
  spaces: readonly Space[],
  tokens: readonly Token[],
  viewer: Viewer,
): ReadonlyMap<string, string> {
  const at = new Map(tokens.map((token) => [token.place, token]));
  return new Map(spaces.map((space) => [space.id, contentOf(words, space, at.get(space.id), viewer)]));
}

/** Describe a space: "d4, your Captain", "g7, enemy, has moved" or "Lookout 1, Blue's unit, was seen". */
function contentOf(words: Words, space: Space, token: Token | undefined, viewer: Viewer): string {
  const parts = [words.spaceName(space.id, space.name), token ? who(words, token, viewer.side) : ground(words, space)];
  for (const mark of token?.marks ?? []) parts.push(markWords(words, mark, token as Token, viewer));
  const pencilled = token && pencilWords(words, token, viewer);
  if (pencilled) parts.push(pencilled);
  const possible = token && viewer.possible?.get(token.id);
  if (possible) parts.push(words.t('possible.faces', { faces: possible, count: possible.length }));
  return parts.join(', ');
}

/** Labels of all spaces: their content, and their part in a choice. */
export function labelsOf(
  { t }: Words,
  contents: ReadonlyMap<string, string>,
  { steps, path, waiting = [] }: Choice,
): (space: Pick<Space, 'id'>) => string {
  return ({ id }) => {
    const parts = [contents.get(id) ?? id];
    if (waiting.includes(id)) parts.push(t('board.waiting'));
    if (path.includes(id)) parts.push(t('board.chosen'));
    else if (steps.has(id)) parts.push(t(path.length > 0 ? 'board.target' : 'board.choice'));
    return parts.join(', ');
  };
}

function who({ t, has, sideName }: Words, { side, face = '' }: Token, own: string): string {
  if (side === own) return t('board.own', { face });
  // With several enemies, the words name the side.
  if (has('board.unit')) return face === '' ? t('board.unit', { side }) : t('board.whose', { side, face });
  if (own === '') return face === '' ? sideName(side) : t('board.of-side', { side, face });
  return face === '' ? t('board.enemy') : t('board.enemy-known', { face });
}

/** Describe the piece on a space in one line: its rank and abilities, or the player's knowledge of it. */
export function aboutToken(words: Words, token: Token, viewer: Viewer, variant: string): string {
  const { side, face = '', marks = [] } = token;
  const whose = side === viewer.side ? '' : side;
  return [
    face === '' ? words.t('about.hidden', { side }) : words.pieceLine(face, variant, whose),
    ...marks.map((mark) => markWords(words, mark, token, viewer)),
    pencilWords(words, token, viewer),
    possibleWords(words, viewer.possible?.get(token.id)),
  ]
    .filter((part) => part !== '')
    .reduce((about, more) => words.t('about.more', { about, more }));
}

function pencilWords({ t }: Words, { id }: Token, { pencilled }: Viewer): string {
  const mark = pencilled?.get(id);
  return mark === undefined ? '' : mark === DOT ? t('pencil.dotted') : t('pencil.marked', { face: mark });
}

/** Return the possible ranks in short words, because a line is short: "one of 10, 9 and Bomb". */
const possibleWords = ({ t, faceName }: Words, faces: readonly string[] = []): string => {
  const ranks = faces.map((face) => glyph(face).numeral || faceName(face));
  return faces.length === 0 ? '' : t('possible.ranks', { ranks, count: faces.length });
};

/** Return the words for a mark. "Seen" on the player's own piece means that the enemy knows it; on an enemy's piece,
 * that the player does.
 */
function markWords(words: Words, mark: string, { side: owner, place }: Token, { side, groups }: Viewer): string {
  const group = mark === 'among' ? groupOf(groups, place) : undefined;
  if (group) return groupWords(words, group);
  const [what = '', by] = mark.split('.');
  if (by !== undefined) return words.t(`mark.${what}`, { side: by });
  const code = side === '' ? '' : `mark.${mark}.${owner === side ? 'own' : 'enemy'}`;
  return words.t(words.has(code) ? code : `mark.${mark}`);
}

/** Whether only one side has seen the piece: `looked.<side>`. */
export const isLook = (mark: string): boolean => mark.startsWith('looked.');

function ground({ t }: Words, space: Space): string {
  return space.ground && space.ground !== 'land' ? t(`ground.${space.ground}`) : t('board.empty');
}

/** Return the group of a space or of `hand.<side>`. */
export const groupOf = (groups: readonly Group[] | undefined, place: string): Group | undefined =>
  groups?.find(({ places }) => places.includes(place));

/** Describe a group: "one of 4 cards, among them Captain and Scout". If all types are known, use the message `-all`. */
export const groupWords = ({ t }: Words, { count, faces }: Group, code = 'board.among'): string =>
  t(count === faces.length ? `${code}-all` : code, { count, faces });

/** List places: "b2, b4 and the hand". */
export function placesWords({ list, t, spaceName }: Words, places: readonly string[]): string {
  // Places beside the board are named by their kind: `hand.<side>`.
  return list(places.map((place) => (place.includes('.') ? t(`known.${place.split('.', 1)[0]}`) : spaceName(place))));
}
