// Words of the match: the log, the newest events, and the live region.

import type { Event, Line, Scene, Update } from '../../protocol/messages';
import type { LogEntry } from '../../board/notes/log';
import { worthKeeping, worthTelling, type Emphasis } from '../../board/emphasis';
import type { MatchState } from '../state.svelte';
import { OVER } from '../updates/cues';
import { turnOf } from '../updates/turns.svelte';

/** Join the entries of one turn. A turn without new entries stays the same object, so that its words are not computed
 * again.
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

/** Return the entries in one group for each turn, and one for all before play. */
export function foldedTurns(log: readonly LogEntry[]): LogEntry[] {
  const turns = byTurns(log);
  const [first] = turns;
  const before = turns.filter(({ turn }) => turn === 0);
  if (!first || before.length === 0) return turns;
  return [
    { ...first, by: '', events: before.flatMap(({ events }) => events) },
    ...turns.filter(({ turn }) => turn > 0),
  ];
}

/** Return the side whose turn an entry is about; empty if unknown. A turn that has only begun has nothing but draws of
 * cards, which nobody has made (`by`).
 */
export function sideOfTurn({ by, events }: LogEntry): string {
  const named = events.map(({ args }) => args?.side).find((side) => typeof side === 'string');
  return by || (named ?? '');
}

/** Joined turns by their first entry. */
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
  prefix: 'event' | 'status' | 'hint' | 'time';
  /** Events that are said in one line. */
  lines: readonly Event[];
}

/** Maximum number of lines in the live region. */
const MOST_SPOKEN = 12;

export class Telling {
  log = $state.raw<LogEntry[]>([]);
  /** Newest events, for the live region and the status. */
  latest = $state.raw<Event[]>([]);
  /** Newest events of the last act of a turn that goes on, in games with many acts per turn. The viewer's own last act
   * also counts when it has ended the turn.
   */
  fresh = $state.raw<Event[]>([]);
  /** End of the viewer's own last act, until the viewer acts again. */
  lasting = $state.raw<Event[]>([]);
  /** Lines of the live region, oldest first. */
  spoken = $state.raw<Spoken[]>([]);

  /** Side and turn of the events in `latest`: decisions of one side in one turn are shown together. */
  private teller = '';
  private turn = 0;
  /** Unfiltered events of the newest log entry. */
  private run: Event[] = [];
  /** Events of another side's turn, which are said together at its end. */
  private untold: Event[] = [];
  private keys = 0;
  private readonly advised = new Set<string>();

  constructor(private readonly match: Pick<MatchState, 'emphasis' | 'side'>) {}

  /** Forget the entries after step `seq`; the server sends these steps again. */
  rewind(seq: number): void {
    this.log = this.log.filter((entry) => entry.seq <= seq);
  }

  /** Take in an update that changed the scene `before`. Return those of its events that need words. */
  add({ seq, by = '', draft = false, events: all }: Update, before: Scene, after = before): Event[] {
    // Consecutive acts of chance are one entry.
    const joins = by === '' && this.log.at(-1)?.by === '';
    if (!draft) this.run = joins ? [...this.run, ...all] : [...all];
    const { emphasis } = this.match;
    const events = worthTelling(all, emphasis);
    const turn = turnOf(before);
    // The player's own draws do not replace the acts of others.
    const drawn = by === '' && all.every(({ args = {} }) => args.side === this.match.side);
    const goesOn = emphasis.byTurns
      ? drawn || (turn === this.turn && (by === '' || by === this.teller || this.teller === ''))
      : by === '' || (by === this.teller && turn === this.turn);
    if (by !== '' && by !== this.teller) this.passTo(by, emphasis);
    if (events.length > 0) this.latest = goesOn ? worthTelling([...this.latest, ...events], emphasis) : events;
    if (emphasis.byTurns && by !== '') this.fresh = by === this.match.side || turnOf(after) === turn ? events : [];
    else if (this.fresh.length > 0) this.fresh = [...this.fresh, ...events];
    if (by !== '') [this.teller, this.turn] = [by, turn];
    else if (emphasis.byTurns && !goesOn) [this.teller, this.turn] = ['', turn];
    if (draft || events.length === 0) return events;
    const entry = { seq, by, turn, events: worthKeeping(this.run, emphasis) };
    this.log = [...(joins ? this.log.slice(0, -1) : this.log), entry];
    return events;
  }

  /** Let the live region say events and, if it is new, the status. */
  say(events: readonly Event[], status?: Line): void {
    const lines = events.map((line) => this.speak('event', line));
    if (status) lines.push(this.speak('status', status));
    this.spoken = [...this.spoken, ...lines].slice(-MOST_SPOKEN);
  }

  /** Let the live region say an update: at once, or at the end of the turn in games told by turns. */
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
    const turn = this.untold;
    this.untold = [];
    if (turn.length > 0) this.spoken = [...this.spoken, this.speak('event', ...turn)].slice(-MOST_SPOKEN);
    if (due) this.say([], status);
  }

  /** Let the live region say a hint, once per match. */
  advise(code: string): void {
    if (this.advised.has(code)) return;
    this.advised.add(code);
    this.spoken = [...this.spoken, this.speak('hint', { code, args: {} })].slice(-MOST_SPOKEN);
  }

  /** Let the live region say lines about the clocks. */
  sayTimes(lines: readonly Line[]): void {
    if (lines.length > 0) this.spoken = [...this.spoken, this.speak('time', ...lines)].slice(-MOST_SPOKEN);
  }

  /** Store the end of the viewer's own act when another side acts. */
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
