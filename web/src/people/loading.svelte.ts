// The content of a screen from the server. The old content stays while new content loads, so that the page does not
// jump.

import { lineOf } from '../protocol/api';
import type { Line } from '../protocol/messages';

export class Loading<T> {
  /** Last answer of the server; null before the first one. */
  value = $state.raw<T | null>(null);
  /** Reason why the last question failed. */
  failed = $state.raw<Line | null>(null);

  constructor(private readonly load: () => Promise<T>) {
    void this.reload();
  }

  readonly reload = async (): Promise<void> => {
    try {
      this.value = await this.load();
      this.failed = null;
    } catch (error) {
      this.failed = lineOf(error);
    }
  };
}
