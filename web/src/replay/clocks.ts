// Clocks of the players during a replay.

import type { ReplayStep } from '../protocol/messages';

/** Return the time that each player had left after the first `at` steps, in milliseconds by side, as the last step with
 * clocks tells it. Empty in a match without clocks.
 */
export function clocksAt(steps: readonly Pick<ReplayStep, 'clocks'>[], at: number): Record<string, number> {
  const last = steps.slice(0, at).findLast(({ clocks }) => Object.keys(clocks ?? {}).length > 0);
  return last?.clocks ?? {};
}
