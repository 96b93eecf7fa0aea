// One seat's (or a spectator's) sight of one match: what the server said, in order, and what is being chosen.

import { patched } from './patch';
import { reducedMotion } from './settings.svelte';
import { MatchSocket, type Link } from './socket';
import { MOVE_MS, play, STILL, worthKeeping, worthTelling, type Stage } from './stage';
import { completed, nextSteps } from './walk';
import { setBoard, setFamily } from './words.svelte';
import type {
  Act,
  Board,
  Choice,
  Ending,
  Event,
  Line,
  MatchInfo,
  Scene,
  ScenePatch,
  ToPage,
  Update,
  Welcome,
} from './messages';

export interface LogEntry {
  seq: number;
  by: string;
  /** Number of the turn in which it happened, from 1; 0 before play. */
  turn: number;
  events: Event[];
}

export interface Spoken {
  key: number;
  prefix: 'event' | 'status';
  line: Line;
}

export interface MatchOptions {
  id: string;
  secret: string;
  /** The last step already shown to this side elsewhere: later ones are told again. Without it none is. */
  seen?: number;
  joined?: (welcome: Welcome) => void;
  /** A rematch stands ready; `live`: this window asked for it. */
  rematch?: (match: string, secret: string, live: boolean) => void;
}

/** Refusals after which connecting again makes no sense. */
const FATAL = new Set(['no-match', 'no-seat']);
/** With so many waiting, updates are shown faster, and with so many at once, without animation. */
const PATIENCE = 4;
const MOST_WAITING = 30;
const HURRY = 0.45;

export class MatchSight {
  info = $state.raw<MatchInfo | null>(null);
  /** When `info` came, for counting down. */
  infoAt = $state(0);
  board = $state.raw<Board | null>(null);
  scene = $state.raw<Scene | null>(null);
  choices = $state.raw<Choice[]>([]);
  side = $state('');
  draft = $state(false);
  offers = $state.raw<string[]>([]);
  rematches = $state.raw<string[]>([]);
  ending = $state.raw<Ending | null>(null);
  link = $state<Link>('connecting');
  fatal = $state.raw<Line | null>(null);
  /** Why the last thing was not done, to be shown in place. */
  refused = $state.raw<Line | null>(null);
  log = $state.raw<LogEntry[]>([]);
  /** The newest events, for the live region and the status line. */
  told = $state.raw<Event[]>([]);
  /** What the live region says, oldest first. */
  spoken = $state.raw<Spoken[]>([]);
  stage = $state.raw<Stage>(STILL);
  prefix = $state.raw<string[]>([]);
  /** A complete choice that waits for its confirmation. */
  held = $state.raw<Choice | null>(null);
  /** An `Act` is under way. */
  waiting = $state(false);
  /** Updates are being shown. */
  busy = $state(true);
  shown = $state(0);

  readonly steps = $derived.by(() => (this.ready ? nextSteps(this.choices, this.prefix) : new Set<string>()));
  readonly ready = $derived(!this.busy && !this.waiting && this.fatal === null);
  readonly myTurn = $derived(this.side !== '' && (this.scene?.to_act.includes(this.side) ?? false));

  private readonly socket: MatchSocket;
  private queue: Update[] = [];
  /** What was hidden in a match that has ended; shown after its last update. */
  private hidden: ScenePatch | null = null;
  private n = 0;
  private pending: Act | null = null;
  /** The newest step when this window joined: what has happened before is not played. */
  private past = 0;
  private settled = false;
  private running = false;
  private closed = false;
  private era = 0;
  /** Whose turn's events `told` holds: what a side does in several decisions stands together. */
  private teller = '';
  /** Events of the newest entry of the log, unfiltered. */
  private run: Event[] = [];

  constructor(private readonly options: MatchOptions) {
    this.socket = new MatchSocket(options.id, {
      hello: () => ({ type: 'hello', secret: options.secret, seq: this.scene ? this.shown : 0 }),
      message: (message) => this.receive(message),
      link: (link) => this.linked(link),
    });
  }

  close(): void {
    this.closed = true;
    this.queue = [];
    this.socket.close();
  }

  // ---- choosing ----------------------------------------------------------------------------------------------

  /** Takes one step of a choice. Whether it led anywhere. */
  step(id: string, confirm: boolean): boolean {
    if (!this.ready) return false;
    this.refused = null;
    if (this.held && this.held.path.at(-1) === id) return this.confirm();
    this.held = null;
    if (this.steps.has(id)) return this.walkTo([...this.prefix, id], confirm);
    if (this.prefix.at(-1) === id) return this.back();
    if (nextSteps(this.choices, []).has(id)) return this.walkTo([id], confirm);
    return false;
  }

  private walkTo(path: string[], confirm: boolean): boolean {
    const choice = completed(this.choices, path);
    if (!choice) this.prefix = path;
    else if (confirm) this.held = choice;
    else this.act([choice.id]);
    return true;
  }

  confirm(): boolean {
    if (!this.held) return false;
    this.act([this.held.id]);
    return true;
  }

  /** One step back; an open draft is taken back when nothing else is. */
  back(): boolean {
    this.refused = null;
    if (this.held) this.held = null;
    else if (this.prefix.length > 0) this.prefix = this.prefix.slice(0, -1);
    else return false;
    return true;
  }

  /** Asks the server why `path` is not possible; the answer arrives as `refused`. */
  why(path: string[]): void {
    this.socket.send({ type: 'why', path });
  }

  act(actions: number[]): void {
    this.n += 1;
    this.pending = { type: 'act', n: this.n, actions };
    this.waiting = true;
    this.held = null;
    this.prefix = [];
    this.socket.send(this.pending);
  }

  takeBack = (): boolean => this.socket.send({ type: 'take-back' });
  resign = (): boolean => this.socket.send({ type: 'resign' });
  offerDraw = (): boolean => this.socket.send({ type: 'offer-draw' });
  answerDraw = (accept: boolean): boolean => this.socket.send({ type: 'answer-draw', accept });
  claim = (): boolean => this.socket.send({ type: 'claim-win' });
  end = (): boolean => this.socket.send({ type: 'end-match' });
  offerRematch = (): boolean => {
    this.asked = true;
    return this.socket.send({ type: 'offer-rematch' });
  };
  private asked = false;

  // ---- hearing -----------------------------------------------------------------------------------------------

  private linked(link: Link): void {
    this.link = link;
  }

  private receive(message: ToPage): void {
    switch (message.type) {
      case 'welcome':
        return this.welcomed(message);
      case 'update':
        return this.enqueue(message);
      case 'stored':
        // All windows of a seat hear this: a number that another one used is used up here too.
        this.n = Math.max(this.n, message.n);
        if (this.pending?.n === message.n) this.pending = null;
        return;
      case 'refused':
        return this.wasRefused(message.line, message.n ?? 0);
      case 'presence':
        return this.know(message.match);
      case 'draw-offers':
        this.offers = message.sides;
        return;
      case 'ended':
        this.ending = message.ending;
        this.hidden = message.patch ?? null;
        this.know(message.match);
        if (this.settled) void this.pump();
        return;
      case 'rematch-offered':
        this.rematches = message.sides;
        return;
      case 'rematch-ready':
        this.options.rematch?.(message.match, message.secret, this.asked);
        return;
      case 'pong':
        return;
    }
  }

  private know(info: MatchInfo): void {
    this.info = info;
    this.infoAt = Date.now();
  }

  private welcomed(message: Welcome): void {
    this.era += 1;
    this.queue = [];
    this.hidden = null;
    this.link = 'open';
    setBoard(message.board);
    setFamily(message.match.family);
    this.board = message.board;
    this.side = message.side;
    this.offers = message.offers ?? [];
    this.ending = message.ending ?? null;
    this.know(message.match);
    this.settled = this.scene !== null;
    this.stage = STILL;
    this.prefix = [];
    this.held = null;
    this.scene = message.now.scene;
    this.choices = message.now.choices;
    this.draft = message.now.draft ?? false;
    this.shown = message.now.seq;
    this.log = this.log.filter((entry) => entry.seq <= this.shown);
    this.resend(message.n);
    this.options.joined?.(message);
    this.past = message.latest;
    if (!this.settled) this.settle();
    else this.busy = false;
  }

  /** An unacknowledged `Act` goes out again under its own number, unless the server has it. */
  private resend(stored: number): void {
    this.n = Math.max(this.n, stored);
    if (this.pending && this.pending.n > stored) this.socket.send(this.pending);
    else {
      this.pending = null;
      this.waiting = false;
    }
  }

  private wasRefused(said: Line, n: number): void {
    if (!this.scene && FATAL.has(said.code)) {
      this.fatal = said;
      this.close();
      return;
    }
    this.refused = said;
    if (n === 0 || (this.pending && this.pending.n !== n)) return;
    this.pending = null;
    this.waiting = false;
  }

  // ---- showing -----------------------------------------------------------------------------------------------

  private enqueue(update: Update): void {
    this.queue.push(update);
    if (this.settled) void this.pump();
    else this.settle();
  }

  /** When all that happened before has come, it is shown at once, but for what this side has not been shown yet. */
  private settle(): void {
    if ((this.queue.at(-1)?.seq ?? this.shown) < this.past) return;
    const seen = this.options.seen ?? Infinity;
    while (this.queue[0] && this.queue[0].seq <= seen) this.apply(this.queue.shift() as Update);
    this.settled = true;
    if (this.queue.length === 0) this.say([], true);
    void this.pump();
  }

  private async pump(): Promise<void> {
    if (this.running) return;
    this.running = true;
    while (this.queue.length > 0 && !this.closed) {
      this.busy = true;
      const update = this.queue.shift() as Update;
      await this.tell(update);
    }
    this.running = false;
    this.busy = false;
    this.uncover();
  }

  private uncover(): void {
    if (!this.hidden || !this.scene) return;
    this.scene = patched(this.scene, this.hidden);
    this.hidden = null;
  }

  private async tell(update: Update): Promise<void> {
    const { era, scene } = this;
    // What chance adds is shown quickly and does not count.
    const waiting = this.queue.filter(({ by }) => by !== '').length;
    if (waiting >= MOST_WAITING || !scene || update.draft) return this.apply(update);
    const pace = waiting >= PATIENCE ? HURRY : 1;
    await play(
      update.events,
      scene,
      (stage) => (this.stage = stage),
      (ms) => pause(ms * pace),
    );
    // A new connection has replaced the scene meanwhile: this update comes again.
    if (this.closed || era !== this.era) return;
    const before = this.scene?.tokens;
    this.apply(update);
    if (before !== this.scene?.tokens) await pause(MOVE_MS * pace);
  }

  private apply(update: Update): void {
    if (!this.scene) return;
    const { by = '' } = update;
    // What chance does in a row is told as one.
    if (!update.draft)
      this.run = by === '' && this.log.at(-1)?.by === '' ? [...this.run, ...update.events] : [...update.events];
    const events = worthTelling(update.events);
    const before = this.scene.status;
    const turn = this.scene.started ? this.scene.turn + 1 : 0;
    this.scene = patched(this.scene, update.patch);
    this.stage = STILL;
    this.choices = update.choices;
    this.draft = update.draft ?? false;
    this.prefix = [];
    this.held = null;
    this.waiting = this.pending !== null && !this.draft && update.by !== this.side;
    this.refused = null;
    if (events.length > 0)
      this.told = by === '' || by === this.teller ? worthTelling([...this.told, ...events]) : events;
    if (by !== '') this.teller = by;
    this.shown = update.seq;
    if (this.settled) this.say(events, before !== this.scene.status);
    if (this.draft || events.length === 0) return;
    const entry = { seq: update.seq, by, turn, events: worthKeeping(this.run) };
    const joins = by === '' && this.log.at(-1)?.by === '';
    this.log = [...(joins ? this.log.slice(0, -1) : this.log), entry];
  }

  private say(events: Event[], status: boolean): void {
    const lines = events.map((event): Spoken => ({ key: (spokenKeys += 1), prefix: 'event', line: event }));
    if (status && this.scene) lines.push({ key: (spokenKeys += 1), prefix: 'status', line: this.scene.status });
    this.spoken = [...this.spoken, ...lines].slice(-MOST_SPOKEN);
  }
}

/** More than this many lines need not stay in the live region. */
const MOST_SPOKEN = 12;
let spokenKeys = 0;

/** Waits shorten with reduced motion: cross-fades need no travel, but a result still needs a moment to be read. */
const pause = (ms: number): Promise<void> =>
  new Promise((done) => setTimeout(done, reducedMotion() ? Math.min(ms, 400) : ms));
