import { beforeEach, expect, test } from 'vitest';
import { Choosing } from '../../src/match/choosing/choosing.svelte';
import { choice } from '../make';

let sent: number[][];
let seat: { ready: boolean; act: (actions: number[]) => void };
let choosing: Choosing;

beforeEach(() => {
  sent = [];
  seat = { ready: true, act: (actions) => sent.push(actions) };
  choosing = new Choosing(seat);
  choosing.offer([choice(1, 'a1', 'a2'), choice(2, 'a1', 'b1'), choice(3, 'c1', 'c2')]);
});

test('a choice is made step by step', () => {
  expect([...choosing.steps]).toEqual(['a1', 'c1']);
  expect(choosing.step('a1', false)).toBe(true);
  expect([...choosing.steps]).toEqual(['a2', 'b1']);
  expect(choosing.step('b1', false)).toBe(true);
  expect(sent).toEqual([[2]]);
  expect(choosing.prefix).toEqual([]);
});

test('a step that leads nowhere changes nothing', () => {
  choosing.step('a1', false);
  expect(choosing.step('z9', false)).toBe(false);
  expect(choosing.prefix).toEqual(['a1']);
});

test('another first step begins anew, the same one goes back', () => {
  choosing.step('a1', false);
  expect(choosing.step('c1', false)).toBe(true);
  expect(choosing.prefix).toEqual(['c1']);
  expect(choosing.step('c1', false)).toBe(true);
  expect(choosing.prefix).toEqual([]);
});

test('with confirmation a choice waits until it is confirmed, or its last step is taken again', () => {
  choosing.step('a1', true);
  choosing.step('a2', true);
  expect(choosing.held?.id).toBe(1);
  expect(choosing.path).toEqual(['a1', 'a2']);
  expect(sent).toEqual([]);
  choosing.step('a2', true);
  expect(sent).toEqual([[1]]);
  expect(choosing.held).toBeNull();
  expect(choosing.confirm()).toBe(false);
});

test('back first drops what is held, then one step each', () => {
  choosing.step('a1', true);
  choosing.step('a2', true);
  expect(choosing.back()).toBe(true);
  expect([choosing.held, choosing.prefix]).toEqual([null, ['a1']]);
  expect(choosing.back()).toBe(true);
  expect(choosing.back()).toBe(false);
});

test('nothing can be chosen while something is under way', () => {
  seat.ready = false;
  expect(choosing.step('a1', false)).toBe(false);
  expect(choosing.prefix).toEqual([]);
});

test('other choices forget what was begun', () => {
  choosing.step('a1', true);
  choosing.step('a2', true);
  choosing.offer([choice(4, 'd1')], true);
  expect([choosing.held, choosing.prefix, choosing.draft]).toEqual([null, [], true]);
  expect([...choosing.steps]).toEqual(['d1']);
});

test('a dragged piece begins anew, unless it is the one that was chosen', () => {
  choosing.step('a1', false);
  choosing.startAt('c1');
  expect(choosing.prefix).toEqual(['c1']);
  choosing.startAt('c1');
  expect(choosing.prefix).toEqual(['c1']);
});

test('a refusal stands until the next step', () => {
  choosing.refused = { code: 'not-now', args: {} };
  choosing.step('a1', false);
  expect(choosing.refused).toBeNull();
});

test('what is warned of waits for its confirmation, whatever the setting', () => {
  choosing.offer([{ ...choice(4, 'a1', 'a2'), warning: { code: 'wins-other', args: {} } }]);
  choosing.step('a1', false);
  choosing.step('a2', false);
  expect([sent, choosing.held?.id]).toEqual([[], 4]);
  choosing.confirm();
  expect(sent).toEqual([[4]]);
});
