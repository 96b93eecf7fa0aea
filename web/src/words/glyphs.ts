// The drawings of faces, collected from the games' own folders, and the cloth of each side.

import banners from '../../../src/gonfalon/games/banners.json';

export interface Glyph {
  /** Rank on the piece; empty for pieces that have a drawing of their own. */
  numeral: string;
  /** One filled path in a 24 by 24 field. */
  path: string;
}

/** Return the family that a file belongs to, by its path. */
export const familyOf = (path: string): string => /games\/([^/]+)\//.exec(path)?.[1] ?? '';

const files = import.meta.glob<Record<string, Glyph>>('../../../src/gonfalon/games/*/screen/glyphs.json', {
  eager: true,
  import: 'default',
});
const glyphs: Record<string, Glyph> = Object.assign({}, ...Object.values(files));
/** A letter of a diagram stands for a piece of its own family. A family without drawings uses those of the board games.
 */
const families = new Map(Object.entries(files).map(([path, drawn]) => [familyOf(path), drawn]));

/** An unknown face is drawn as a plain ring. */
const NONE: Glyph = { numeral: '', path: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 4a5 5 0 1 1 0 10 5 5 0 0 1 0-10z' };

export const glyph = (face: string): Glyph => glyphs[face] ?? NONE;

/** Outlines of banners in a 48 by 48 field. Each side has its own lower edge, in addition to its colour. */
const CLOTHS: Record<string, string> = banners;

export const cloth = (side: string): string => CLOTHS[side] ?? (CLOTHS.blue as string);

/** The weave of a hidden banner: short threads in two directions. */
export const WEAVE = weave(5, 5, 9.4, 7.4);
/** The weave on a card of 48 by 66. */
export const CARD_WEAVE = weave(6, 9, 7, 6.4);

function weave(columns: number, rows: number, left: number, top: number): string {
  const threads: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const x = left + column * 6;
      const y = top + row * 6;
      threads.push(
        (row + column) % 2
          ? `M${x.toFixed(1)} ${y + 1.5}h5.2M${x.toFixed(1)} ${y + 3.7}h5.2`
          : `M${(x + 1.5).toFixed(1)} ${y}v5.2M${(x + 3.7).toFixed(1)} ${y}v5.2`,
      );
    }
  }
  return threads.join('');
}

/** Return the face of a diagram's letter. The letter is the face's numeral or first letter; "?" is a hidden piece. */
export function faceOfLetter(letter: string, family: string): string {
  if (letter === '?') return '';
  const wanted = letter.toLowerCase();
  const own = families.get(family) ?? families.get('grid') ?? glyphs;
  const faces = Object.keys(own);
  return (
    faces.find((face) => own[face]?.numeral === letter) ??
    faces.find((face) => face.startsWith(wanted) && !/[2-9]/.test(own[face]?.numeral ?? '')) ??
    'unknown'
  );
}
