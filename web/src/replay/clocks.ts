// Clocks of the players during a replay.

/** A step, as far as it tells of time. `clocks`: time that each player had left after it, in milliseconds by side; only
 * in a match with clocks.
 */
export interface TimedStep {
  took?: number;
  clocks?: Record<string, number>;
}

/** Return the time that each player had left after the first `at` steps, as the last step with clocks tells it. */
export function clocksAt(steps: readonly TimedStep[], at: number): Record<string, number> {
  const last = steps.slice(0, at).findLast(({ clocks }) => clocks && Object.keys(clocks).length > 0);
  return last?.clocks ?? {};
}
