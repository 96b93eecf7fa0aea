// Geometry of the `map` layout: visible part, outlines of territories, peaks of ridges, and targets of arrow keys.

import type { Board, Space } from '../../../protocol/messages';

export type Point = [number, number];

export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A city's tower, around the middle of its place. */
export const TOWER = 'M-10 15V-3H-13V-15H-7.5V-10H-3V-15H3V-10H7.5V-15H13V-3H10V15H4V7A4 4 0 0 0 -4 7V15Z';

/** Sea around the land, in board units. */
const SHORE = 20;
/** Distance between peaks of a ridge. */
const PEAK_GAP = 15;

/** Return the corners of a path, which has only straight lines. A closed path does not repeat its first corner. */
const cornersOf = (path: string): string[] => path.slice(1).replace('Z', '').split('L');

export const pointsOf = (path: string): Point[] =>
  cornersOf(path).map((corner) => corner.split(' ').map(Number) as Point);

const outlines = new WeakMap<Space, Point[]>();

/** Return the corners of a zone. Each zone is parsed only once. */
function outlineOf(space: Space): Point[] {
  const known = outlines.get(space);
  if (known) return known;
  const points = pointsOf(space.outline ?? '');
  outlines.set(space, points);
  return points;
}

/** Cache a function of a board, because many parts of the page need the result. */
function once<V>(make: (board: Board) => V): (board: Board) => V {
  const made = new WeakMap<Board, V>();
  return (board) => {
    if (!made.has(board)) made.set(board, make(board));
    return made.get(board) as V;
  };
}

/** Return the visible part of the board: the land and a strip of sea around it. */
export const frameOf = once((board) => frameAround(board, board.spaces));

/** Return the frame around some spaces, with a strip around them. */
export function frameAround(board: Board, spaces: readonly Space[]): Frame {
  const points = spaces.flatMap(outlineOf);
  const [low, high] = boundsOf(points);
  const [x, y] = [Math.max(0, low[0] - SHORE), Math.max(0, low[1] - SHORE)];
  return {
    x,
    y,
    width: Math.min(board.columns, high[0] + SHORE) - x,
    height: Math.min(board.rows, high[1] + SHORE) - y,
  };
}

/** Return the box around some spaces. */
export function boxAround(spaces: readonly Space[]): Frame {
  const [[x, y], [right, bottom]] = boundsOf(spaces.flatMap(outlineOf));
  return { x, y, width: right - x, height: bottom - y };
}

/** Return a point before `to` on the way from `from`, at the distance `gap`. */
export function shortOf([x, y]: Point, [toX, toY]: Point, gap: number): Point {
  const far = Math.hypot(toX - x, toY - y);
  return [toX - ((toX - x) * gap) / far, toY - ((toY - y) * gap) / far];
}

function boundsOf(points: Point[]): [Point, Point] {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [
    [Math.min(...xs), Math.min(...ys)],
    [Math.max(...xs), Math.max(...ys)],
  ];
}

/** Side of a banner's square, as a multiple of the `reach` of a zone of medium size. */
const BANNER = 1.72;

/** Return the side of a banner's square; all have one size. */
export function bannerSize(board: Board): number {
  const reaches = board.spaces.map((space) => space.reach ?? 0).toSorted((a, b) => a - b);
  return BANNER * (reaches[Math.floor(reaches.length / 3)] ?? 0);
}

/** Return a zone's button as a box in percent of the frame, and its clip. The box is centred on the place of the
 * banner, so that its middle lies inside the zone; the clip is the zone's outline.
 */
export function buttonBox(
  space: Space,
  frame: Frame,
): { left: number; top: number; width: number; height: number; clip: string } {
  const points = outlineOf(space);
  const [x, y] = space.place;
  let [across, down] = [0, 0];
  for (const point of points) {
    across = Math.max(across, Math.abs(point[0] - x));
    down = Math.max(down, Math.abs(point[1] - y));
  }
  const percent = (from: number, whole: number): string => (50 + (50 * from) / whole).toFixed(2);
  const clip = points.map((point) => `${percent(point[0] - x, across)}% ${percent(point[1] - y, down)}%`);
  return {
    left: (100 * (x - across - frame.x)) / frame.width,
    top: (100 * (y - down - frame.y)) / frame.height,
    width: (200 * across) / frame.width,
    height: (200 * down) / frame.height,
    clip: `polygon(${clip.join()})`,
  };
}

/** Return a button's box as one style attribute, because a map has many buttons. */
export const styleOf = ({ left, top, width, height, clip }: ReturnType<typeof buttonBox>): string =>
  `left: ${left}%; top: ${top}%; width: ${width}%; height: ${height}%; clip-path: ${clip}`;

/** The outlines of all territories. */
export const territoriesOf = once(
  ({ regions = [], spaces }) =>
    new Map(regions.map(({ id }) => [id, outlineAround(spaces.filter((space) => space.zone === id))])),
);

/** Return the outline around all the zones together: the lines that belong to only one of them. */
export function outlineAround(spaces: readonly Space[]): string {
  const lines = new Set<string>();
  for (const { outline = '' } of spaces) {
    const corners = cornersOf(outline);
    corners.forEach((corner, index) => {
      const next = corners[(index + 1) % corners.length] as string;
      if (!lines.delete(`${next}L${corner}`)) lines.add(`${corner}L${next}`);
    });
  }
  return joined([...lines]);
}

/** Join consecutive lines into closed paths, so that the browser draws their corners. */
function joined(lines: string[]): string {
  const next = new Map(lines.map((line) => line.split('L') as [string, string]));
  let path = '';
  while (next.size > 0) {
    const [start] = next.keys() as Iterable<string>;
    const run: string[] = [];
    for (let at: string | undefined = start; at !== undefined && next.has(at);) {
      run.push(at);
      const on: string | undefined = next.get(at);
      next.delete(at);
      at = on;
    }
    path += `M${run.join('L')}Z`;
  }
  return path;
}

/** Return place and height of the peaks along all ridges, the farther ones first. */
export function peaks(ridges: readonly string[]): [number, number, number][] {
  return ridges.flatMap((ridge) => peaksAlong(pointsOf(ridge))).sort((a, b) => a[1] - b[1]);
}

function peaksAlong(points: Point[]): [number, number, number][] {
  const along = [0];
  points.slice(1).forEach((point, index) => {
    const before = points[index] as Point;
    along.push((along[index] as number) + Math.hypot(point[0] - before[0], point[1] - before[1]));
  });
  const length = along.at(-1) as number;
  const count = Math.max(Math.floor(length / PEAK_GAP), 2);
  return Array.from({ length: count }, (_, index) => [
    ...between(points, along, ((index + 0.5) * length) / count),
    11 + 4.5 * Math.sin(2.4 * index),
  ]);
}

/** Return the point at the distance `at` along a path. `along`: distance of each of its points. */
function between(points: Point[], along: number[], at: number): Point {
  const index = Math.max(
    1,
    along.findIndex((each) => each >= at),
  );
  const [a, b] = [points[index - 1] as Point, points[index] as Point];
  const [from, to] = [along[index - 1] as number, along[index] as number];
  const share = to > from ? (at - from) / (to - from) : 0;
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
}

const WAYS: Record<string, Point> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
/** Factor by which a zone that is no neighbour must be closer than a neighbour to be chosen. */
const STRANGE = 1.5;

/** Return the target of an arrow key: the nearest space in that direction, preferably a neighbour. */
export function zoneTowards(board: Board, id: string, key: string): string | undefined {
  if (key === 'Home') return board.spaces[0]?.id;
  if (key === 'End') return board.spaces.at(-1)?.id;
  const way = WAYS[key];
  const here = board.spaces.find((space) => space.id === id);
  if (!way || !here) return undefined;
  let best: [number, string | undefined] = [Infinity, undefined];
  for (const space of board.spaces) {
    const [x, y] = [space.place[0] - here.place[0], space.place[1] - here.place[1]];
    const along = x * way[0] + y * way[1];
    const across = Math.abs(x * way[1]) + Math.abs(y * way[0]);
    if (along <= 0 || across > along) continue;
    const far = (along + 1.2 * across) * (here.near?.includes(space.id) ? 1 : STRANGE);
    if (far < best[0]) best = [far, space.id];
  }
  return best[1];
}

const zonesOf = ({ spaces }: Board, region: string): Space[] => spaces.filter(({ zone }) => zone === region);

const bordered = once((board) => {
  const zones = new Map(board.spaces.map(({ id, zone = '' }) => [id, zone]));
  const aroundIt = (region: string): string[] => {
    const near = zonesOf(board, region).flatMap((space) => space.near ?? []);
    return [...new Set(near.map((zone) => zones.get(zone) ?? ''))].filter((other) => other !== region);
  };
  return new Map(board.regions?.map(({ id }) => [id, aroundIt(id)]));
});

/** Return the territories that a unit can enter directly from a territory; mountains close some of them off. */
export const around = (board: Board, region: string): readonly string[] => bordered(board).get(region) ?? [];

const ridged = once((board) => {
  const ridges = (board.ridges ?? []).map(cornersOf);
  const beside = (region: string): number => {
    const corners = new Set(zonesOf(board, region).flatMap(({ outline = '' }) => cornersOf(outline)));
    return ridges.filter((ridge) => ridge.filter((corner) => corners.has(corner)).length > 1).length;
  };
  return new Map(board.regions?.map(({ id }) => [id, beside(id)]));
});

/** Return the number of ridges at a territory's edge. A ridge counts if it follows at least one line of the edge. */
export const ridgesOf = (board: Board, region: string): number => ridged(board).get(region) ?? 0;
