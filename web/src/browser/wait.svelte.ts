// A wait that may last long enough for an explanation.

/** Maximum wait without an explanation, in milliseconds. */
const SHORT_MS = 2000;

export class Wait {
  /** Whether the wait has lasted longer. */
  slow = $state(false);

  /** Wait for `work` and return its result. */
  async on<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => (this.slow = true), SHORT_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      this.slow = false;
    }
  }
}
