// The end of the time for a deployment: the page sends what the player has placed, with the rest as people place it.
// Otherwise the server, which knows nothing of an unfinished arrangement, would place everything.

import type { Deployer } from './deploy.svelte';
import type { PlacingQuestions } from './placing.svelte';

/** Time left at which the page asks for the rest, in milliseconds. An answer may take a second. */
const ASKS_MS = 5000;
/** Time left at which it sends the arrangement. */
const SENDS_MS = 1500;

export class LastMoment {
  /** The last suggestion around the player's pieces. */
  private found: ReadonlyMap<string, string> | null = null;
  private asks = false;
  private sent = false;

  /** `ready`: sends the complete arrangement. */
  constructor(
    private readonly deployer: Pick<Deployer, 'at' | 'complete' | 'set'>,
    private readonly questions: Pick<PlacingQuestions, 'suggest'>,
    private readonly ready: () => void,
  ) {}

  /** Do what is due with so many milliseconds left; called at each tick of the clock. */
  check(left: number): void {
    if (this.sent || left <= 0 || left > ASKS_MS) return;
    if (!this.deployer.complete && !this.fits()) void this.ask();
    if (left > SENDS_MS || !(this.deployer.complete || this.fits())) return;
    if (!this.deployer.complete && this.found) this.deployer.set(this.found);
    this.sent = true;
    this.ready();
  }

  /** Whether the suggestion keeps all pieces that lie now. */
  private fits(): boolean {
    return this.found !== null && [...this.deployer.at].every(([place, face]) => this.found?.get(place) === face);
  }

  private async ask(): Promise<void> {
    if (this.asks) return;
    this.asks = true;
    this.found = await this.questions.suggest(Object.fromEntries(this.deployer.at));
    this.asks = false;
  }
}
