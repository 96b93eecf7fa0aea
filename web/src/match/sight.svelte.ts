// One seat's (or a spectator's) sight of one match. The connection hears, the queue shows, the telling says and the
// choosing answers; here they are put together, beside what is known of the match as a whole.

import type { Advice, Board, Ending, Line, MatchInfo, Scene, ToPage, Update, Welcome } from '../protocol/messages';
import { layoutOf } from '../layouts';
import { PLAIN } from '../board/emphasis';
import { drawn, pause, rest, standing } from '../board/motion';
import { marksAt, Pencil } from '../board/pieces/pencil.svelte';
import { settings } from '../browser/settings.svelte';
import { getReady, signal } from '../browser/signal';
import { perform } from '../board/stage';
import { Choosing } from './choosing/choosing.svelte';
import { cueOf } from './updates/cues';
import { Connection, type Pass } from './updates/connection.svelte';
import { Guiding } from './help/guiding.svelte';
import { UpdateQueue } from './updates/queue.svelte';
import { Telling } from './news/telling.svelte';
import { Turns } from './updates/turns.svelte';

export interface MatchOptions extends Pass {
  id: string;
  /** The last step already shown to this side elsewhere: later ones are played. Without it, none of the past is. */
  seen?: number;
  joined?: (welcome: Welcome) => void;
  /** There is a new invitation to a side. */
  invited?: (side: string, invitation: string) => void;
  /** A rematch stands ready; `live`: this window asked for it. */
  rematch?: (match: string, secret: string, live: boolean) => void;
}

export class MatchSight {
  info = $state.raw<MatchInfo | null>(null);
  /** When `info` came, for counting down. */
  infoAt = $state(0);
  board = $state.raw<Board | null>(null);
  /** The own side; empty for a spectator. */
  side = $state('');
  /** The sides that offer a draw, and those that ask for a rematch. */
  offers = $state.raw<string[]>([]);
  /** An own draw offer was not accepted; until the next own decision. */
  turnedDown = $state(false);
  rematches = $state.raw<string[]>([]);
  ending = $state.raw<Ending | null>(null);
  /** What the computer would do in the present position, once it was asked. */
  hint = $state.raw<Advice | null>(null);
  /** It thinks about that. */
  hinting = $state(false);
  /** The hidden piece that is to get a pencil mark; empty until it was chosen, null: none is. */
  marking = $state<string | null>(null);
  /** When it ended, if that was seen here; else 0. */
  endedAt = $state(0);
  /** In how many windows the own seat is open, and of how many of them this person has said that they are his. */
  windows = $state(1);
  ownWindows = $state(1);
  /** Grows with every new invitation that this window has heard of. */
  invitations = $state(0);

  /** Undefined: this page cannot draw the board. */
  readonly layout = $derived.by(() => (this.board ? layoutOf(this.board.layout) : undefined));
  readonly emphasis = $derived.by(() => this.layout?.emphasis ?? PLAIN);

  /** The way of the last choice that was sent. */
  private sent = $state.raw<readonly string[]>([]);
  /** The way of a choice that the server has not confirmed yet. */
  readonly unconfirmed = $derived.by(() => (this.connection.unconfirmed ? this.sent : []));

  private readonly pencil = $derived.by(() =>
    this.side === '' || settings.pencil === 'off' ? null : new Pencil(this.options.id, this.side),
  );
  /** One's own marks on hidden pieces of others, by token. */
  readonly pencilled = $derived.by(() =>
    marksAt(this.pencil?.notes ?? [], this.queue.shown, this.scene?.tokens ?? [], this.side),
  );

  /** The own seat's; empty for a spectator. */
  readonly secret: string;
  readonly connection: Connection;
  readonly queue: UpdateQueue;
  readonly telling = new Telling(
    () => this.emphasis,
    () => this.side,
  );
  readonly turns = new Turns((...played) => perform(this.layout?.acts ?? {}, ...played), pause);
  readonly choosing: Choosing;
  readonly guiding: Guiding;

  /** Something may be chosen. */
  readonly ready = $derived.by(
    () =>
      !this.queue.busy &&
      this.turns.again === null &&
      !this.connection.waiting &&
      this.connection.fatal === null &&
      this.connection.link !== 'elsewhere',
  );
  readonly myTurn = $derived.by(() => this.side !== '' && (this.scene?.to_act.includes(this.side) ?? false));

  /** Take the answer to the last question for an arrangement, and about one. */
  private suggested: (at: Record<string, string>, actions: number[]) => void = () => {};
  /** What that question was about, until it is answered: a new connection is asked again. */
  private asked: Record<string, string> | null = null;
  private remarked: (lines: readonly Line[]) => void = () => {};

  /** Only computers play against this side: it may ask for hints and take back when it decides. */
  readonly helped = $derived.by(() => this.side !== '' && (this.info?.alone ?? false));
  /** The computer may be asked what it would do; where it has no hint to give, it says what helps there. */
  readonly hintable = $derived.by(() => this.helped && this.myTurn && this.ready && !this.ending);
  /** There is an own decision that may be taken back. */
  readonly returnable = $derived.by(() => this.side !== '' && (this.info?.returnable ?? false) && !this.ending);
  /** And it is the newest: what is still open goes first, by a button of its own. */
  readonly returnsNext = $derived.by(() => this.returnable && !this.choosing.draft);

  constructor(private readonly options: MatchOptions) {
    this.choosing = new Choosing(
      () => this.ready,
      (actions) => this.act(actions),
    );
    this.guiding = new Guiding(
      () => this.scene,
      () => this.info?.family ?? '',
      () => this.choosing.path,
      () => this.ready && this.ending === null,
    );
    this.queue = new UpdateQueue(
      {
        play: (...played) => perform(this.layout?.acts ?? {}, ...played),
        pause,
        side: () => this.side,
        standing,
        rest,
        drawn,
        tellsTurns: () => this.emphasis.byTurns ?? false,
        looking: () => this.turns.over,
        onApplied: (...applied) => this.follow(...applied),
        onCaughtUp: ({ status }) => this.telling.say([], status),
      },
      options.seen,
    );
    const { secret, invitation } = options;
    this.secret = secret;
    this.connection = new Connection(options.id, invitation ? { secret, invitation } : { secret }, {
      shown: () => this.queue.shown,
      hear: (message) => this.hear(message),
      refuse: (line) => {
        this.choosing.refused = line;
        this.hinting = false;
      },
    });
  }

  /** The seat is open elsewhere, which its player must notice. */
  get doubled(): boolean {
    return this.connection.link === 'elsewhere' || this.windows > this.ownWindows;
  }

  get id(): string {
    return this.options.id;
  }

  get scene(): Scene | null {
    return this.queue.scene;
  }

  close(): void {
    this.queue.close();
    this.turns.leave();
    this.connection.close();
  }

  /** An arrangement as people place, around what is placed already; null where there is no line. */
  suggest(at: Record<string, string>): Promise<ReadonlyMap<string, string> | null> {
    return new Promise((done) => {
      this.suggested = (found) => done(new Map(Object.entries(found).filter(([, face]) => face !== '')));
      this.asked = this.connection.askSuggestion(at) ? at : null;
      if (!this.asked) done(null);
    });
  }

  /** Chooses once, as people do, where nothing is to be placed before play. */
  chooseAsPeople(): void {
    this.suggested = (_at, actions) => {
      if (this.ready && actions.length > 0) this.choosing.act(actions);
    };
    this.connection.askSuggestion({});
  }

  /** What is unusual in an arrangement that is whole; nothing where there is no line. */
  remark(actions: number[]): Promise<readonly Line[]> {
    return new Promise((done) => {
      this.remarked = done;
      if (!this.connection.askRemarks(actions)) done([]);
    });
  }

  private act(actions: number[]): void {
    const [first] = actions;
    const choice = this.choosing.choices.find(({ id }) => id === first);
    this.sent = choice?.path ?? [];
    this.guiding.follow(choice);
    this.turnedDown = false;
    this.connection.act(actions);
  }

  /** Hidden pieces of others can be marked. */
  get marks(): boolean {
    return this.pencil !== null && !this.ending && (this.scene?.started ?? false);
  }

  /** They can be as soon as play begins. */
  get willMark(): boolean {
    return this.pencil !== null && this.scene !== null && !this.scene.started && !this.ending;
  }

  /** A mark is to be put on the piece on a space. Whether one can be. */
  markAt(space: string): boolean {
    const token = this.scene?.tokens.find(({ place }) => place === space);
    if (!this.marks || !token || token.side === this.side || token.face) return false;
    this.marking = token.id;
    return true;
  }

  mark(token: string, mark: string): void {
    this.pencil?.write(this.queue.shown, token, mark);
  }

  /** Takes back what was chosen last: what of it is still open, or else the last decision. Whether there was one. */
  goBack(): boolean {
    if (this.choosing.draft) return this.connection.takeBack();
    if (!this.returnable || this.connection.waiting) return false;
    return this.connection.goBack((this.info?.took_back ?? 0) + 1);
  }

  /** Looks at the turn before again. */
  lookBack(): void {
    if (!this.emphasis.byTurns || !this.turns.canGoBack) return;
    while (this.choosing.back());
    this.turns.back();
  }

  /** On from a turn that is looked at again; else to the own turn, without waiting for what the others do. */
  lookOn(): void {
    if (this.turns.again) this.turns.forward();
    else if (this.emphasis.byTurns) this.queue.skip();
  }

  /** What moves just now is shown to its end at once. Whether anything did. */
  hasten(): boolean {
    return this.queue.hasten();
  }

  askHint(): void {
    if (this.hintable && !this.hinting) this.hinting = this.connection.askHint();
  }

  private hear(message: ToPage): void {
    switch (message.type) {
      case 'welcome':
        return this.welcome(message);
      case 'update':
        return this.queue.push(message);
      case 'presence':
        return this.know(message.match);
      case 'draw-offers':
        return this.hearOffers(message.sides);
      case 'advice':
        this.choosing.refused = null;
        return this.advise(message);
      case 'ended':
        // Of a match that was over when this window joined, it is not known.
        if (!this.ending) this.endedAt = Date.now();
        this.ending = message.ending;
        this.know(message.match);
        return this.queue.uncover(message.patch ?? null);
      case 'rematch-offered':
        this.rematches = message.sides;
        return;
      case 'suggestion':
        this.asked = null;
        return this.suggested(message.at, message.actions);
      case 'remarks':
        return this.remarked(message.lines);
      case 'windows':
        this.windows = message.count;
        this.ownWindows = Math.min(this.ownWindows, message.count);
        return;
      case 'invitation':
        this.options.invited?.(message.side, message.secret);
        this.invitations += 1;
        return;
      case 'rematch-ready':
        return this.options.rematch?.(message.match, message.secret, this.connection.wantsRematch);
    }
  }

  /** Where nobody agreed, the own offer is gone and the match goes on. */
  private hearOffers(sides: string[]): void {
    this.turnedDown = this.offers.includes(this.side) && !sides.includes(this.side);
    this.offers = sides;
  }

  private advise(hint: Advice | null): void {
    this.hint = hint;
    this.hinting = false;
  }

  private know(info: MatchInfo): void {
    this.info = info;
    this.infoAt = Date.now();
  }

  private welcome(message: Welcome): void {
    const { now } = message;
    this.board = message.board;
    this.side = message.side;
    this.offers = message.offers ?? [];
    this.ending = message.ending ?? null;
    this.windows = this.ownWindows = 1;
    this.advise(null);
    this.know(message.match);
    this.choosing.offer(now.choices, now.draft);
    if (this.asked) this.connection.askSuggestion(this.asked);
    this.telling.rewind(now.seq);
    this.turns.rewind(now.seq);
    this.options.joined?.(message);
    this.queue.start(now, message.latest);
    this.pencil?.follow(now.seq, now.scene.tokens);
    void getReady();
  }

  private follow(update: Update, before: Scene, after: Scene, fresh: boolean): void {
    this.choosing.offer(update.choices, update.draft);
    this.choosing.refused = null;
    this.pencil?.follow(update.seq, after.tokens);
    this.advise(null);
    this.connection.noteShown(update.draft || update.by === this.side);
    const events = this.telling.add(update, before);
    this.turns.add(update, before, after);
    if (!fresh) return;
    void signal(cueOf(update, before, after, this.side, this.layout?.fallen ?? {}));
    this.telling.tell(events, before, after);
  }
}
