import { expect, test } from 'vitest';
import {
  around,
  bannerSize,
  buttonBox,
  frameAround,
  frameOf,
  outlineAround,
  peaks,
  pointsOf,
  ridgesOf,
  shortOf,
  territoriesOf,
  zoneTowards,
} from '../../src/layouts/map/land/geometry';
import type { Board, Region, Space } from '../../src/protocol/messages';

/** Make a square zone of 100 by 100, with its place in the middle. */
function zone(id: string, x: number, y: number, near: string[] = []): Space {
  const corners = [
    [x, y],
    [x + 100, y],
    [x + 100, y + 100],
    [x, y + 100],
  ];
  const outline = `M${corners.map((corner) => corner.join(' ')).join('L')}Z`;
  return { id, name: id, place: [x + 50, y + 50], outline, near, reach: 40 };
}
const spaces = [
  zone('west', 100, 100, ['east']),
  zone('east', 200, 100, ['west']),
  zone('south', 100, 200),
  zone('far', 400, 100),
];
const board: Board = { layout: 'map', columns: 600, rows: 500, spaces };

test('a path is read as points', () => {
  expect(pointsOf('M1 2L3.5 4L5 6Z')).toEqual([
    [1, 2],
    [3.5, 4],
    [5, 6],
  ]);
});

test('the land and a strip around are shown', () => {
  expect(frameOf(board)).toEqual({ x: 80, y: 80, width: 440, height: 240 });
  expect(frameAround(board, [spaces[3] as Space])).toEqual({ x: 380, y: 80, width: 140, height: 140 });
});

test('the frame does not leave the board', () => {
  const edge = { ...board, spaces: [zone('corner', 0, 0)] };
  expect(frameOf(edge)).toEqual({ x: 0, y: 0, width: 120, height: 120 });
});

test('a button lies over its zone, cut to its outline', () => {
  const box = buttonBox(spaces[0] as Space, { x: 0, y: 0, width: 1000, height: 500 });
  expect(box).toEqual({
    left: 10,
    top: 20,
    width: 10,
    height: 20,
    clip: 'polygon(0.00% 0.00%,100.00% 0.00%,100.00% 100.00%,0.00% 100.00%)',
  });
});

test('lines between zones are no part of the outline around them', () => {
  const around = outlineAround(spaces.slice(0, 2));
  expect(around.split('Z').length - 1).toBe(1);
  expect(pointsOf(around.slice(0, -1))).toHaveLength(6);
  expect(outlineAround([spaces[0] as Space, spaces[3] as Space]).split('Z').length - 1).toBe(2);
});

test('a ridge that follows a line of a territory stands at its edge', () => {
  const inZones = spaces.map((space, index) => ({ ...space, zone: index < 2 ? 'north' : 'rest' }));
  const regions = ['north', 'rest'].map((id) => ({ id }) as Region);
  const ridges = ['M100 200L200 200L300 200', 'M300 200L350 250', 'M400 100L500 100'];
  const land = { ...board, regions, spaces: inZones, ridges };
  expect([ridgesOf(land, 'north'), ridgesOf(land, 'rest')]).toEqual([1, 2]);
});

test('the outlines of all territories are made once for a board', () => {
  const regions = ['north', 'rest'].map(
    (id) => ({ id, name: id, lines: [id], place: [0, 0], size: 9, tone: 0 }) as Region,
  );
  const inZones = spaces.map((space, index) => ({ ...space, zone: index < 2 ? 'north' : 'rest' }));
  const land = { ...board, regions, spaces: inZones };
  expect(territoriesOf(land).get('north')).toBe(outlineAround(spaces.slice(0, 2)));
  expect(territoriesOf(land)).toBe(territoriesOf(land));
  expect(territoriesOf({ ...land, spaces: [] }).get('north')).toBe('');
});

test('a point short of another', () => {
  expect(shortOf([0, 0], [30, 40], 10)).toEqual([24, 32]);
});

test('peaks stand along a ridge, the farther ones first', () => {
  const found = peaks(['M0 0L0 90']);
  expect(found).toHaveLength(6);
  expect(found.map(([, y]) => y)).toEqual([7.5, 22.5, 37.5, 52.5, 67.5, 82.5]);
});

test('banners are as large as a middling zone has room for', () => {
  expect(bannerSize(board)).toBeCloseTo(1.72 * 40);
});

test('arrow keys lead to the zone in that direction', () => {
  expect(zoneTowards(board, 'west', 'ArrowRight')).toBe('east');
  expect(zoneTowards(board, 'west', 'ArrowDown')).toBe('south');
  expect(zoneTowards(board, 'east', 'ArrowRight')).toBe('far');
  expect(zoneTowards(board, 'west', 'ArrowUp')).toBeUndefined();
  expect(zoneTowards(board, 'east', 'Home')).toBe('west');
  expect(zoneTowards(board, 'east', 'End')).toBe('far');
  expect(zoneTowards(board, 'east', 'x')).toBeUndefined();
});

test('territories border those that one can go to', () => {
  const placed = [
    { ...zone('a1', 0, 0, ['a2', 'b1']), zone: 'a' },
    { ...zone('a2', 100, 0, ['a1', 'b1']), zone: 'a' },
    { ...zone('b1', 200, 0, ['a1', 'a2']), zone: 'b' },
    { ...zone('c1', 0, 100), zone: 'c' },
  ];
  const regions = ['a', 'b', 'c'].map((id) => ({ id }) as Region);
  const land = { layout: 'map', columns: 300, rows: 200, regions, spaces: placed };
  expect(around(land, 'a')).toEqual(['b']);
  expect(around(land, 'c')).toEqual([]);
});
