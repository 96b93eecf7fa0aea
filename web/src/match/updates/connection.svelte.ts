// A window's connection to a match: requests to the server, and acts that the server has not stored yet. Acts are
// numbered: after a lost connection an act is sent again with its number, and counts only once.

import type { Act, FromPage, Line, Refused, ToPage } from '../../protocol/messages';
import { settings } from '../../browser/settings.svelte';
import { newSecret } from '../../browser/storage';
import { LiveSocket, type Link } from '../../protocol/socket';

/** Receiver of the messages that the connection does not handle itself. */
export interface Listener {
  /** Number of the last step on the screen; after a lost connection the server continues from this step. */
  readonly shown: number;
  hear: (message: ToPage) => void;
  refuse: (line: Line) => void;
}

/** Delay before the page says that an act is not confirmed. */
const LATE_MS = 1500;

/** Access to a seat. Without a secret, the window is a spectator's. */
export interface Pass {
  secret: string;
  /** Invitation that this secret was made for. */
  invitation?: string;
}

/** Refusals of a seat after which the player may still watch. Those in `ENDED` can come during a match. */
const ENDED: ReadonlySet<string> = new Set(['invitation-ended', 'session-ended']);
export const SEATLESS: ReadonlySet<string> = new Set(['no-seat', 'invitation-used', ...ENDED]);
/** Refusals that a new connection would get again. */
const FATAL: ReadonlySet<string> = new Set([...SEATLESS, 'no-match']);

export class Connection {
  link = $state<Link>('connecting');
  /** Reason why no connection is possible any more. */
  fatal = $state.raw<Line | null>(null);
  /** Whether an act was sent and its update is not on the screen yet. */
  waiting = $state(false);
  /** Whether the server has stored an act of this seat. */
  acted = $state(false);
  /** Act that the server has not stored. */
  private pending = $state.raw<Act | null>(null);
  /** Acts of the open choice that the server holds as a draft. Null if another window, or this page before it was
   * loaded anew, has made some of them. A restart of the server loses them, so the page sends them again.
   */
  private drafted: Act[] | null = [];
  private side = '';
  /** Whether the pending act waits for a new connection. */
  readonly kept = $derived.by(() => this.pending !== null && this.link === 'lost');
  /** Whether the pending act has waited longer than an answer usually takes. */
  private late = $state(false);
  /** Whether the pending act waits noticeably. A stored act never does, even if its update is shown late. */
  readonly unconfirmed = $derived.by(() => this.pending !== null && (this.late || this.link === 'lost'));
  /** Whether this window shows hints for newcomers. */
  private hints = settings.hints === 'on';
  /** Whether this window has asked for a rematch. */
  wantsRematch = false;

  private readonly socket: LiveSocket<FromPage, ToPage>;
  /** Identifies this window, so that its dead socket does not count as another window. */
  private readonly window = newSecret();
  private welcomed = false;
  /** Number of the last act. */
  private n = 0;
  private lateness = 0;

  constructor(
    match: string,
    pass: Pass,
    private readonly listener: Listener,
  ) {
    this.socket = new LiveSocket(`/api/matches/${encodeURIComponent(match)}/socket`, {
      hello: () => ({ type: 'hello', ...pass, window: this.window, seq: listener.shown, hints: this.hints }),
      message: (message) => this.receive(message),
      link: (link) => (this.link = link),
    });
  }

  close(): void {
    clearTimeout(this.lateness);
    this.socket.close();
  }

  /** Open the seat here again, after another window took it. */
  goOnHere(): void {
    this.socket.reopen();
  }

  act(actions: number[]): void {
    this.n += 1;
    this.pending = { type: 'act', n: this.n, actions, after: countActions(this.drafted) };
    this.waiting = true;
    this.late = false;
    clearTimeout(this.lateness);
    this.lateness = window.setTimeout(() => (this.late = true), LATE_MS);
    this.send(this.pending);
  }

  /** Note that an update is on the screen. `own`: whether it may be the result of the last act. */
  noteShown(own: boolean): void {
    this.waiting = this.pending !== null && !own;
  }

  /** Ask why `path` is not possible; the answer is a refusal. */
  askWhy = (path: string[]): boolean => this.send({ type: 'why', path });
  /** Ask for an arrangement around the placed pieces; the answer is a suggestion. */
  askSuggestion = (at: Record<string, string>): boolean => this.send({ type: 'suggest', at });
  /** Ask for remarks on an arrangement; the answer is remarks. */
  askRemarks = (actions: number[]): boolean => this.send({ type: 'ask-remarks', actions });
  /** Say whether this window shows hints from now on; the answer is hints. */
  showHints(on: boolean): void {
    if (on === this.hints) return;
    this.hints = on;
    this.send({ type: 'show-hints', on });
  }
  takeBack = (): boolean => {
    this.drafted = [];
    return this.send({ type: 'take-back' });
  };
  /** Ask to take back the player's last decision. `n`: number of the match's take-backs, including this one. */
  goBack = (n: number): boolean => this.send({ type: 'return', n });
  askHint = (): boolean => this.send({ type: 'ask-advice' });
  /** Say whether the curtain between the players of this device is down. */
  tellCurtain = (down: boolean): boolean => this.send({ type: 'curtain', down });
  resign = (): boolean => this.send({ type: 'resign' });
  callOff = (): boolean => this.send({ type: 'call-off' });
  offerDraw = (): boolean => this.send({ type: 'offer-draw' });
  answerDraw = (accept: boolean): boolean => this.send({ type: 'answer-draw', accept });
  claimWin = (): boolean => this.send({ type: 'claim-win' });
  endMatch = (): boolean => this.send({ type: 'end-match' });
  wakeAgents = (): boolean => this.send({ type: 'wake-agents' });
  invite = (side: string): boolean => this.send({ type: 'invite', side });
  giveName = (name: string): boolean => this.send({ type: 'give-name', name });
  offerRematch = (): boolean => {
    this.wantsRematch = true;
    return this.send({ type: 'offer-rematch' });
  };

  private send(message: FromPage): boolean {
    return this.socket.send(message);
  }

  private receive(message: ToPage): void {
    if (message.type === 'stored') return this.store(message.n);
    if (message.type === 'refused') return this.refuse(message);
    if (message.type === 'welcome') {
      this.welcomed = true;
      this.link = 'open';
      this.side = message.side;
      if (message.now.draft && this.drafted?.length === 0) this.drafted = null;
      this.resend(message.n);
    }
    // An own update that is no draft closes the choice, and so does a take-back, which nobody has made (`by`).
    if (message.type === 'update' && !message.draft && (message.by === this.side || !message.by)) this.drafted = [];
    this.listener.hear(message);
  }

  /** Note that the act with number `n` is stored. All windows of a seat get this message, so that no two windows use
   * one number.
   */
  private store(n: number): void {
    this.n = Math.max(this.n, n);
    this.acted = true;
    if (this.pending?.n === n) {
      this.drafted?.push(this.pending);
      this.pending = null;
    } else this.drafted = null;
  }

  private refuse({ line, n = 0 }: Refused): void {
    if (ENDED.has(line.code) || (!this.welcomed && FATAL.has(line.code))) {
      this.fatal = line;
      this.close();
      return;
    }
    this.listener.refuse(line);
    if (n === 0 || (this.pending && this.pending.n !== n)) return;
    this.pending = null;
    this.waiting = false;
  }

  /** Send acts again, with the number of the last one, if the server has not stored them. */
  private resend(stored: number): void {
    this.n = Math.max(this.n, stored);
    this.acted ||= stored > 0;
    const missing = [...(this.drafted ?? []), ...(this.pending ? [this.pending] : [])].filter(({ n }) => n > stored);
    const last = missing.at(-1);
    this.drafted = this.drafted?.filter(({ n }) => n <= stored) ?? null;
    this.pending = last
      ? { ...last, actions: missing.flatMap(({ actions }) => actions), after: countActions(this.drafted) }
      : null;
    this.waiting = this.pending !== null;
    if (this.pending) this.send(this.pending);
  }
}

const countActions = (acts: readonly Act[] | null): number | null =>
  acts && acts.reduce((count, { actions }) => count + actions.length, 0);
