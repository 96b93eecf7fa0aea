import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Alarm } from '../../src/match/clocks/alarm';
import { Clocks } from '../../src/match/clocks/clocks.svelte';
import { elapsedBetween, nextChange, readingOf } from '../../src/match/clocks/reading';
import type { SeatClock } from '../../src/protocol/messages';
import type { Control } from '../../src/words/time';

const clock = (changes: Partial<SeatClock> = {}): SeatClock => ({
  side: 'red',
  left: 60_000,
  runs: true,
  free: 0,
  most: 60_000,
  ...changes,
});

test('a clock that runs goes down, another one stands', () => {
  expect(readingOf(clock(), 1500)).toMatchObject({ left: 58_500, limit: null, most: 58_500 });
  expect(readingOf(clock(), 70_000)).toMatchObject({ left: 0, most: 0 });
  expect(readingOf(clock({ runs: false, most: null }), 1500)).toMatchObject({ left: 60_000, most: null });
});

test('the bank stays while the delay runs', () => {
  const delayed = clock({ free: 3000, most: 63_000 });
  expect(readingOf(delayed, 2000)).toMatchObject({ left: 60_000, free: 1000, limit: null, most: 61_000 });
  expect(readingOf(delayed, 5000)).toMatchObject({ left: 58_000, free: 0, most: 58_000 });
});

test('the limit of a decision is there if it ends first', () => {
  const limited = clock({ left: 900_000, free: 3000, most: 180_000 });
  expect(readingOf(limited, 4000)).toMatchObject({ left: 899_000, limit: 176_000, most: 176_000 });
  expect(readingOf({ ...limited, left: 20_000, most: 23_000 }, 0).limit).toBeNull();
});

test('the next change is that of the first digit that changes', () => {
  expect(nextChange([readingOf(clock({ left: 12_345, most: 12_345 }), 0)], false)).toBe(346);
  expect(nextChange([readingOf(clock({ left: 9_345, most: 9_345 }), 0)], false)).toBe(46);
  const far = readingOf(clock({ left: 7_230_000, most: 7_230_000 }), 0);
  expect(nextChange([far], true)).toBe(30_001);
  expect(nextChange([far], false)).toBe(1);
  expect(nextChange([readingOf(clock({ runs: false, most: null }), 0)], false)).toBe(Infinity);
  expect(nextChange([readingOf(clock(), 60_000)], false)).toBe(Infinity);
});

test('a sleep of the device counts, a correction of the time of day does not', () => {
  const since = { steady: 1000, day: 500_000 };
  expect(elapsedBetween(since, { steady: 3000, day: 502_000 })).toBe(2000);
  expect(elapsedBetween(since, { steady: 3000, day: 562_000 })).toBe(62_000);
  expect(elapsedBetween(since, { steady: 3000, day: 503_000 })).toBe(2000);
  expect(elapsedBetween(since, { steady: 3000, day: 400_000 })).toBe(2000);
});

test('each warning comes once, and again only after enough time came back', () => {
  const alarm = new Alarm();
  alarm.begin(61_000, false);
  expect([60_500, 60_000, 59_000, 29_000, 28_000].map((ms) => alarm.check(ms))).toEqual([0, 60, 0, 30, 0]);
  alarm.begin(33_000, false);
  expect(alarm.check(29_000)).toBe(0);
  alarm.begin(33_000, true);
  expect(alarm.check(29_000)).toBe(30);
  expect(alarm.check(0)).toBe(10);
  alarm.begin(8000, true);
  expect(alarm.check(7000)).toBe(0);
});

test('after a sleep only the last warning comes', () => {
  const alarm = new Alarm();
  alarm.begin(100_000, true);
  expect(alarm.check(5000)).toBe(10);
  expect(alarm.check(4000)).toBe(0);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const BANK: Control = { kind: 'bank', bank: 900 };

function made(control: Control | null = BANK) {
  const warned: number[] = [];
  const clocks = new Clocks({ side: 'red', info: { clock: control, started: true } }, (seconds) =>
    warned.push(seconds),
  );
  return { clocks, warned };
}

test('the clocks count down with one timer, and with none when nothing runs', () => {
  const { clocks, warned } = made();
  const other = clock({ side: 'blue', left: 50_000, runs: false, most: null });
  clocks.take({ seats: [clock(), other], deadline: 0 });
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(31_000);
  flushSync();
  expect(clocks.readings.map(({ left }) => Math.floor(left / 1000))).toEqual([29, 50]);
  expect(warned).toEqual([30]);
  vi.advanceTimersByTime(40_000);
  expect(clocks.own?.left).toBe(0);
  expect(clocks.most).toBe(0);
  expect(warned).toEqual([30, 10]);
  expect(vi.getTimerCount()).toBe(0);
  clocks.take({ seats: [clock({ runs: false, most: null }), other], deadline: 0 });
  expect(vi.getTimerCount()).toBe(0);
  expect(clocks.most).toBe(Infinity);
});

test('the end of a match stops the clocks where they are', () => {
  const { clocks } = made();
  clocks.take({ seats: [clock()], deadline: 0 });
  vi.advanceTimersByTime(2000);
  clocks.stop();
  vi.advanceTimersByTime(5000);
  expect(Math.round((clocks.own?.left ?? 0) / 1000)).toBe(58);
  expect(vi.getTimerCount()).toBe(0);
});

test('every bank is shown; of other times only the one that runs', () => {
  const seats = [clock(), clock({ side: 'blue', runs: false, most: null })];
  const turn = made({ kind: 'turn', turn: 60 });
  turn.clocks.take({ seats, deadline: 0 });
  expect(turn.clocks.shown.map(({ side }) => side)).toEqual(['red']);
  const bank = made();
  bank.clocks.take({ seats, deadline: 0 });
  expect(bank.clocks.shown.map(({ side }) => side)).toEqual(['red', 'blue']);
  turn.clocks.close();
  bank.clocks.close();
});
