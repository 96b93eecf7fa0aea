// The playback of a finished match, step by step, for any observer.

import type { Replay, ReplayStep, Scene } from '../protocol/messages';
import { applyPatch } from '../protocol/patch';
import { animate, STILL, type Movements, type Fallen, type Stage } from '../board/stage';

/** The observer without a side. */
const PUBLIC = 'public';
const EVERYTHING = 'everything';

/** Milliseconds for each position in automatic playback at speed 1. */
const BEAT_MS = 900;
export const SPEEDS = [0.5, 1, 2, 4] as const;
/** Maximum number of consecutive chance steps (for example a deal) that are shown one by one. */
const MOST_PLAYED = 3;

export class Playback {
  /** The present observer: a side or `PUBLIC`. */
  observer = $state('');
  /** Number of steps so far. */
  at = $state(0);
  stage = $state.raw<Stage>(STILL);
  /** Whether automatic playback runs. */
  playing = $state(false);
  speed = $state<number>(1);

  readonly sides: string[];
  readonly observers: string[];
  readonly last: number;
  /** First position after all deployments. */
  readonly deployed: number;

  readonly scene = $derived.by(() => this.sceneAt(this.at));
  /** The step that led to this position. */
  readonly step = $derived.by((): ReplayStep | undefined => this.replay.steps[this.at - 1]);
  /** Steps since the previous position; more than one if chance acted. */
  readonly steps = $derived.by(() => this.replay.steps.slice(this.stopBefore(), this.at));
  /** Positions after a battle. */
  private readonly battles = $derived.by(() =>
    this.replay.steps.flatMap(({ events }, index) =>
      events[this.observer]?.some(({ code }) => code in this.fallen) ? [this.stopFrom(index + 1)] : [],
    ),
  );
  readonly nextBattle = $derived.by(() => this.battles.find((index) => index > this.at));
  readonly lastBattle = $derived.by(() => this.battles.findLast((index) => index < this.at));
  /** Sides whose ranks the viewer always sees. */
  readonly own = $derived.by(() => (this.observer === EVERYTHING ? this.sides : [this.observer]));
  readonly turned = $derived.by(() => this.sides.indexOf(this.observer) > 0);

  /** Scenes by observer, filled on demand. */
  private readonly scenes = new Map<string, Scene[]>();
  /** Number of jumps; a new jump ends the movements of the previous one. */
  private era = 0;
  /** Target of the step under way. */
  private coming = 0;
  /** Number of starts of automatic playback. */
  private run = 0;

  constructor(
    private readonly replay: Replay,
    private readonly movements: Movements,
    private readonly pause: (ms: number) => Promise<void>,
    private readonly fallen: Fallen = {},
  ) {
    const { first, steps } = replay;
    this.sides = Object.keys(first).filter((observer) => observer !== PUBLIC && observer !== EVERYTHING);
    this.observers = [...this.sides, EVERYTHING, PUBLIC].filter((observer) => observer in first);
    this.last = steps.length;
    const start = steps.findIndex(({ patches }) => Object.values(patches).some(({ rest }) => rest?.started === true));
    this.deployed = start < 0 ? this.last : start + 1;
    this.at = this.deployed;
    this.observer = EVERYTHING in first ? EVERYTHING : (this.observers[0] ?? '');
  }

  go(index: number): void {
    this.playing = false;
    this.land(index);
  }

  /** Go to the previous position, but not between steps of chance. */
  back(): void {
    this.go(this.stopBefore());
  }

  /** Show the steps to the next position; movements that still run end at once. */
  forward(): Promise<void> {
    this.playing = false;
    return this.advance();
  }

  /** Start or stop automatic playback. */
  async play(): Promise<void> {
    this.playing = !this.playing;
    const mine = (this.run += 1);
    if (this.playing && this.at >= this.last) this.land(this.deployed < this.last ? this.deployed : 0);
    while (this.playing && mine === this.run && this.at < this.last) {
      await this.advance();
      if (this.at < this.last) await new Promise((done) => setTimeout(done, BEAT_MS / this.speed));
    }
    if (mine === this.run) this.playing = false;
  }

  private land(index: number): void {
    this.era += 1;
    this.stage = STILL;
    this.coming = 0;
    this.at = Math.min(this.last, Math.max(0, index));
  }

  private async advance(): Promise<void> {
    if (this.coming > 0) this.land(this.coming);
    if (this.at >= this.last) return;
    const mine = (this.era += 1);
    const end = (this.coming = this.stopFrom(this.at + 1));
    const show = (stage: Stage) => mine === this.era && (this.stage = stage);
    const wait = (ms: number) => this.pause(ms / (this.playing ? this.speed : 1));
    while (end - this.at <= MOST_PLAYED) {
      await animate(this.movements, this.replay.steps[this.at]?.events[this.observer] ?? [], this.scene, show, wait);
      if (mine !== this.era) return;
      if (this.at + 1 === end) break;
      this.stage = STILL;
      this.at += 1;
    }
    this.land(end);
  }

  /** Return the first position from `index` on at which chance does not act next. */
  private stopFrom(index: number): number {
    const { steps } = this.replay;
    while (index < this.last && steps[index]?.by === '') index += 1;
    return index;
  }

  private stopBefore(): number {
    const { steps } = this.replay;
    let index = this.at - 1;
    while (index > 0 && steps[index]?.by === '') index -= 1;
    return Math.max(0, index);
  }

  private sceneAt(index: number): Scene {
    const { observer, replay } = this;
    const row = this.scenes.get(observer) ?? [replay.first[observer] as Scene];
    this.scenes.set(observer, row);
    while (row.length <= index) {
      const patch = replay.steps[row.length - 1]?.patches[observer];
      row.push(applyPatch(row.at(-1) as Scene, patch ?? {}));
    }
    return row[index] as Scene;
  }
}
