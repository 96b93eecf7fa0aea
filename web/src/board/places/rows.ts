// Boards of rows and columns: positions of spaces on the screen, and the targets of arrow keys.

import type { Board, Space } from '../../protocol/messages';

/** Return the spaces as rows from the top of the screen, from the first player's side or turned around. */
export function rowsOf(board: Board, turned: boolean): Space[][] {
  const rows = Array.from({ length: board.rows }, () => [] as Space[]);
  for (const space of board.spaces) {
    const [column, row] = screenPlace(board, space.place, turned);
    (rows[row] as Space[])[column] = space;
  }
  return rows;
}

/** Return column and row on the screen, from the top left. */
export function screenPlace(board: Board, [column, row]: readonly number[], turned: boolean): [number, number] {
  const c = column ?? 0;
  const r = row ?? 0;
  return turned ? [board.columns - 1 - c, r] : [c, board.rows - 1 - r];
}

/** Return the space that an arrow key leads to. */
export function neighbour(rows: Space[][], id: string, key: string): string | undefined {
  const row = rows.findIndex((spaces) => spaces.some((space) => space.id === id));
  const column = rows[row]?.findIndex((space) => space.id === id) ?? -1;
  const width = rows[0]?.length ?? 0;
  const to: Record<string, [number, number]> = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [row, 0],
    End: [row, width - 1],
    PageUp: [0, column],
    PageDown: [rows.length - 1, column],
  };
  const target = to[key];
  return target && rows[target[0]]?.[target[1]]?.id;
}
