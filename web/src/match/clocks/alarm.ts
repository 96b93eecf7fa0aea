// Warnings before the own time is over.

/** Seconds before the end at which the player is warned. */
export const WARNED_AT = [60, 30, 10] as const;
/** Seconds at which the page sounds. */
export const SOUNDS_AT: readonly number[] = [30, 10];

export class Alarm {
  private before = 0;
  /** Warnings that were given. */
  private readonly given = new Set<number>();

  /** Begin at a new state of the clock. `fresh`: whether the time is for this turn or decision only. A bank to which
   * little is added warns again only after it has come well above a warning, so that it does not warn at each decision.
   */
  begin(ms: number, fresh: boolean): void {
    this.before = ms;
    for (const seconds of WARNED_AT) if (ms > seconds * 1000 * (fresh ? 1 : 2)) this.given.delete(seconds);
  }

  /** Return the seconds of the warning that is due now; 0 for none. */
  check(ms: number): number {
    const passed = WARNED_AT.filter((seconds) => this.before > seconds * 1000 && ms <= seconds * 1000);
    this.before = ms;
    const due = passed.findLast((seconds) => !this.given.has(seconds)) ?? 0;
    for (const seconds of passed) this.given.add(seconds);
    return due;
  }
}
