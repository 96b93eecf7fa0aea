// Remaining pieces of a side: its army minus the pieces off the board that all players see.

import type { Board, Tray } from '../../protocol/messages';

type Count = { face: string; count: number };

/** Trays with pieces of their side that are off the board. */
const OFF = ['lost', 'reserve'];

/** Return the remaining pieces; null if a piece off the board is hidden, because the count is unknown then. */
export function stillHas(board: Board, trays: readonly Tray[], side: string): Count[] | null {
  const off = trays.flatMap((tray) =>
    tray.items.filter((item) =>
      OFF.includes(tray.kind) ? tray.side === side : tray.kind === 'flags' && item.side === side,
    ),
  );
  if (!board.army?.length || off.some(({ face }) => face === '')) return null;
  const gone = new Map<string, number>();
  for (const { face, count = 1 } of off) gone.set(face, (gone.get(face) ?? 0) + count);
  return board.army
    .map(({ face, count }) => ({ face, count: count - (gone.get(face) ?? 0) }))
    .filter(({ count }) => count > 0);
}
