// Hints of the computer player: the request, the wait and the answer.

import type { Advice } from '../../protocol/messages';
import type { Choosing } from '../choosing/choosing.svelte';
import type { MatchState } from '../state.svelte';
import type { Connection } from '../updates/connection.svelte';

export class Advisor {
  /** Computer player's choice for the present position; null until the computer player has answered. */
  advice = $state.raw<Advice | null>(null);
  /** Whether the computer player still thinks. */
  thinking = $state(false);

  /** Whether the player may ask now. If no hint is possible, the server's refusal says why. */
  get available(): boolean {
    return this.match.helped && this.match.myTurn && this.choosing.ready && !this.match.ending;
  }

  constructor(
    private readonly match: MatchState,
    private readonly connection: Pick<Connection, 'askHint'>,
    private readonly choosing: Pick<Choosing, 'ready'>,
  ) {}

  ask(): void {
    if (this.available && !this.thinking) this.thinking = this.connection.askHint();
  }

  /** Store an answer; null if the position has changed. */
  take(advice: Advice | null): void {
    this.advice = advice;
    this.thinking = false;
  }
}
