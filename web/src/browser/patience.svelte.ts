// Waiting that may last long enough to say why.

/** So long nobody wonders. */
const SHORT_MS = 2000;

export class Patience {
  /** It has lasted long enough. */
  slow = $state(false);

  /** What `work` comes to. */
  async have<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => (this.slow = true), SHORT_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      this.slow = false;
    }
  }
}
