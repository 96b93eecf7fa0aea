// What is said of the match: the log, the newest events, and what the live region speaks.

import type { Event, Line, Scene, Update } from '../../protocol/messages';
import type { LogEntry } from '../../board/notes/log';
import { ranked, worthKeeping, worthTelling, type Emphasis } from '../../board/emphasis';
import type { MatchState } from '../state.svelte';
import { OVER } from '../updates/cues';
import { turnOf } from '../updates/turns.svelte';

/** The entries with those of one turn put together. A turn to which nothing was added is the same object as before, so
 * that its words are not made anew.
 */
export function byTurns(log: readonly LogEntry[]): LogEntry[] {
  const turns: [LogEntry, ...LogEntry[]][] = [];
  let by = '';
  for (const entry of log) {
    const run = turns.at(-1);
    const goesOn = run && entry.turn > 0 && run[0].turn === entry.turn;
    if (goesOn && (by === entry.by || by === '' || entry.by === '')) {
      run.push(entry);
      by ||= entry.by;
    } else {
      turns.push([entry]);
      by = entry.by;
    }
  }
  return turns.map(together);
}

/** Turns as they were put together last, by their first entry. */
const put = new WeakMap<LogEntry, { last: LogEntry; turn: LogEntry }>();

function together(run: [LogEntry, ...LogEntry[]]): LogEntry {
  const [first] = run;
  const last = run.at(-1) ?? first;
  const before = put.get(first);
  if (before?.last === last) return before.turn;
  const by = run.find((entry) => entry.by !== '')?.by ?? '';
  const turn = run.length > 1 ? { ...first, by, events: run.flatMap(({ events }) => events) } : first;
  put.set(first, { last, turn });
  return turn;
}

export interface Spoken {
  key: number;
  prefix: 'event' | 'status' | 'hint';
  /** Several are said as one. */
  lines: readonly Event[];
}

/** More than this many lines need not stay in the live region. */
const MOST_SPOKEN = 12;

export class Telling {
  log = $state.raw<LogEntry[]>([]);
  /** The newest events, for the live region and the status line. */
  latest = $state.raw<Event[]>([]);
  /** Those of them that the viewer's own last act has brought, where a turn holds many acts. */
  fresh = $state.raw<Event[]>([]);
  /** How the viewer's own last act ended, until he acts again: what others do does not push it away. */
  lasting = $state.raw<Event[]>([]);
  /** What the live region says, oldest first. */
  spoken = $state.raw<Spoken[]>([]);

  /** Whose events of which turn `latest` holds: what a side does in several decisions stands together. */
  private teller = '';
  private turn = 0;
  /** Events of the newest entry of the log, unfiltered. */
  private run: Event[] = [];
  /** What another side's turn has brought so far, to be said as one when it is over. */
  private untold: Event[] = [];
  private keys = 0;
  private readonly advised = new Set<string>();

  constructor(private readonly match: Pick<MatchState, 'emphasis' | 'side'>) {}

  /** Forgets what comes again after `seq`. */
  rewind(seq: number): void {
    this.log = this.log.filter((entry) => entry.seq <= seq);
  }

  /** Takes in the events of an update, which came upon the scene `before`; gives those to put into words. */
  add({ seq, by = '', draft = false, events: all }: Update, before: Scene): Event[] {
    // What chance does in a row is told as one.
    const joins = by === '' && this.log.at(-1)?.by === '';
    if (!draft) this.run = joins ? [...this.run, ...all] : [...all];
    const { emphasis } = this.match;
    const events = worthTelling(all, emphasis);
    const turn = turnOf(before);
    // What one draws oneself does not push away what the others did.
    const drawn = by === '' && all.every(({ args = {} }) => args.side === this.match.side);
    const goesOn = emphasis.byTurns
      ? drawn || (turn === this.turn && (by === '' || by === this.teller || this.teller === ''))
      : by === '' || (by === this.teller && turn === this.turn);
    if (by !== '' && by !== this.teller) this.passTo(by, emphasis);
    if (events.length > 0) this.latest = goesOn ? worthTelling([...this.latest, ...events], emphasis) : events;
    if (emphasis.byTurns && by !== '') this.fresh = by === this.match.side ? events : [];
    else if (this.fresh.length > 0) this.fresh = [...this.fresh, ...events];
    if (by !== '') [this.teller, this.turn] = [by, turn];
    else if (emphasis.byTurns && !goesOn) [this.teller, this.turn] = ['', turn];
    if (draft || events.length === 0) return events;
    const entry = { seq, by, turn, events: worthKeeping(this.run, emphasis) };
    this.log = [...(joins ? this.log.slice(0, -1) : this.log), entry];
    return events;
  }

  /** Has the live region say events and, if there is a new one, the status. */
  say(events: readonly Event[], status?: Line): void {
    const lines = events.map((line) => this.speak('event', line));
    if (status) lines.push(this.speak('status', status));
    this.spoken = [...this.spoken, ...lines].slice(-MOST_SPOKEN);
  }

  /** Has it say what an update brought: at once, or where turns are told as one, with the rest of its turn. */
  tell(events: readonly Event[], before: Scene, after: Scene): void {
    const status = before.status === after.status ? undefined : after.status;
    const { emphasis } = this.match;
    if (!emphasis.byTurns || !before.started) return this.say(events, status);
    const { side } = this.match;
    const due = after.to_act.includes(side) || after.status.code === OVER;
    const told = events.filter(({ code }) => !emphasis.small.includes(code));
    if (before.to_act.includes(side)) return this.say(told, due ? status : undefined);
    this.untold.push(...told);
    if (before.turn === after.turn && !due) return;
    const turn = ranked(this.untold, emphasis, side);
    this.untold = [];
    if (turn.length > 0) this.spoken = [...this.spoken, this.speak('event', ...turn)].slice(-MOST_SPOKEN);
    if (due) this.say([], status);
  }

  /** Has it say a hint, once in a match. */
  advise(code: string): void {
    if (this.advised.has(code)) return;
    this.advised.add(code);
    this.spoken = [...this.spoken, this.speak('hint', { code, args: {} })].slice(-MOST_SPOKEN);
  }

  /** Another side acts than before. */
  private passTo(by: string, { lasting }: Emphasis): void {
    const { side } = this.match;
    if (by === side) this.lasting = [];
    else if (side !== '' && this.teller === side)
      this.lasting = this.latest.filter(({ code }) => lasting.includes(code));
  }

  private speak(prefix: Spoken['prefix'], ...lines: Event[]): Spoken {
    this.keys += 1;
    return { key: this.keys, prefix, lines };
  }
}
