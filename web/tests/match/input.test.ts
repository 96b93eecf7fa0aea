import { beforeEach, expect, test } from 'vitest';
import { BoardInput } from '../../src/match/choosing/input.svelte';
import { Choosing } from '../../src/match/choosing/choosing.svelte';
import type { MatchClient } from '../../src/match/client.svelte';
import { choice, scene, squares, token } from '../make';

const SCENE = scene([token('1', 'a1'), token('2', 'b2', 'blue')], { to_act: ['red'] });

let sent: number[][];
let asked: string[][];
let moving: boolean;
let seat: { ready: boolean; act: (actions: number[]) => void };
let choosing: Choosing;
let input: BoardInput;

/** Make the input of Red, whose turn it is unless `myTurn` is false. */
function sit(myTurn = true): void {
  const match = { board: squares(2, 2), scene: SCENE, side: 'red', ending: null, myTurn, layout: undefined };
  const queue = { hasten: () => moving };
  const connection = { askWhy: (path: string[]) => asked.push(path) };
  const marking = { target: null };
  const turns = { scene: null, again: null };
  input = new BoardInput({ match, queue, connection, marking, turns, choosing } as unknown as MatchClient);
}

beforeEach(() => {
  localStorage.clear();
  [sent, asked, moving] = [[], [], false];
  seat = { ready: true, act: (actions) => sent.push(actions) };
  choosing = new Choosing(seat);
  choosing.offer([choice(1, 'a1', 'a2')]);
  sit();
});

test('presses walk along a choice, and a drop is a press', () => {
  input.press('a1');
  input.drop('a1', 'a1');
  input.drop('a1', 'a2');
  expect(sent).toEqual([[1]]);
});

test('a press during a movement only ends the movement', () => {
  moving = true;
  input.press('a1');
  expect(choosing.prefix).toEqual([]);
});

test('a press without effect asks the server for the reason, or says it at once', () => {
  input.press('b2');
  expect(choosing.refused?.code).toBe('choose-own');
  input.press('a1');
  input.press('b1');
  expect(asked).toEqual([['a1', 'b1']]);
  sit(false);
  seat.ready = false;
  input.press('a1');
  expect(choosing.refused?.code).toBe('not-your-turn');
});

test('only a piece that can begin a choice is lifted', () => {
  expect([input.lift('a1'), input.lift('b2'), input.lift('a2')]).toEqual([{ side: 'red', face: '' }, null, null]);
  seat.ready = false;
  expect(input.lift('a1')).toBeNull();
});

test('escape goes one step back', () => {
  input.press('a1');
  input.escape();
  expect(choosing.prefix).toEqual([]);
});
