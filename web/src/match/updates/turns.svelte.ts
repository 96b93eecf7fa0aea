// The turns so far, and earlier turns that the player looks at once more.

import type { Event, Scene, Update } from '../../protocol/messages';
import { STILL, stillSaying, type Stage } from '../../board/stage';
import { READ_MS, type Screen } from './screen';

interface Step {
  seq: number;
  events: Event[];
  before: Scene;
  after: Scene;
}

/** Acts of a side in its turn, including acts of chance for this side. */
export interface Turn {
  side: string;
  /** Number of the turn, from 1; 0 before play. */
  number: number;
  steps: readonly Step[];
}

/** Maximum number of turns to keep. */
const MOST = 12;

/** Return the number of the turn that a scene belongs to. */
export const turnOf = ({ started, turn }: Scene): number => (started ? turn + 1 : 0);

/** Return all events of a turn so far. */
export const eventsOf = ({ steps }: Turn): Event[] => steps.flatMap(({ events }) => events);

export class Turns {
  /** Turns so far, oldest first. */
  shown = $state.raw<readonly Turn[]>([]);
  /** Earlier turn that is shown once more; null if the present position is shown. */
  again = $state.raw<Turn | null>(null);
  /** Position within that turn; null if the present position is shown. */
  scene = $state.raw<Scene | null>(null);
  stage = $state.raw<Stage>(STILL);

  /** Promise that resolves when the player stops looking back; null while the player does not look back. */
  over: Promise<void> | null = null;
  private end = (): void => {};
  /** Counter of shown turns. A new showing ends the movements of the one before. */
  private era = 0;

  constructor(private readonly screen: Pick<Screen, 'play' | 'pause' | 'rest'>) {}

  /** Take in an update that is on the screen. */
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

  /** Forget the steps after `seq`; the server sends these steps again. */
  rewind(seq: number): void {
    this.leave();
    this.shown = this.shown
      .map((turn) => ({ ...turn, steps: turn.steps.filter((step) => step.seq <= seq) }))
      .filter(({ steps }) => steps.length > 0);
  }

  /** Turns that can be shown once more: those in which a side has acted. */
  private get told(): readonly Turn[] {
    return this.shown.filter(({ side }) => side !== '');
  }

  /** Whether there is an earlier turn to look at. */
  get canGoBack(): boolean {
    return this.told.length > 0 && this.told[0]?.number !== this.again?.number;
  }

  back(): void {
    const turns = this.told;
    const here = this.again ? turns.findIndex(({ number }) => number === this.again?.number) : turns.length;
    const turn = turns[here - 1];
    if (turn) void this.show(turn);
  }

  /** Show the next turn. After the last turn, show the present position. */
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
    const { play, pause, rest } = this.screen;
    if (!this.again) this.over = new Promise((done) => (this.end = done));
    this.again = turn;
    for (const { before, events, after } of turn.steps) {
      this.stage = STILL;
      this.scene = before;
      await play(events, before, (stage) => mine === this.era && (this.stage = stage), pause);
      if (mine !== this.era) return;
      const { said } = this.stage;
      this.stage = stillSaying(said);
      this.scene = after;
      // The line on a battle stays long enough to be read.
      if (said) await rest(READ_MS);
      if (mine !== this.era) return;
      this.stage = STILL;
    }
  }
}
