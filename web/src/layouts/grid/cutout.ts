// Outlines of water and rock on a board of squares.

import type { Space } from '../../protocol/messages';

type Cell = (column: number, row: number) => boolean;

/** Return the kind of ground of each square, row by row. */
export const groundsOf = (rows: readonly Space[][]): string[][] =>
  rows.map((row) => row.map(({ ground = '' }) => ground));

/** Return the outlines of all cells of one ground, joined where they touch, with a hand-cut edge. */
export function cutOut(grounds: readonly string[][], ground: string): string {
  const inside: Cell = (column, row) => grounds[row]?.[column] === ground;
  const edges = new Map<string, [number, number][]>();
  grounds.forEach((row, y) => row.forEach((_, x) => inside(x, y) && addEdges(edges, inside, x, y)));
  let path = '';
  while (edges.size > 0) path += outline(edges);
  return path;
}

/** Add the borders of one cell, clockwise, to neighbours of another ground. */
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

/** Return one border as a slightly uneven line, pulled inwards. The same border always gives the same line. */
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
