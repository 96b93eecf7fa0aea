// What this window asks of the server, and what it still waits for. Acts are numbered, so that one that was under way
// when the line broke is sent again and counts once.

import type { Act, FromPage, Line, Refused, ToPage } from '../../protocol/messages';
import { newSecret } from '../../browser/storage';
import { MatchSocket, type Link } from '../../protocol/socket';

/** What the connection itself does not deal with. */
export interface Listener {
  /** The last step that has been shown; the server goes on from there. */
  readonly shown: number;
  hear: (message: ToPage) => void;
  refuse: (line: Line) => void;
}

/** So long an act may be under way before one is told that it is not confirmed yet. */
const LATE_MS = 1500;

/** What opens a seat; without a secret, one only looks on. */
export interface Pass {
  secret: string;
  /** The invitation that the secret was made for. */
  invitation?: string;
}

/** Refusals of a seat: whoever hears one may watch. `ENDED` comes in the midst of a match too. */
const ENDED = 'invitation-ended';
export const SEATLESS: ReadonlySet<string> = new Set(['no-seat', 'invitation-used', ENDED]);
/** Refusals after which connecting again makes no sense. */
const FATAL: ReadonlySet<string> = new Set([...SEATLESS, 'no-match']);

export class Connection {
  link = $state<Link>('connecting');
  /** Why there will be no connection any more. */
  fatal = $state.raw<Line | null>(null);
  /** An act has been sent and not been shown yet. */
  waiting = $state(false);
  /** The server has stored an act of this seat. */
  acted = $state(false);
  /** The act that the server has not stored yet. */
  private pending = $state.raw<Act | null>(null);
  /** It waits until there is a line again. */
  readonly kept = $derived.by(() => this.pending !== null && this.link === 'lost');
  /** It has been waiting for longer than the way there and back takes. */
  private late = $state(false);
  /** It waits, and not for a moment only. What is stored does not, however long it takes to be shown. */
  readonly unconfirmed = $derived.by(() => this.pending !== null && (this.late || this.link === 'lost'));
  /** This window has asked for a rematch. */
  wantsRematch = false;

  private readonly socket: MatchSocket;
  /** So that a socket whose line died does not count as another window. */
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
    this.socket = new MatchSocket(match, {
      hello: () => ({ type: 'hello', ...pass, window: this.window, seq: listener.shown }),
      message: (message) => this.receive(message),
      link: (link) => (this.link = link),
    });
  }

  close(): void {
    clearTimeout(this.lateness);
    this.socket.close();
  }

  /** The seat is open elsewhere: here again, too. */
  goOnHere(): void {
    this.socket.reopen();
  }

  act(actions: number[]): void {
    this.n += 1;
    this.pending = { type: 'act', n: this.n, actions };
    this.waiting = true;
    this.late = false;
    clearTimeout(this.lateness);
    this.lateness = window.setTimeout(() => (this.late = true), LATE_MS);
    this.send(this.pending);
  }

  /** An update has been shown; `own`: it may be what the last act brought about. */
  noteShown(own: boolean): void {
    this.waiting = this.pending !== null && !own;
  }

  /** Asks why `path` is not possible; the answer is a refusal. */
  askWhy = (path: string[]): boolean => this.send({ type: 'why', path });
  /** Asks for an arrangement around what is placed already; the answer is heard as a suggestion. */
  askSuggestion = (at: Record<string, string>): boolean => this.send({ type: 'suggest', at });
  /** Asks what is unusual in an arrangement; the answer is heard as remarks. */
  askRemarks = (actions: number[]): boolean => this.send({ type: 'ask-remarks', actions });
  takeBack = (): boolean => this.send({ type: 'take-back' });
  /** Takes the last own decision back; `n` counts what was taken back of the match, this included. */
  goBack = (n: number): boolean => this.send({ type: 'return', n });
  askHint = (): boolean => this.send({ type: 'ask-advice' });
  resign = (): boolean => this.send({ type: 'resign' });
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
      this.resend(message.n);
    }
    this.listener.hear(message);
  }

  /** All windows of a seat hear this: a number that another one used is used up here too. */
  private store(n: number): void {
    this.n = Math.max(this.n, n);
    this.acted = true;
    if (this.pending?.n === n) this.pending = null;
  }

  private refuse({ line, n = 0 }: Refused): void {
    if (line.code === ENDED || (!this.welcomed && FATAL.has(line.code))) {
      this.fatal = line;
      this.close();
      return;
    }
    this.listener.refuse(line);
    if (n === 0 || (this.pending && this.pending.n !== n)) return;
    this.pending = null;
    this.waiting = false;
  }

  /** An act that the server has not stored goes out again under its own number. */
  private resend(stored: number): void {
    this.n = Math.max(this.n, stored);
    this.acted ||= stored > 0;
    if (this.pending && this.pending.n > stored) this.send(this.pending);
    else {
      this.pending = null;
      this.waiting = false;
    }
  }
}
