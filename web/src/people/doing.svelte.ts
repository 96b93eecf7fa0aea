// A call in progress and its refusal, for forms: one call at a time, and the refusal stays until the next one.

import { lineOf } from '../protocol/api';
import type { Line } from '../protocol/messages';

export class Doing {
  busy = $state(false);
  refused = $state.raw<Line | null>(null);

  /** Run a call unless another one is in progress. Return whether it succeeded. */
  readonly run = async (call: () => Promise<unknown>): Promise<boolean> => {
    if (this.busy) return false;
    this.busy = true;
    this.refused = null;
    try {
      await call();
      return true;
    } catch (error) {
      this.refused = lineOf(error);
      return false;
    } finally {
      this.busy = false;
    }
  };
}
