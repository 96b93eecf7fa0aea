// The screen as the queue of updates and the turns use it: movements, waits, and the browser's drawing.

import { drawn, pause, rest, answerPause } from '../../board/motion';
import { animate, type Play } from '../../board/stage';
import type { MatchState } from '../state.svelte';

/** Minimum time for which the result of a battle, or another side's act in a turn of many acts, is shown, in
 * milliseconds. A battle is announced for a shorter time.
 */
export const READ_MS = 1000;

export interface Screen {
  /** Show the movements of events. */
  readonly play: Play;
  /** Wait during a movement, in milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /** Wait for the reader, in milliseconds; never shortened. */
  readonly rest: (ms: number) => Promise<void>;
  /** Wait until the browser has drawn all changes. */
  readonly drawn: () => Promise<void>;
  /** Pause before another side's act, in milliseconds. */
  readonly answerPause: () => number;
}

/** Return the screen of a match; the match's layout has the movements. */
export const screenOf = (match: Pick<MatchState, 'layout'>): Screen => ({
  play: (...played) => animate(match.layout?.movements ?? {}, ...played),
  pause,
  rest,
  drawn,
  answerPause,
});
