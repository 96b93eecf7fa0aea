// Places of an army in the preview of a board.

/** Smallest number of places for each piece at which the pieces may stand unevenly: no two get the same place. */
const ROOMY = 2.4;

/** Return the places [column, row] of `pieces` on the first rows, all different. Fill whole rows if the army is large
 * enough; otherwise spread the pieces over `rows` rows, or over more if they do not fit.
 */
export function spread(pieces: number, columns: number, rows: number): [number, number][] {
  const full = pieces % columns === 0 && pieces / columns >= rows;
  const over = full ? pieces : Math.max(pieces, columns * rows);
  const unevenly = over >= ROOMY * pieces ? 0.7 : 0;
  return Array.from({ length: pieces }, (_, index) => {
    const slot = Math.floor((index * over) / pieces + ((index * 7) % 3) * unevenly);
    return [slot % columns, Math.floor(slot / columns)];
  });
}
