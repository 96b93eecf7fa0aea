// Geometry of the `grid` layout: which space lies where on the screen, and how water is cut out.

import type { Board, Space } from './messages';

/** Spaces as rows from the top of the screen, seen from the first player's side or turned around. */
export function rowsOf(board: Board, turned: boolean): Space[][] {
  const rows = Array.from({ length: board.rows }, () => [] as Space[]);
  for (const space of board.spaces) {
    const [column, row] = screenPlace(board, space.place, turned);
    (rows[row] as Space[])[column] = space;
  }
  return rows;
}

/** Column and row on the screen, from the top left. */
export function screenPlace(board: Board, [column, row]: readonly number[], turned: boolean): [number, number] {
  const c = column ?? 0;
  const r = row ?? 0;
  return turned ? [board.columns - 1 - c, r] : [c, board.rows - 1 - r];
}

/** Where an arrow key leads from a space. */
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

type Cell = (column: number, row: number) => boolean;

/** Outlines of the blocked cells, joined where they touch, with a hand-cut edge. */
export function cutOut(rows: Space[][], ground: string): string {
  const inside: Cell = (column, row) => rows[row]?.[column]?.ground === ground;
  const edges = new Map<string, [number, number][]>();
  rows.forEach((spaces, y) => spaces.forEach((_, x) => inside(x, y) && addEdges(edges, inside, x, y)));
  let path = '';
  while (edges.size > 0) path += outline(edges);
  return path;
}

/** The borders of one cell, clockwise, where its neighbour is of another ground. */
function addEdges(edges: Map<string, [number, number][]>, inside: Cell, x: number, y: number): void {
  const add = (from: [number, number], to: [number, number]) => edges.set(from.join(), [from, to]);
  if (!inside(x, y - 1)) add([x, y], [x + 1, y]);
  if (!inside(x + 1, y)) add([x + 1, y], [x + 1, y + 1]);
  if (!inside(x, y + 1)) add([x + 1, y + 1], [x, y + 1]);
  if (!inside(x - 1, y)) add([x, y + 1], [x, y]);
}

function outline(edges: Map<string, [number, number][]>): string {
  let key = edges.keys().next().value as string;
  let path = '';
  for (let edge = edges.get(key); edge; edge = edges.get(key)) {
    edges.delete(key);
    path += `${path === '' ? 'M' : 'L'}${cut(edge as [number, number][])}`;
    key = (edge[1] as [number, number]).join();
  }
  return `${path}Z`;
}

/** One border as a slightly uneven line, pulled inwards; the same each time. */
function cut([from, to]: [number, number][]): string {
  const [x, y] = from as [number, number];
  const [dx, dy] = [(to as [number, number])[0] - x, (to as [number, number])[1] - y];
  return [0.06, 0.4, 0.72, 0.94]
    .map((along, index) => {
      const inward = 0.05 + 0.05 * wobble(x * 7 + y * 13 + index * 5 + dx * 3 + dy);
      return `${(x + dx * along - dy * inward).toFixed(3)} ${(y + dy * along + dx * inward).toFixed(3)}`;
    })
    .join('L');
}

const wobble = (seed: number): number => Math.abs(Math.sin(seed * 12.9898) * 43758.5453) % 1;
