// Input on the board of a match: presses, drags, and the letter keys of the whole screen.

import { isWriting } from '../../browser/focus';
import { confirmsMoves } from '../../browser/settings.svelte';
import type { Scene } from '../../protocol/messages';
import type { MatchClient } from '../client.svelte';

export class BoardInput {
  /** Position that the board shows: an earlier one while the player looks back, otherwise the present one. */
  private get scene(): Scene | null {
    return this.client.turns.scene ?? this.client.match.scene;
  }
  /** Tokens by space. */
  readonly tokenAt = $derived.by(() => new Map(this.scene?.tokens.map((token) => [token.place, token])));

  constructor(private readonly client: MatchClient) {}

  /** Return whether the ID is a lost piece. A lost piece needs no confirmation: the player chooses its place next, and
   * may step back until then.
   */
  private isLost(id: string): boolean {
    return (
      this.scene?.trays.some(({ kind, items }) => kind === 'lost' && items.some((item) => item.id === id)) ?? false
    );
  }

  /** Take a step of a choice: a space, a lost piece or a button. */
  press(id: string): void {
    const { match, queue, marking, choosing } = this.client;
    // A press during a movement only ends the movement.
    if (queue.hasten()) return;
    if (marking.target !== null) return void marking.markAt(id);
    const asks = confirmsMoves() && match.layout?.steps?.atOnce.has(id) !== true && !this.isLost(id);
    if (match.side === '' || match.ending || choosing.step(id, asks)) return;
    this.explain(id);
  }

  /** Step back, or return from an earlier turn to the present. */
  escape(): void {
    const { turns, choosing } = this.client;
    if (turns.again) turns.leave();
    else choosing.back();
  }

  /** Return the piece that may be dragged from a space. */
  lift(id: string): { side: string; face: string } | null {
    const { choosing } = this.client;
    const token = this.tokenAt.get(id);
    const first = choosing.ready && choosing.choices.some((choice) => choice.path[0] === id);
    return token && first ? { side: token.side, face: token.face ?? '' } : null;
  }

  drop(from: string, to: string): void {
    if (to !== '' && to !== from) this.press(to);
  }

  /** Handle a letter key, or a key that ends a movement. */
  key(event: KeyboardEvent): void {
    const { queue, takeback, advisor, marking } = this.client;
    if (isWriting(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === document.body && [' ', 'Enter'].includes(event.key) && queue.hasten()) event.preventDefault();
    if (event.key === 'u') takeback.takeBack();
    if (event.key === 'h') advisor.ask();
    if (event.key === 'm' && marking.possible && !event.defaultPrevented) marking.target = '';
    if (event.key === 'c') this.client.sayClocks();
    if (event.key === 'b') this.client.lookBack();
    if (event.key === 'n') this.client.lookOn();
  }

  /** Say beside the board why a press did nothing. */
  private explain(id: string): void {
    const { match, connection, choosing } = this.client;
    const isOwn = (space: string): boolean => this.tokenAt.get(space)?.side === match.side;
    if (!match.myTurn) {
      if (isOwn(id)) choosing.refused = { code: 'not-your-turn', args: {} };
    } else if (choosing.ready && choosing.prefix.length > 0) connection.askWhy([...choosing.prefix, id]);
    else if (choosing.ready && choosing.choices.length > 0) {
      const starts = choosing.choices.some(({ path: [first = ''] }) => isOwn(first));
      if (isOwn(id) || !match.board?.spaces.some((space) => space.id === id) || !starts) connection.askWhy([id]);
      else choosing.refused = { code: 'choose-own', args: {} };
    }
  }
}
