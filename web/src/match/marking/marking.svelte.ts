// Pencil marks on hidden pieces of other players: the dialog's target, and the marks of the position on the screen.

import { marksAt, Pencil } from '../../board/pieces/pencil.svelte';
import { settings } from '../../browser/settings.svelte';
import type { Token } from '../../protocol/messages';
import type { MatchState } from '../state.svelte';

export class Marking {
  /** Token to be marked; empty while the player chooses it, null while the dialog is closed. */
  target = $state<string | null>(null);

  /** Notes of this seat; null for spectators and when the settings switch them off. */
  private readonly pencil = $derived.by(() =>
    this.match.side === '' || settings.pencil === 'off' ? null : new Pencil(this.match.id, this.match.side),
  );
  /** Marks by token. */
  readonly marks = $derived.by(() =>
    marksAt(this.pencil?.notes ?? [], this.match.shown, this.match.scene?.tokens ?? [], this.match.side),
  );

  constructor(private readonly match: MatchState) {}

  /** Whether the player can mark pieces now. */
  get possible(): boolean {
    return this.pencil !== null && !this.match.ending && (this.match.scene?.started ?? false);
  }

  /** Whether the player can mark pieces as soon as play begins. */
  get expected(): boolean {
    const { scene, ending } = this.match;
    return this.pencil !== null && scene !== null && !scene.started && !ending;
  }

  /** Open the dialog for the piece on a space. Return whether that piece can have a mark. */
  markAt(space: string): boolean {
    const token = this.match.scene?.tokens.find(({ place }) => place === space);
    if (!this.possible || !token || token.side === this.match.side || token.face) return false;
    this.target = token.id;
    return true;
  }

  /** Write a mark on a piece; an empty mark removes the earlier one. */
  write(token: string, mark: string): void {
    this.pencil?.write(this.match.shown, token, mark);
  }

  /** Drop the marks of pieces that are gone after step `seq`. */
  follow(seq: number, tokens: readonly Token[]): void {
    this.pencil?.follow(seq, tokens);
  }
}
