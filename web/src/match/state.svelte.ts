// The state of one match, as a seat or a spectator knows it. Controllers change it; components draw it.

import type { Board, Ending, MatchInfo, Scene } from '../protocol/messages';
import { layoutOf } from '../layouts';
import { PLAIN } from '../board/emphasis';
import { STILL, type Stage } from '../board/stage';
import { noteTitle } from '../words/own.svelte';

export class MatchState {
  /** Facts that all observers share: variant, seats, clocks. Null until the server has sent them. */
  info = $state.raw<MatchInfo | null>(null);
  /** Arrival time of `info`, as `Date.now()`; its countdowns start there. */
  infoAt = $state(0);
  /** Spaces of the board; null until the server has sent them. */
  board = $state.raw<Board | null>(null);
  /** Side of this seat; empty for a spectator. */
  side = $state('');

  /** Position on the screen; null until the first one has come. */
  scene = $state.raw<Scene | null>(null);
  /** Movements on the board at this moment. */
  stage = $state.raw<Stage>(STILL);
  /** Number of the last step on the screen. */
  shown = $state(0);
  /** Whether the page still shows updates one after the other. */
  busy = $state(true);
  /** Whether the result of another side's turn still stays on the screen for a moment. */
  lingers = $state(false);

  /** Sides with an open draw offer. */
  offers = $state.raw<string[]>([]);
  /** Whether the others refused this seat's draw offer; false again after this seat's next decision. */
  turnedDown = $state(false);
  /** Result; null while the match goes on. */
  ending = $state.raw<Ending | null>(null);
  /** Time of the end, as `Date.now()`; 0 if this window did not see it. */
  endedAt = $state(0);
  /** Sides that want a rematch. */
  rematches = $state.raw<string[]>([]);

  /** Number of windows in which this seat is open. */
  windows = $state(1);
  /** Number of those windows that the player has confirmed as their own. */
  ownWindows = $state(1);
  /** Number of new invitations that this window has received. */
  invitations = $state(0);

  /** Layout of the board; undefined if the page has no layout for the board. */
  readonly layout = $derived.by(() => (this.board ? layoutOf(this.board.layout) : undefined));
  /** Rules of the layout for telling events. */
  readonly emphasis = $derived.by(() => this.layout?.emphasis ?? PLAIN);
  /** Whether this seat has to decide. */
  readonly myTurn = $derived.by(() => this.side !== '' && (this.scene?.to_act.includes(this.side) ?? false));
  /** Names of the persons by side; empty for persons without a name and for computer players. */
  readonly players = $derived.by((): Record<string, string> =>
    Object.fromEntries(this.info?.seats.map(({ side, kind, name }) => [side, kind === 'person' ? name : '']) ?? []),
  );
  /** Names of the other persons, where known. */
  readonly opponents = $derived.by(() =>
    (this.info?.seats ?? []).flatMap(({ side, kind, name, account }) =>
      side !== this.side && kind === 'person' ? name || account || [] : [],
    ),
  );
  /** Whether all opponents are computer players, so that this seat may ask for hints. */
  readonly helped = $derived.by(() => this.side !== '' && (this.info?.alone ?? false) && !this.info?.rated);

  /** `secret`: opens the seat; empty for a spectator. */
  constructor(
    readonly id: string,
    readonly secret: string,
  ) {}

  /** Take in new facts of the match. */
  know(info: MatchInfo): void {
    noteTitle(info.variant, info.title);
    this.info = info;
    this.infoAt = Date.now();
  }

  /** Store the open draw offers. If this seat's own offer is gone, the others refused it. */
  takeOffers(sides: string[]): void {
    this.turnedDown = this.offers.includes(this.side) && !sides.includes(this.side);
    this.offers = sides;
  }

  /** Take in the number of windows of this seat. */
  countWindows(count: number): void {
    this.windows = count;
    this.ownWindows = Math.min(this.ownWindows, count);
  }
}
