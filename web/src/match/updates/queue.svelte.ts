// The scene, and the updates that are still to be shown: one after the other, each with what moves in it.

import type { Now, Scene, ScenePatch, Update } from '../../protocol/messages';
import { applyPatch } from '../../protocol/patch';
import { MOVE_MS, STILL } from '../../board/stage';
import type { MatchState } from '../state.svelte';
import type { Screen } from './screen';
import type { Turns } from './turns.svelte';

export interface UpdateListener {
  /** An update is on the screen. `fresh`: nobody here has seen it before. */
  onApplied: (update: Update, before: Scene, after: Scene, fresh: boolean) => void;
  /** All that happened before this window joined is on the screen. */
  onCaughtUp: (scene: Scene) => void;
}

/** The part of a match's state that the queue reads and changes. */
export type Shown = Pick<MatchState, 'scene' | 'stage' | 'shown' | 'busy' | 'stands' | 'side' | 'emphasis'>;

/** With so many waiting, updates are shown faster, and with so many at once, without animation. */
const PATIENCE = 4;
const MOST_WAITING = 30;
const HURRY = 0.45;
/** So long the browser may be kept from drawing. */
const PICTURE_MS = 16;

export class UpdateQueue {
  /** All is shown at once, until this side is due. */
  private skips = false;
  /** An update's movements are being shown. */
  private plays = false;
  /** Their end is wanted at once. */
  private hastens = false;
  /** Ends the wait under way. */
  private wake = (): void => {};

  private waiting: Update[] = [];
  /** What was hidden in a match that has ended; shown after its last update. */
  private hidden: ScenePatch | null = null;
  /** The newest step when this window joined: what has happened before is not played. */
  private past = 0;
  private settled = false;
  private running = false;
  private closed = false;
  /** The newest act on the screen is one's own, or chance's after it. */
  private own = false;
  /** It ended a turn of another side. */
  private passed = false;
  /** Until when its result stands, as `Date.now()`. */
  private standsUntil = 0;
  /** Grows with every connection. */
  private era = 0;
  /** When the browser drew last, as `performance.now()`. */
  private drew = 0;

  /** `seen`: the last step that was already shown elsewhere; later ones are shown as if they happened now. */
  constructor(
    private readonly match: Shown,
    private readonly turns: Pick<Turns, 'over'>,
    private readonly screen: Screen,
    private readonly listener: UpdateListener,
    private readonly seen = Infinity,
  ) {}

  /** A connection begins: `now` replaces everything, and updates follow up to `latest` at least. */
  start(now: Now, latest: number): void {
    this.era += 1;
    this.waiting = [];
    this.hidden = null;
    this.settled = this.match.scene !== null;
    this.match.stage = STILL;
    this.match.stands = false;
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

  /** The match has ended: what was hidden is shown once all updates are. */
  uncover(hidden: ScenePatch | null): void {
    this.hidden = hidden;
    if (this.settled) void this.pump();
  }

  close(): void {
    this.closed = true;
    this.waiting = [];
    this.wake();
  }

  /** What others do is shown at once, until this side is to decide. */
  skip(): void {
    this.skips = true;
    this.wake();
  }

  /** What moves just now is shown to its end at once; its result stands as long as ever. Whether anything moved. */
  hasten(): boolean {
    if (!this.plays) return false;
    this.hastens = true;
    this.wake();
    return true;
  }

  /** When all that happened before has come, it is shown at once, but for what this side has not been shown yet. */
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
      const left = this.standing();
      this.match.stands = left > 0 && this.passed;
      if (left > 0) await this.until(this.screen.rest(left));
      const looking = this.turns.over;
      if (looking) await looking;
      this.match.stands = false;
      const update = this.closed ? undefined : this.waiting.shift();
      if (!update) break;
      await this.show(update);
      if (this.own || this.passed) this.standsUntil = Date.now() + this.screen.standing();
    }
    this.running = false;
    this.match.busy = false;
    // While chance has the next word, what comes of it is on its way.
    if (this.skips || this.match.scene?.to_act.length !== 0) this.match.stands = false;
    // Who is not to decide any more has skipped what there was.
    const side = this.match.side;
    if (side === '' || this.match.scene?.out.includes(side)) this.skips = false;
    if (!this.hidden || !this.match.scene) return;
    this.match.scene = applyPatch(this.match.scene, this.hidden);
    this.hidden = null;
  }

  /** The layout's games tell events by turns: the result of another side's turn stands for a moment. */
  private get tellsTurns(): boolean {
    return this.match.emphasis.byTurns ?? false;
  }

  /** For how long what was shown last still has to stand before the next update is shown. */
  private standing(): number {
    const { by = '' } = this.waiting[0] ?? {};
    if (this.skips || by === this.match.side || this.waiting.length >= MOST_WAITING) return 0;
    return this.passed || (this.own && by !== '') ? this.standsUntil - Date.now() : 0;
  }

  /** Waits, until it is skipped at the latest. */
  private until(waited: Promise<void>): Promise<void> {
    return Promise.race([waited, new Promise<void>((done) => (this.wake = done))]);
  }

  private async show(update: Update): Promise<void> {
    const { era } = this;
    const { scene } = this.match;
    const { pause, play } = this.screen;
    // What chance adds is shown quickly and does not count.
    const many = this.waiting.filter(({ by }) => by !== '').length;
    if (this.skips || many >= MOST_WAITING || !scene || update.draft) return this.take(update);
    // Who has turns told has time, and can skip.
    const hurries = many >= PATIENCE && !(this.tellsTurns && this.screen.standing() > 0);
    const wait = (ms: number) =>
      this.skips || this.hastens ? Promise.resolve() : this.until(pause(ms * (hurries ? HURRY : 1)));
    [this.plays, this.hastens] = [true, false];
    await play(update.events, scene, (stage) => (this.match.stage = stage), wait);
    this.plays = false;
    // A new connection has replaced the scene meanwhile: this update comes again.
    if (this.closed || era !== this.era) return;
    const tell = this.apply(update);
    // The board, what is said of it, and what can be done next: each is work enough for one picture of a slow phone.
    await this.drawn();
    if (this.closed || era !== this.era) return;
    tell();
    await this.drawn();
    if (scene.tokens !== this.match.scene?.tokens) await wait(MOVE_MS);
  }

  /** What comes in great number is not drawn one by one, nor for who has seen enough. */
  private async drawn(): Promise<void> {
    const many = this.waiting.length >= PATIENCE && performance.now() - this.drew < PICTURE_MS;
    if (this.hastens || many) return;
    await this.screen.drawn();
    this.drew = performance.now();
  }

  private take(update: Update): void {
    this.apply(update)();
  }

  /** Shows the scene after an update: how to tell what came with it. */
  private apply(update: Update): () => void {
    const before = this.match.scene;
    if (!before) return () => {};
    const after = applyPatch(before, update.patch);
    this.match.scene = after;
    this.match.stage = STILL;
    return () => {
      this.match.shown = update.seq;
      if (after.to_act.includes(this.match.side)) this.skips = false;
      this.listener.onApplied(update, before, after, this.settled);
      if (update.by !== '') this.own = update.by === this.match.side;
      this.passed = before.turn !== after.turn && !this.own && this.tellsTurns;
      this.match.stands = this.passed && this.running;
    };
  }
}
