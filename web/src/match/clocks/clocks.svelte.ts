// The clocks of a match, counted down between the server's messages. One timer serves all of them, and it waits for the
// next change of a digit; while nothing runs, there is none.

import type { Clocks as ClocksMessage, SeatClock } from '../../protocol/messages';
import type { Control } from '../../words/time';
import { Alarm } from './alarm';
import { elapsedBetween, moment, nextChange, readingOf } from './reading';

/** The match, as far as its clocks depend on it. */
export interface Timed {
  readonly side: string;
  readonly info: { readonly clock: Control | null; readonly started: boolean } | null;
}

export class Clocks {
  private told = $state.raw<readonly SeatClock[]>([]);
  /** Time since the server's message, in milliseconds. */
  private elapsed = $state(0);
  /** Deadline of the present decision by correspondence, in Unix milliseconds; 0 if there is none. */
  deadline = $state(0);
  readonly readings = $derived.by(() => this.told.map((clock) => readingOf(clock, this.elapsed)));
  /** Clocks that mean something now: every bank and every deployment; of times for a turn only the one that runs. */
  readonly shown = $derived.by(() =>
    this.readings.filter(({ runs }) => runs || this.kind === 'bank' || this.match.info?.started === false),
  );
  readonly own = $derived.by(() => this.readings.find(({ side }) => side === this.match.side));
  /** Time until the player is out of time; infinite while the own clock stands. */
  readonly most = $derived.by(() => this.own?.most ?? Infinity);

  private since = moment();
  private timer = 0;
  private readonly alarm = new Alarm();
  private readonly look = (): void => this.tick();

  /** `warn`: called when few seconds are left on the own clock. */
  constructor(
    private readonly match: Timed,
    private readonly warn: (seconds: number) => void,
  ) {
    // Browsers slow the timers of a hidden page.
    document.addEventListener('visibilitychange', this.look);
    addEventListener('pageshow', this.look);
  }

  get kind(): Control['kind'] | undefined {
    return this.match.info?.clock?.kind;
  }

  take({ seats, deadline }: Pick<ClocksMessage, 'seats' | 'deadline'>): void {
    this.since = moment();
    this.told = seats;
    this.deadline = deadline ?? 0;
    this.elapsed = 0;
    const { own } = this;
    if (own?.most != null) this.alarm.begin(own.most, this.kind !== 'bank' || own.limit !== null);
    this.tick();
  }

  /** Stop all clocks, as at the end of the match. */
  stop(): void {
    this.tick();
    this.take({ seats: this.readings.map((reading) => ({ ...reading, runs: false })), deadline: 0 });
  }

  close(): void {
    clearTimeout(this.timer);
    document.removeEventListener('visibilitychange', this.look);
    removeEventListener('pageshow', this.look);
  }

  private tick(): void {
    clearTimeout(this.timer);
    this.elapsed = elapsedBetween(this.since, moment());
    const due = this.own?.most == null ? 0 : this.alarm.check(this.own.most);
    if (due > 0) this.warn(due);
    const wait = nextChange(this.readings, this.kind === 'correspondence');
    if (wait < Infinity) this.timer = window.setTimeout(this.look, wait);
  }
}
