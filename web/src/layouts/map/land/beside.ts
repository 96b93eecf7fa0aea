// Finds a place for a note on the map: near a zone, and over no name.

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
export type Size = Pick<Box, 'width' | 'height'>;

/** Free space around names and between the note and its zone, in pixels. */
const GAP = 3;
/** Distance that a lower note is worth, in pixels: a note with fewer lines is easier to read. */
const A_LINE = 14;

const rightOf = ({ left, width }: Box): number => left + width;
const bottomOf = ({ top, height }: Box): number => top + height;

/** Return the area that two boxes share. */
export function sharedArea(one: Box, other: Box): number {
  const across = Math.min(rightOf(one), rightOf(other)) - Math.max(one.left, other.left);
  const down = Math.min(bottomOf(one), bottomOf(other)) - Math.max(one.top, other.top);
  return across > 0 && down > 0 ? across * down : 0;
}

/** Return the distance between two boxes; 0 if they touch. */
function distance(one: Box, other: Box): number {
  const across = Math.max(one.left - rightOf(other), other.left - rightOf(one), 0);
  const down = Math.max(one.top - bottomOf(other), other.top - bottomOf(one), 0);
  return Math.hypot(across, down);
}

/** Return coordinates at which a note touches an edge of a box, or is centred on the zone, and fits into the room. */
function coordinates(
  zone: [number, number],
  edges: readonly [number, number][],
  length: number,
  room: number,
): number[] {
  const [begin, size] = zone;
  const all = [begin + size / 2 - length / 2, 0, room - length];
  for (const [from, extent] of [zone, ...edges]) all.push(from - length - GAP, from + extent + GAP);
  return [...new Set(all.filter((at) => at >= 0 && at + length <= room))];
}

/** Return the best place of a note within `room`: over none of the `names` and not over the `zone`, and near the zone.
 * If every place covers something, return the place that covers least. `sizes`: the sizes that the note can have, with
 * few lines first.
 */
export function placeBeside(sizes: readonly Size[], zone: Box, names: readonly Box[], room: Size): Box {
  let best: Box = { left: 0, top: 0, ...(sizes[0] ?? { width: 0, height: 0 }) };
  let [least, nearest] = [Infinity, Infinity];
  sizes.forEach((size, lines) => {
    const [xs, ys] = [
      names.map((it) => [it.left, it.width] as [number, number]),
      names.map((it) => [it.top, it.height] as [number, number]),
    ];
    for (const left of coordinates([zone.left, zone.width], xs, size.width, room.width))
      for (const top of coordinates([zone.top, zone.height], ys, size.height, room.height)) {
        const box = { left, top, ...size };
        const far = distance(box, zone) + A_LINE * lines;
        const covered = names.reduce((area, name) => area + sharedArea(box, name), 3 * sharedArea(box, zone));
        if (covered < least || (covered === least && far < nearest)) [best, least, nearest] = [box, covered, far];
      }
  });
  return best;
}
