import { expect, test } from 'vitest';
import { Deployer } from '../../src/placing/deploy.svelte';
import type { Arrange } from '../../src/protocol/messages';
import { squares } from '../make';

const piece = (face: string, count: number, action: number) => ({ face, letter: face.slice(0, 1), count, action });
const ROW: Arrange = {
  places: ['a1', 'b1', 'c1', 'd1'],
  pieces: [piece('flag', 1, 10), piece('scout', 2, 11), piece('', 1, 12)],
};
const make = (arrange = ROW, ways = { fromHand: false, mirrors: true }): Deployer =>
  new Deployer(arrange, squares(4, 2), ways);
const at = (deployer: Deployer): Record<string, string> => Object.fromEntries(deployer.at);

test('a piece is picked and placed; the next like it is held, as long as there are any', () => {
  const deployer = make();
  deployer.pickFace('scout');
  deployer.pickPlace('a1');
  expect(deployer.held).toEqual({ kind: 'face', face: 'scout' });
  deployer.pickPlace('b1');
  expect(deployer.held).toBeNull();
  expect(at(deployer)).toEqual({ a1: 'scout', b1: 'scout' });
  expect([deployer.missing, deployer.complete]).toEqual([1, false]);
});

test('from a hand, one is placed at a time', () => {
  const deployer = make(ROW, { fromHand: true, mirrors: true });
  deployer.pickFace('scout');
  deployer.pickPlace('a1');
  expect(deployer.held).toBeNull();
});

test('picking the same piece again lays it down; one of which none is left cannot be picked', () => {
  const deployer = make();
  deployer.pickFace('flag');
  deployer.pickFace('flag');
  expect(deployer.held).toBeNull();
  deployer.putFace('flag', 'a1');
  deployer.pickFace('flag');
  expect(deployer.held).toBeNull();
});

test('a placed piece moves, changes places, and is taken back', () => {
  const deployer = make();
  deployer.putFace('scout', 'b1');
  deployer.putFace('flag', 'a1');
  deployer.pickPlace('a1');
  deployer.pickPlace('b1');
  expect(at(deployer)).toEqual({ a1: 'scout', b1: 'flag' });
  deployer.move('b1', 'd1');
  expect(at(deployer)).toEqual({ a1: 'scout', d1: 'flag' });
  deployer.move('d1', 'z9');
  expect(deployer.takeBack('d1')).toBe(true);
  expect(deployer.takeBack('d1')).toBe(false);
  expect(at(deployer)).toEqual({ a1: 'scout' });
});

test('places outside and empty hands do nothing', () => {
  const deployer = make();
  expect(deployer.pickPlace('z9')).toBe(false);
  expect(deployer.pickPlace('a1')).toBe(false);
  deployer.putFace('flag', 'z9');
  expect(deployer.at.size).toBe(0);
});

test('no more than wanted: one place stays empty', () => {
  const deployer = make();
  for (const [face, place] of [
    ['flag', 'a1'],
    ['scout', 'b1'],
    ['scout', 'c1'],
  ] as const)
    deployer.putFace(face, place);
  expect(deployer.complete).toBe(true);
  expect(deployer.actions()).toEqual([10, 11, 11, 12]);
});

test('at random, each army is placed whole', () => {
  const seen = new Set<string>();
  for (let time = 0; time < 200; time += 1) {
    const deployer = make();
    deployer.random();
    expect(deployer.complete).toBe(true);
    expect([...deployer.at.values()].sort()).toEqual(['flag', 'scout', 'scout']);
    seen.add(JSON.stringify(deployer.actions()));
  }
  // All twelve arrangements come, except in one of 10^6 runs or fewer.
  expect(seen.size).toBe(12);
});

test('left becomes right, where each place has its mirror image', () => {
  const deployer = make();
  deployer.putFace('flag', 'a1');
  deployer.putFace('scout', 'b1');
  expect(deployer.mirrors).toBe(true);
  deployer.mirror();
  expect(at(deployer)).toEqual({ d1: 'flag', c1: 'scout' });
  expect(make({ ...ROW, places: ['a1', 'b1', 'c1'] }).mirrors).toBe(false);
  expect(make(ROW, { fromHand: false, mirrors: false }).mirrors).toBe(false);
});

test('of more pieces than places, some are kept', () => {
  const deployer = make({ places: ['a1', 'b1'], pieces: [piece('flag', 1, 1), piece('scout', 4, 2)] });
  expect(deployer.surplus).toBe(true);
  expect(make().surplus).toBe(false);
  deployer.random();
  expect(deployer.complete).toBe(true);
});

test('a single place leaves nothing to choose', () => {
  const deployer = make({ places: ['c1'], pieces: [piece('flag', 1, 1), piece('scout', 1, 2)] });
  deployer.pickFace('scout');
  expect(at(deployer)).toEqual({ c1: 'scout' });
  expect(deployer.kinds).toEqual(['flag', 'scout']);
});

test('each change can be undone, the last one first; a whole arrangement at once', () => {
  const deployer = make();
  expect([deployer.canUndo, deployer.undo()]).toEqual([false, false]);
  deployer.pickFace('flag');
  deployer.pickPlace('a1');
  deployer.move('a1', 'b1');
  deployer.takeBack('b1');
  deployer.random();
  const seen = [];
  while (deployer.undo()) seen.push(at(deployer));
  expect(seen).toEqual([{}, { b1: 'flag' }, { a1: 'flag' }, {}]);
  expect(deployer.canUndo).toBe(false);
});

test('whether an arrangement is the one that stands', () => {
  const deployer = make();
  const stands = { a1: 'flag', b1: 'scout', c1: 'scout' };
  deployer.set(new Map(Object.entries(stands)));
  expect(deployer.holds(new Map(Object.entries(stands)))).toBe(true);
  expect(deployer.holds(new Map(Object.entries({ ...stands, a1: 'scout', b1: 'flag' })))).toBe(false);
  expect(deployer.holds(new Map(Object.entries({ ...stands, d1: 'scout' })))).toBe(false);
});
