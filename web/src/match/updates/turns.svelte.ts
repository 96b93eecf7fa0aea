// The turns that were shown: what belongs to one turn, and going back to look at it again.

import type { Event, Scene, Update } from '../../protocol/messages';
import { STILL, type Stage } from '../../board/stage';
import type { Screen } from './screen';

interface Step {
  seq: number;
  events: Event[];
  before: Scene;
  after: Scene;
}

/** What a side did while it had the turn, with what chance did for it. */
export interface Turn {
  side: string;
  /** Its number, from 1; 0 before play. */
  number: number;
  steps: readonly Step[];
}

/** So many turns are kept to be looked at again. */
const MOST = 12;

/** The number of the turn in which what comes upon a scene happens. */
export const turnOf = ({ started, turn }: Scene): number => (started ? turn + 1 : 0);

/** All that a turn has brought so far. */
export const eventsOf = ({ steps }: Turn): Event[] => steps.flatMap(({ events }) => events);

export class Turns {
  /** Oldest first. */
  shown = $state.raw<readonly Turn[]>([]);
  /** The turn that is looked at again; null: the match as it stands. */
  again = $state.raw<Turn | null>(null);
  /** The match as it stood then. */
  scene = $state.raw<Scene | null>(null);
  stage = $state.raw<Stage>(STILL);

  /** Kept when nobody looks back any more; null where nobody does. */
  over: Promise<void> | null = null;
  private end = (): void => {};
  /** Grows with each turn that is gone to: what is being played is over then. */
  private era = 0;

  constructor(private readonly screen: Pick<Screen, 'play' | 'pause'>) {}

  /** Takes in an update that has been shown. */
  add({ seq, by = '', draft = false, events }: Update, before: Scene, after: Scene): void {
    const number = turnOf(before);
    if (draft || number === 0) return;
    const last = this.shown.at(-1);
    const goesOn = last?.number === number && (by === '' || last.side === '' || last.side === by);
    const step = { seq, events, before, after };
    const turn = goesOn
      ? { side: last.side || by, number, steps: [...last.steps, step] }
      : { side: by, number, steps: [step] };
    this.shown = [...(goesOn ? this.shown.slice(0, -1) : this.shown), turn].slice(-MOST);
  }

  /** Forgets what comes again after `seq`. */
  rewind(seq: number): void {
    this.leave();
    this.shown = this.shown
      .map((turn) => ({ ...turn, steps: turn.steps.filter((step) => step.seq <= seq) }))
      .filter(({ steps }) => steps.length > 0);
  }

  /** Those that can be looked at: a side has acted in them. */
  private get told(): readonly Turn[] {
    return this.shown.filter(({ side }) => side !== '');
  }

  /** Whether there is a turn before the one that is looked at. */
  get canGoBack(): boolean {
    return this.told.length > 0 && this.told[0]?.number !== this.again?.number;
  }

  back(): void {
    const turns = this.told;
    const here = this.again ? turns.findIndex(({ number }) => number === this.again?.number) : turns.length;
    const turn = turns[here - 1];
    if (turn) void this.show(turn);
  }

  /** To the turn after the one that is looked at, and from the last one to the match as it stands. */
  forward(): void {
    const turn = this.told.find(({ number }) => number > (this.again?.number ?? Infinity));
    if (turn) void this.show(turn);
    else this.leave();
  }

  leave(): void {
    this.era += 1;
    this.again = null;
    this.scene = null;
    this.stage = STILL;
    this.over = null;
    this.end();
  }

  private async show(turn: Turn): Promise<void> {
    const mine = (this.era += 1);
    const { play, pause } = this.screen;
    if (!this.again) this.over = new Promise((done) => (this.end = done));
    this.again = turn;
    for (const { before, events, after } of turn.steps) {
      this.stage = STILL;
      this.scene = before;
      await play(events, before, (stage) => mine === this.era && (this.stage = stage), pause);
      if (mine !== this.era) return;
      this.stage = STILL;
      this.scene = after;
    }
  }
}
