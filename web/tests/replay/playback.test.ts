import { expect, test, vi } from 'vitest';
import { Playback } from '../../src/replay/playback.svelte';
import { raise } from '../../src/board/stage';
import type { Replay, ReplayStep } from '../../src/protocol/messages';
import { event, scene, settle, squares, token } from '../make';

const OBSERVERS = ['red', 'blue', 'public', 'everything'];
const start = scene([token('1', 'a1')], { started: false });

function step(by: string, place: string, rest: Record<string, unknown> | null = null): ReplayStep {
  const patches = Object.fromEntries(OBSERVERS.map((observer) => [observer, { tokens: [token('1', place)], rest }]));
  const events = Object.fromEntries(OBSERVERS.map((observer) => [observer, [event('looked', { first_space: 'a2' })]]));
  return { by, text: '', turn: 0, patches, events, seq: 0, took: 0, clocks: {} };
}

const replay = {
  variant: 'duel',
  board: squares(2, 4),
  first: Object.fromEntries(OBSERVERS.map((observer) => [observer, start])),
  steps: [step('red', 'a1'), step('blue', 'a2', { started: true }), step('red', 'a3'), step('blue', 'a4')],
} as unknown as Replay;

const make = (from = replay, pause = async () => {}): Playback => new Playback(from, { looked: raise }, pause);
const place = (playback: Playback): string | undefined => playback.scene.tokens[0]?.place;

test('it begins after all deployments, for an observer who sees everything', () => {
  const playback = make();
  expect([playback.at, playback.deployed, playback.last, playback.observer]).toEqual([2, 2, 4, 'everything']);
  expect(playback.sides).toEqual(['red', 'blue']);
  expect(playback.observers).toEqual(['red', 'blue', 'everything', 'public']);
  expect(playback.own).toEqual(['red', 'blue']);
});

test('a match that never began is shown at its end', () => {
  expect(make({ ...replay, steps: [step('red', 'a1')] }).at).toBe(1);
});

test('it jumps to any step, and not beyond', () => {
  const playback = make();
  const shown = [4, 0, 3, 99, -1].map((index) => (playback.go(index), place(playback)));
  expect(shown).toEqual(['a4', 'a1', 'a3', 'a4', 'a1']);
  expect(playback.step).toBeUndefined();
});

test('for a side as observer, its own row is near', () => {
  const playback = make();
  playback.observer = 'blue';
  expect([playback.turned, playback.own]).toEqual([true, ['blue']]);
  playback.observer = 'red';
  expect(playback.turned).toBe(false);
});

test('a step forward is played, then made', async () => {
  let go = (): void => {};
  const playback = make(replay, () => new Promise((resolve) => (go = resolve)));
  void playback.forward();
  expect([playback.at, playback.stage.raised]).toEqual([2, ['1']]);
  go();
  await settle();
  expect([playback.at, playback.stage.raised]).toEqual([3, []]);
});

test('a step that is still played ends at once when another is wanted', async () => {
  const playback = make(replay, () => new Promise(() => {}));
  void playback.forward();
  void playback.forward();
  expect(playback.at).toBe(3);
  playback.go(0);
  await settle();
  expect([playback.at, playback.stage.raised]).toEqual([0, []]);
});

test('there is nothing after the last step', async () => {
  const playback = make();
  playback.go(4);
  await playback.forward();
  expect(playback.at).toBe(4);
});

const dealt = {
  ...replay,
  steps: [
    ...['a1', 'a2', 'a3', 'a4', 'a1'].map((place) => step('', place)),
    step('red', 'a2', { started: true }),
    step('', 'a3'),
    { ...step('blue', 'a4'), events: { everything: [event('battle-won')] } },
    step('red', 'a1'),
  ],
} as unknown as Replay;

test('what chance does belongs to the step before it, and a deal is one step', async () => {
  const playback = make(dealt);
  playback.go(0);
  await playback.forward();
  expect([playback.at, playback.steps.length]).toEqual([5, 5]);
  await playback.forward();
  expect([playback.at, playback.steps.length]).toEqual([7, 2]);
  playback.back();
  expect(playback.at).toBe(5);
  playback.back();
  expect(playback.at).toBe(0);
});

test('from battle to battle', () => {
  const playback = new Playback(dealt, {}, async () => {}, { 'battle-won': ['defender'] });
  expect([playback.at, playback.nextBattle, playback.lastBattle]).toEqual([6, 8, undefined]);
  playback.go(8);
  expect([playback.nextBattle, playback.lastBattle]).toEqual([undefined, undefined]);
  playback.go(9);
  expect(playback.lastBattle).toBe(8);
});

test('it plays by itself until the end, and stops when one goes elsewhere', async () => {
  vi.useFakeTimers();
  const playback = make();
  void playback.play();
  await vi.advanceTimersByTimeAsync(100);
  expect([playback.playing, playback.at]).toEqual([true, 3]);
  playback.go(0);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([playback.playing, playback.at]).toEqual([false, 0]);
  playback.speed = 4;
  void playback.play();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([playback.playing, playback.at]).toEqual([false, 4]);
  void playback.play();
  await vi.advanceTimersByTimeAsync(0);
  expect([playback.playing, playback.at]).toEqual([true, 3]); // from the first position after all deployments
  void playback.play();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([playback.playing, playback.at]).toEqual([false, 3]);
  vi.useRealTimers();
});
