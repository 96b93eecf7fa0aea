// Going through a match that is over, step by step, through anyone's eyes.

import type { Replay, ReplayStep, Scene } from './messages';
import { applyPatch } from './patch';
import { perform, STILL, type Acts, type Stage } from './stage';

/** Eyes that are no side's. */
const PUBLIC = 'public';
const EVERYTHING = 'everything';

export class Playback {
  /** Through whose eyes. */
  eye = $state('');
  /** How many steps have been made. */
  at = $state(0);
  stage = $state.raw<Stage>(STILL);

  readonly sides: string[];
  readonly eyes: string[];
  readonly last: number;
  /** The first position in which all deployments stand. */
  readonly deployed: number;

  readonly scene = $derived.by(() => this.sceneAt(this.at));
  /** The step that led here. */
  readonly step = $derived.by((): ReplayStep | undefined => this.replay.steps[this.at - 1]);
  /** Sides whose ranks are seen anyway. */
  readonly own = $derived.by(() => (this.eye === EVERYTHING ? this.sides : [this.eye]));
  readonly turned = $derived.by(() => this.sides.indexOf(this.eye) > 0);

  /** Scenes of each pair of eyes, filled as far as they were needed. */
  private readonly scenes = new Map<string, Scene[]>();
  /** Grows with each jump: what is being played is over then. */
  private era = 0;
  /** The position that a step under way leads to. */
  private coming = 0;

  constructor(
    private readonly replay: Replay,
    private readonly acts: Acts,
    private readonly pause: (ms: number) => Promise<void>,
  ) {
    const { first, steps } = replay;
    this.sides = Object.keys(first).filter((eye) => eye !== PUBLIC && eye !== EVERYTHING);
    this.eyes = [...this.sides, EVERYTHING, PUBLIC].filter((eye) => eye in first);
    this.last = steps.length;
    const start = steps.findIndex(({ patches }) => Object.values(patches).some(({ rest }) => rest?.started === true));
    this.deployed = start < 0 ? this.last : start + 1;
    this.at = this.deployed;
    this.eye = EVERYTHING in first ? EVERYTHING : (this.eyes[0] ?? '');
  }

  go(index: number): void {
    this.era += 1;
    this.stage = STILL;
    this.coming = 0;
    this.at = Math.min(this.last, Math.max(0, index));
  }

  /** One step forward is played, and one still under way ended at once; everything else is a jump. */
  async forward(): Promise<void> {
    if (this.coming > 0) this.go(this.coming);
    if (this.at >= this.last) return;
    const mine = (this.era += 1);
    this.coming = this.at + 1;
    const show = (stage: Stage) => mine === this.era && (this.stage = stage);
    await perform(this.acts, this.replay.steps[this.at]?.events[this.eye] ?? [], this.scene, show, this.pause);
    if (mine === this.era) this.go(this.coming);
  }

  private sceneAt(index: number): Scene {
    const { eye, replay } = this;
    const row = this.scenes.get(eye) ?? [replay.first[eye] as Scene];
    this.scenes.set(eye, row);
    while (row.length <= index) {
      const patch = replay.steps[row.length - 1]?.patches[eye];
      row.push(applyPatch(row.at(-1) as Scene, patch ?? {}));
    }
    return row[index] as Scene;
  }
}
