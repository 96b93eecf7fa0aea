// One window's part in a match: the state, the controllers that change it, and the messages that go to each of them.

import type { Choice, Line, Scene, ToPage, Update, Welcome } from '../protocol/messages';
import { getReady, signal } from '../browser/signal';
import { spokenTime } from '../words/time';
import { Choosing } from './choosing/choosing.svelte';
import { Takeback } from './choosing/takeback.svelte';
import { SOUNDS_AT } from './clocks/alarm';
import { Clocks } from './clocks/clocks.svelte';
import { Advisor } from './help/advisor.svelte';
import { Guiding } from './help/guiding.svelte';
import { Marking } from './marking/marking.svelte';
import { Telling } from './news/telling.svelte';
import { MatchState } from './state.svelte';
import { Connection, type Listener, type Pass } from './updates/connection.svelte';
import { cueOf } from './updates/cues';
import { Questions } from './updates/questions';
import { UpdateQueue, type UpdateListener } from './updates/queue.svelte';
import { screenOf } from './updates/screen';
import { Turns } from './updates/turns.svelte';

export interface MatchOptions extends Pass {
  /** ID of the match. */
  id: string;
  /** Last step that another window has shown to this side; later steps are animated. Without a value, no past step is
   * animated.
   */
  seen?: number;
  /** Called when the server has let this window in. */
  joined?: (welcome: Welcome) => void;
  /** Called with a new invitation to a side. */
  invited?: (side: string, invitation: string) => void;
  /** Called when a rematch is ready. `live`: whether this window asked for it. */
  rematch?: (match: string, secret: string, live: boolean) => void;
}

export class MatchClient implements Listener, UpdateListener {
  readonly match: MatchState;
  readonly connection: Connection;
  readonly queue: UpdateQueue;
  readonly telling: Telling;
  readonly turns: Turns;
  readonly clocks: Clocks;
  readonly choosing: Choosing;
  readonly takeback: Takeback;
  readonly guiding: Guiding;
  readonly advisor: Advisor;
  readonly marking: Marking;
  readonly questions: Questions;

  /** Whether the player can choose now. */
  readonly ready = $derived.by(
    () =>
      !this.match.busy &&
      this.turns.again === null &&
      !this.connection.waiting &&
      this.connection.fatal === null &&
      this.connection.link !== 'elsewhere',
  );
  /** Path of the last choice while the server has not confirmed it; otherwise empty. */
  readonly unconfirmed = $derived.by(() => (this.connection.unconfirmed ? this.choosing.sent : []));

  constructor(private readonly options: MatchOptions) {
    const { id, secret, invitation, seen } = options;
    const match = new MatchState(id, secret);
    const screen = screenOf(match);
    this.match = match;
    this.telling = new Telling(match);
    this.clocks = new Clocks(match, (seconds) => this.warn(seconds));
    this.turns = new Turns(screen);
    this.queue = new UpdateQueue(match, this.turns, screen, this, seen);
    this.choosing = new Choosing(this);
    this.guiding = new Guiding(match, this.choosing);
    this.marking = new Marking(match);
    this.connection = new Connection(id, invitation ? { secret, invitation } : { secret }, this);
    this.takeback = new Takeback(match, this.connection, this.choosing);
    this.advisor = new Advisor(match, this.connection, this.choosing);
    this.questions = new Questions(this.connection, this.choosing);
  }

  /** Number of the last step on the screen; after a lost connection the server continues from this step. */
  get shown(): number {
    return this.match.shown;
  }

  /** Whether the seat is open in a window that the player has not confirmed. */
  get doubled(): boolean {
    return this.connection.link === 'elsewhere' || this.match.windows > this.match.ownWindows;
  }

  close(): void {
    this.queue.close();
    this.turns.leave();
    this.clocks.close();
    this.connection.close();
  }

  /** Send a choice. */
  act(actions: number[], choice?: Choice): void {
    this.guiding.follow(choice);
    this.match.turnedDown = false;
    this.connection.act(actions);
  }

  /** Show the previous turn once more. */
  lookBack(): void {
    if (!this.match.emphasis.byTurns || !this.turns.canGoBack) return;
    while (this.choosing.back());
    this.turns.back();
  }

  /** While an earlier turn is shown, go on to the next one. Otherwise skip to the player's own turn. */
  lookOn(): void {
    if (this.turns.again) this.turns.forward();
    else if (this.match.emphasis.byTurns) this.queue.skip();
  }

  /** Let the live region say the clocks. */
  sayClocks(): void {
    this.telling.sayTimes(
      this.clocks.shown.map(({ side, left, runs }) => ({
        code: runs ? 'clock.runs' : 'clock.said',
        args: { side, time: spokenTime(left) },
      })),
    );
  }

  /** Warn the player that few seconds are left. */
  private warn(seconds: number): void {
    const { side } = this.match;
    this.telling.sayTimes([{ code: 'clock.said', args: { side, time: spokenTime(seconds * 1000) } }]);
    if (SOUNDS_AT.includes(seconds)) void signal('time');
  }

  refuse(line: Line): void {
    this.choosing.refused = line;
    this.advisor.thinking = false;
  }

  hear(message: ToPage): void {
    switch (message.type) {
      case 'welcome':
        return this.welcome(message);
      case 'update':
        return this.queue.push(message);
      case 'presence':
        return this.match.know(message.match);
      case 'clocks':
        return this.clocks.take(message);
      case 'draw-offers':
        return this.match.takeOffers(message.sides);
      case 'ended':
        // If the match was over when this window joined, the time of the end is unknown.
        if (!this.match.ending) this.match.endedAt = Date.now();
        this.match.ending = message.ending;
        this.clocks.stop();
        this.match.know(message.match);
        return this.queue.uncover(message.patch ?? null);
      case 'windows':
        return this.match.countWindows(message.count);
      default:
        return this.hearAnswer(message);
    }
  }

  /** Handle an answer to this player, or news of invitations and rematches. */
  private hearAnswer(message: ToPage): void {
    switch (message.type) {
      case 'hints':
        return this.guiding.offer(message.hints);
      case 'advice':
        this.choosing.refused = null;
        return this.advisor.take(message);
      case 'suggestion':
        return this.questions.takeSuggestion(message.at, message.actions);
      case 'remarks':
        return this.questions.takeRemarks(message.lines);
      case 'invitation':
        this.options.invited?.(message.side, message.secret);
        this.match.invitations += 1;
        return;
      case 'rematch-offered':
        this.match.rematches = message.sides;
        return;
      case 'rematch-ready':
        return this.options.rematch?.(message.match, message.secret, this.connection.wantsRematch);
    }
  }

  private welcome(message: Welcome): void {
    const { match } = this;
    const { now } = message;
    match.board = message.board;
    match.side = message.side;
    match.offers = message.offers ?? [];
    match.ending = message.ending ?? null;
    match.windows = match.ownWindows = 1;
    this.advisor.take(null);
    match.know(message.match);
    this.choosing.offer(now.choices, now.draft);
    this.guiding.offer(now.hints ?? []);
    this.questions.repeat();
    this.telling.rewind(now.seq);
    this.turns.rewind(now.seq);
    this.options.joined?.(message);
    this.queue.start(now, message.latest);
    this.marking.follow(now.seq, now.scene.tokens);
    getReady();
  }

  /** Let the controllers follow an update that is now on the screen. `fresh`: whether nobody at this screen has seen it
   * before.
   */
  onApplied(update: Update, before: Scene, after: Scene, fresh: boolean): void {
    const { side, layout } = this.match;
    this.choosing.offer(update.choices, update.draft);
    this.guiding.offer(update.hints ?? []);
    this.choosing.refused = null;
    this.marking.follow(update.seq, after.tokens);
    this.advisor.take(null);
    this.connection.noteShown(update.draft || update.by === side);
    const events = this.telling.add(update, before, after);
    this.turns.add(update, before, after);
    if (!fresh) return;
    void signal(cueOf(update, before, after, side, layout?.fallen ?? {}));
    this.telling.tell(events, before, after);
  }

  onCaughtUp({ status }: Scene): void {
    this.telling.say([], status);
  }
}
