// The queue of updates: it shows one after the other, each with its movements.

import type { Event, Now, Scene, ScenePatch, Update } from '../../protocol/messages';
import { applyPatch } from '../../protocol/patch';
import { MOVE_MS, STILL, stillSaying, type Stage } from '../../board/stage';
import type { MatchState } from '../state.svelte';
import { READ_MS, type Screen } from './screen';
import type { Turns } from './turns.svelte';

export interface UpdateListener {
  /** Called when an update is on the screen. `fresh`: whether nobody at this screen has seen it before. */
  onApplied: (update: Update, before: Scene, after: Scene, fresh: boolean) => void;
  /** Called when all steps from before this window joined are on the screen. */
  onCaughtUp: (scene: Scene) => void;
}

/** The part of a match's state that the queue reads and changes. */
export type Shown = Pick<MatchState, 'scene' | 'stage' | 'shown' | 'busy' | 'lingers' | 'side' | 'emphasis'>;

/** Numbers of waiting updates above which they are shown faster, or without animation. */
const MANY_WAITING = 4;
const MOST_WAITING = 30;
const HURRY = 0.45;
/** Maximum time without a drawn frame, in milliseconds. */
const FRAME_MS = 16;

export class UpdateQueue {
  /** Whether everything is shown at once until this side has to decide. */
  private skips = false;
  /** Whether the movements of an update run now. */
  private plays = false;
  /** Whether to show the end of those movements at once. */
  private hastens = false;
  /** End the present wait. */
  private wake = (): void => {};

  private waiting: Update[] = [];
  /** Hidden pieces of a match that is over; shown after its last update. */
  private hidden: ScenePatch | null = null;
  /** Newest step when this window joined. Steps up to this one are not animated. */
  private past = 0;
  private settled = false;
  private running = false;
  private closed = false;
  /** Whether the newest act on the screen is the player's own, or an act of chance after it. */
  private own = false;
  /** Whether the newest act ended a turn of another side. */
  private passed = false;
  /** Time until which the result of that turn is shown for reading, as `Date.now()`. */
  private pauseUntil = 0;
  /** Time until which the words of another side's act are shown for reading, as `Date.now()`. */
  private readUntil = 0;
  /** Number of the connection. */
  private era = 0;
  /** Time of the browser's last drawing, as `performance.now()`. */
  private drew = 0;

  /** `seen`: last step that another window has shown. Later steps are animated. */
  constructor(
    private readonly match: Shown,
    private readonly turns: Pick<Turns, 'over'>,
    private readonly screen: Screen,
    private readonly listener: UpdateListener,
    private readonly seen = Infinity,
  ) {}

  /** Begin with a new connection: `now` replaces everything, and the updates at least up to `latest` follow. */
  start(now: Now, latest: number): void {
    this.era += 1;
    this.waiting = [];
    this.hidden = null;
    this.settled = this.match.scene !== null;
    this.match.stage = STILL;
    this.match.lingers = false;
    this.match.scene = now.scene;
    this.match.shown = now.seq;
    this.past = latest;
    if (this.settled) this.match.busy = false;
    else this.settle();
  }

  push(update: Update): void {
    this.waiting.push(update);
    if (this.settled) void this.pump();
    else this.settle();
  }

  /** Show the hidden pieces of a match that is over after all updates. */
  uncover(hidden: ScenePatch | null): void {
    this.hidden = hidden;
    if (this.settled) void this.pump();
  }

  close(): void {
    this.closed = true;
    this.waiting = [];
    this.wake();
  }

  /** Show the acts of other sides at once, until this side has to decide. */
  skip(): void {
    this.skips = true;
    this.wake();
  }

  /** Show the end of the present movement at once. Its result is shown as long as usual. Return whether anything moved.
   */
  hasten(): boolean {
    if (!this.plays) return false;
    this.hastens = true;
    this.wake();
    return true;
  }

  /** When all past steps have come, show them at once, except steps that this side has not seen. */
  private settle(): void {
    if (!this.match.scene || (this.waiting.at(-1)?.seq ?? this.match.shown) < this.past) return;
    while (this.waiting[0] && this.waiting[0].seq <= this.seen) this.take(this.waiting.shift() as Update);
    this.settled = true;
    if (this.waiting.length === 0) this.listener.onCaughtUp(this.match.scene);
    void this.pump();
  }

  private async pump(): Promise<void> {
    if (this.running) return;
    this.running = true;
    while (this.waiting.length > 0 && !this.closed) {
      this.match.busy = true;
      const left = this.pauseLeft();
      this.match.lingers = left > 0 && this.passed;
      if (left > 0) await this.until(this.screen.rest(left));
      this.readUntil = 0;
      const looking = this.turns.over;
      if (looking) await looking;
      this.match.lingers = false;
      const update = this.closed ? undefined : this.waiting.shift();
      if (!update) break;
      await this.show(update);
      if (this.own || this.passed) this.pauseUntil = Date.now() + this.screen.answerPause();
    }
    this.running = false;
    this.match.busy = false;
    // If only chance can act now, the result of its act will come soon, so the last result stays.
    if (this.skips || this.match.scene?.to_act.length !== 0) this.match.lingers = false;
    // Skipping ends here for a side that has no more decisions.
    const side = this.match.side;
    if (side === '' || this.match.scene?.out.includes(side)) this.skips = false;
    if (!this.hidden || !this.match.scene) return;
    this.match.scene = applyPatch(this.match.scene, this.hidden);
    this.hidden = null;
  }

  /** Whether the layout tells events by turns. Then the result of another side's turn stays on the screen for a moment.
   */
  private get tellsTurns(): boolean {
    return this.match.emphasis.byTurns ?? false;
  }

  /** Return the remaining time for reading, in milliseconds. */
  private pauseLeft(): number {
    const { by = '' } = this.waiting[0] ?? {};
    if (this.skips || by === this.match.side || this.waiting.length >= MOST_WAITING) return 0;
    const answers = this.passed || (this.own && by !== '');
    return Math.max(answers ? this.pauseUntil : 0, this.hurries ? 0 : this.readUntil) - Date.now();
  }

  /** Number of waiting updates. Acts of chance are shown quickly, so they do not count. */
  private get late(): number {
    return this.waiting.filter(({ by }) => by !== '').length;
  }

  /** Whether to show updates faster. In games told by turns, nothing is faster, because the player can skip. */
  private get hurries(): boolean {
    return this.late >= MANY_WAITING && !(this.tellsTurns && this.screen.answerPause() > 0);
  }

  /** Wait, unless `wake` ends the wait earlier. */
  private until(waited: Promise<void>): Promise<void> {
    return Promise.race([waited, new Promise<void>((done) => (this.wake = done))]);
  }

  private async show(update: Update): Promise<void> {
    const { era } = this;
    const { scene } = this.match;
    const { pause, play } = this.screen;
    if (this.skips || this.late >= MOST_WAITING || !scene || update.draft) return this.take(update);
    const { hurries } = this;
    const wait = (ms: number) =>
      this.skips || this.hastens ? Promise.resolve() : this.until(pause(ms * (hurries ? HURRY : 1)));
    [this.plays, this.hastens] = [true, false];
    let since = 0;
    const show = (stage: Stage): void => {
      if (stage.said !== this.match.stage.said) since = Date.now();
      this.match.stage = stage;
    };
    await play(update.events, scene, show, wait);
    this.plays = false;
    // A new connection has replaced the scene, so the server sends this update again.
    if (this.closed || era !== this.era) return;
    const { said } = this.match.stage;
    const tell = this.apply(update);
    // Draw board, words and new choices in separate frames, because each takes a slow phone a whole frame.
    await this.drawn();
    if (this.closed || era !== this.era) return;
    tell();
    const result = said && this.match.emphasis.lasting.includes(said.code) ? said : undefined;
    this.noteWords(update, scene, result, result ? since : Date.now());
    // In games told by turns, words on the whole turn follow, so the result itself stays first.
    const stays = this.tellsTurns && this.readUntil > Date.now() ? result : undefined;
    if (stays) this.match.stage = stillSaying(stays);
    await this.drawn();
    // A player who has to decide can choose as soon as the status says so. Only a further update waits for the
    // movement.
    if (this.waiting.length === 0 && this.match.scene?.to_act.includes(this.match.side)) this.match.busy = false;
    if (scene.tokens !== this.match.scene?.tokens) await wait(MOVE_MS);
    if (!stays) return;
    if (!this.skips) await this.until(this.screen.rest(this.readUntil - Date.now()));
    this.match.stage = STILL;
  }

  /** Note how long the words of another side's act have to stay. `result`: its battle, on the screen since `since`. */
  private noteWords({ by = '', events }: Update, before: Scene, result: Event | undefined, since: number): void {
    const pause = this.screen.answerPause();
    if (by === '' || by === this.match.side || pause === 0) return;
    const small = events.every(({ code }) => this.match.emphasis.small.includes(code));
    const goesOn = this.tellsTurns && before.turn === this.match.scene?.turn;
    if (result || (goesOn && !small)) this.readUntil = since + Math.max(READ_MS, pause);
  }

  /** Wait until the browser has drawn, unless many updates wait or the player called `hasten`. */
  private async drawn(): Promise<void> {
    const many = this.waiting.length >= MANY_WAITING && performance.now() - this.drew < FRAME_MS;
    if (this.hastens || many) return;
    await this.screen.drawn();
    this.drew = performance.now();
  }

  private take(update: Update): void {
    this.apply(update)();
  }

  /** Show the scene after an update. Return a function that reports the update. */
  private apply(update: Update): () => void {
    const before = this.match.scene;
    if (!before) return () => {};
    const after = applyPatch(before, update.patch);
    this.match.scene = after;
    // Until its words are told, the line on the last battle stays, or older words would appear for a moment.
    this.match.stage = stillSaying(this.match.stage.said);
    return () => {
      this.match.stage = STILL;
      this.match.shown = update.seq;
      if (after.to_act.includes(this.match.side)) this.skips = false;
      this.listener.onApplied(update, before, after, this.settled);
      if (update.by !== '') this.own = update.by === this.match.side;
      this.passed = before.turn !== after.turn && !this.own && this.tellsTurns;
      this.match.lingers = this.passed && this.running;
    };
  }
}
