// Requests to the server for an arrangement or a choice that people usually make, and for remarks; and the answers.

import type { Line } from '../../protocol/messages';
import type { Choosing } from '../choosing/choosing.svelte';
import type { Connection } from './connection.svelte';

export class Questions {
  /** Receives the answer to the last request for a suggestion. */
  private suggested: (at: Record<string, string>, actions: number[]) => void = () => {};
  /** Receives the answer to the last request for remarks. */
  private remarked: (lines: readonly Line[]) => void = () => {};
  /** Placed pieces of the open request, for a repeat on a new connection; null when no request is open. */
  private asked: Record<string, string> | null = null;

  constructor(
    private readonly connection: Pick<Connection, 'askSuggestion' | 'askRemarks'>,
    private readonly choosing: Pick<Choosing, 'ready' | 'act'>,
  ) {}

  /** Ask for a sensible arrangement that keeps the pieces in `at`. Null without a connection. */
  suggest(at: Record<string, string>): Promise<ReadonlyMap<string, string> | null> {
    return new Promise((done) => {
      this.suggested = (found) => done(new Map(Object.entries(found).filter(([, face]) => face !== '')));
      this.asked = this.connection.askSuggestion(at) ? at : null;
      if (!this.asked) done(null);
    });
  }

  /** Make one choice that people usually make, when there is no arrangement to make. */
  chooseAsPeople(): void {
    this.suggested = (_at, actions) => {
      if (this.choosing.ready && actions.length > 0) this.choosing.act(actions);
    };
    this.connection.askSuggestion({});
  }

  /** Ask for remarks on a complete arrangement. Empty without a connection. */
  remark(actions: number[]): Promise<readonly Line[]> {
    return new Promise((done) => {
      this.remarked = done;
      if (!this.connection.askRemarks(actions)) done([]);
    });
  }

  /** Repeat the open request: the server has forgotten it with the old connection. */
  repeat(): void {
    if (this.asked) this.connection.askSuggestion(this.asked);
  }

  takeSuggestion(at: Record<string, string>, actions: number[]): void {
    this.asked = null;
    this.suggested(at, actions);
  }

  takeRemarks(lines: readonly Line[]): void {
    this.remarked(lines);
  }
}
