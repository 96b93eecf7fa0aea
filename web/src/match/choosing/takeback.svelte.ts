// Take-backs: of the draft, or otherwise of this seat's last decision.

import type { MatchState } from '../state.svelte';
import type { Connection } from '../updates/connection.svelte';
import type { Choosing } from './choosing.svelte';

export class Takeback {
  /** Whether this seat has a decision that may be taken back. */
  get available(): boolean {
    return this.match.side !== '' && (this.match.info?.returnable ?? false) && !this.match.ending;
  }
  /** Whether `takeBack` would undo that decision. It undoes an open draft first, which has a button of its own. */
  get isNext(): boolean {
    return this.available && !this.choosing.draft;
  }

  constructor(
    private readonly match: MatchState,
    private readonly connection: Pick<Connection, 'takeBack' | 'goBack' | 'waiting'>,
    private readonly choosing: Pick<Choosing, 'draft'>,
  ) {}

  /** Ask the server to drop the draft, or otherwise to undo the last decision. Return whether there was something to
   * undo.
   */
  takeBack(): boolean {
    if (this.choosing.draft) return this.connection.takeBack();
    if (!this.available || this.connection.waiting) return false;
    return this.connection.goBack((this.match.info?.took_back ?? 0) + 1);
  }
}
