// What a side still has: what it began with, less what lies beside the board for all to see.

import type { Board, Tray } from '../../protocol/messages';

type Count = { face: string; count: number };

/** Trays that hold pieces of their side that are off the board. */
const OFF = ['lost', 'reserve'];

/** Null where that cannot be told: a piece that is off the board is hidden. */
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
