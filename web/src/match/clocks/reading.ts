// The clocks at a moment: the server sends how they stood, the page counts down from there.

import type { SeatClock } from '../../protocol/messages';
import { TENTHS_MS } from '../../words/time';

/** One clock at a moment, in milliseconds. */
export interface Reading {
  side: string;
  /** Time left: the bank, the rest of the turn or of the deployment, or the time until the deadline. */
  left: number;
  runs: boolean;
  /** Rest of the delay, in which `left` stays. */
  free: number;
  /** Rest of the maximum time for this decision, if that ends first; otherwise null. */
  limit: number | null;
  /** Time until the player is out of time; null if the clock does not run. */
  most: number | null;
}

const below = (time: number, elapsed: number): number => Math.max(0, time - elapsed);

/** Return a clock as it stands `elapsed` milliseconds after the server sent it. */
export function readingOf({ side, left, runs = false, free = 0, most = null }: SeatClock, elapsed: number): Reading {
  if (!runs) return { side, left, runs, free, limit: null, most: null };
  const whole = free + left;
  const end = most ?? whole;
  return {
    side,
    runs,
    left: below(left, Math.max(0, elapsed - free)),
    free: below(free, elapsed),
    limit: end < whole ? below(end, elapsed) : null,
    most: below(end, elapsed),
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Return the time until the digits of a time change. `deadline`: whether they show days, hours and minutes. */
function untilChange(time: number, deadline: boolean): number {
  if (time <= 0) return Infinity;
  const unit = time < TENTHS_MS ? 100 : deadline && time > HOUR_MS ? MINUTE_MS : 1000;
  return (time % unit) + 1;
}

/** Return the time until any digits change; infinite if nothing runs. */
export function nextChange(readings: readonly Reading[], deadline: boolean): number {
  const times = readings.filter(({ runs }) => runs).flatMap(({ left, free, limit, most }) => [left, free, limit, most]);
  return Math.min(...times.map((time) => untilChange(time ?? 0, deadline)));
}

/** A moment on the monotonic clock and on the clock of the day, in milliseconds. */
export interface Moment {
  steady: number;
  day: number;
}

export const moment = (): Moment => ({ steady: performance.now(), day: Date.now() });

/** Difference of the two clocks that a sleep of the device explains. Smaller ones are corrections of the time. */
const SLEPT_MS = 1500;

/** Return the time between two moments. The monotonic clock of some browsers stands still while the device sleeps. */
export function elapsedBetween(since: Moment, now: Moment): number {
  const steady = now.steady - since.steady;
  const day = now.day - since.day;
  return day - steady > SLEPT_MS ? day : steady;
}
