// A wait that may last long enough for an explanation.

/** Longest wait without an explanation. */
const SHORT_MS = 2000;

export class Wait {
  /** The wait has lasted longer. */
  slow = $state(false);

  /** Return the result of `work`. */
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
