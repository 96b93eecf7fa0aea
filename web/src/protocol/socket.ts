// A WebSocket to a match or to the lobby that connects again by itself. It transports messages and does not interpret
// them.

import type { Ping } from './messages';

/** State of the connection. `elsewhere`: the seat is open in too many windows, so the server has closed this socket,
 * the oldest.
 */
export type Link = 'connecting' | 'open' | 'lost' | 'elsewhere';

/** Receiver of what a socket reports. `Out` and `In` are the messages to and from the server. */
export interface Ears<Out, In> {
  /** Return the first message of a new connection. */
  hello: () => Out;
  message: (message: In) => void;
  link: (link: Link) => void;
}

/** Maximum silence before the page drops a connection. A dead connection may look open for minutes, and a match that
 * hangs answers no ping. The first answer may take longer, because the server may compile a game.
 */
const OPENS_MS = 20_000;
const WELCOMES_MS = 60_000;
const PING_MS = 15_000;
const PONG_MS = 10_000;
/** Maximum silence after the page comes back into view or online: a device that slept often lost its connection. */
const WAKE_MS = 4_000;
const LONGEST_WAIT_MS = 8_000;
/** Longest wait of the first tries: a server that restarts, or another one that takes over, is back within seconds. */
const SOON_MS = 1_200;
/** Number of failed tries after which the wait is the longest. */
const SOON_TRIES = 10;
/** Close code: the seat is open in another window. */
const WINDOWED = 4001;
/** Close code: the server has refused the connection, or needs its place for another address. It would soon do so
 * again.
 */
const REFUSED = 4000;
export class LiveSocket<Out, In> {
  private socket: WebSocket | null = null;
  private tries = 0;
  private retry = 0;
  private pulse = 0;
  private silence = 0;
  /** Whether to stay closed, for good or until `reopen`. */
  private over = false;
  private readonly wake = () => this.check();
  private readonly show = () => document.hidden || this.check();

  /** `path`: address of the socket on this server. */
  constructor(
    private readonly path: string,
    private readonly ears: Ears<Out, In>,
  ) {
    addEventListener('online', this.wake);
    addEventListener('pageshow', this.wake);
    document.addEventListener('visibilitychange', this.show);
    this.connect();
  }

  send(message: Out | Ping): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Connect again after `elsewhere`. */
  reopen(): void {
    this.over = false;
    this.reconnectNow();
  }

  /** Connect anew, so that the server learns of a session that the browser has got. */
  renew(): void {
    clearTimeout(this.retry);
    this.tries = 0;
    this.drop();
    this.connect();
  }

  close(): void {
    this.over = true;
    removeEventListener('online', this.wake);
    removeEventListener('pageshow', this.wake);
    document.removeEventListener('visibilitychange', this.show);
    clearTimeout(this.retry);
    const socket = this.socket;
    if (socket?.readyState === WebSocket.CONNECTING) {
      // Browsers report an error if a socket is closed before it is open, so close it later.
      socket.onopen = () => socket.close();
      this.socket = null;
    }
    this.drop();
  }

  private connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    this.socket = socket;
    this.ears.link(this.tries === 0 ? 'connecting' : 'lost');
    this.expect(OPENS_MS);
    // A dropped socket may still report events; ignore them.
    const mine = (): boolean => this.socket === socket;
    socket.onopen = () => mine() && this.opened();
    socket.onmessage = (event) => mine() && this.receive(event.data);
    socket.onclose = (event) => mine() && this.closed(event.code);
  }

  private closed(code: number): void {
    if (code === WINDOWED) return this.leave();
    if (code === REFUSED) this.tries = SOON_TRIES;
    this.lose();
  }

  private opened(): void {
    this.send(this.ears.hello());
    this.expect(WELCOMES_MS);
  }

  private receive(data: unknown): void {
    this.tries = 0;
    clearTimeout(this.silence);
    if (this.pulse === 0) this.pulse = window.setInterval(() => this.beat(), PING_MS);
    if (typeof data === 'string') this.ears.message(JSON.parse(data) as In);
  }

  private beat(): void {
    this.send({ type: 'ping' });
    this.expect(PONG_MS);
  }

  /** Find out whether the connection is alive, and connect again at once if not. */
  private check(): void {
    const state = this.socket?.readyState;
    if (this.over || state === WebSocket.CONNECTING) return;
    if (state !== WebSocket.OPEN) return this.reconnectNow();
    // A connection without its welcome has a wait of its own.
    if (this.pulse === 0) return;
    this.send({ type: 'ping' });
    this.expect(WAKE_MS, () => {
      this.tries = 1;
      this.drop();
      this.reconnectNow();
    });
  }

  /** Treat the connection as lost if no message comes within this time. */
  private expect(within: number, otherwise = () => this.lose()): void {
    clearTimeout(this.silence);
    this.silence = window.setTimeout(otherwise, within);
  }

  private lose(): void {
    this.drop();
    this.ears.link('lost');
    const longest = this.tries < SOON_TRIES ? SOON_MS : LONGEST_WAIT_MS;
    const wait = Math.min(longest, 300 * 2 ** this.tries) * (0.75 + Math.random() / 2);
    this.tries += 1;
    this.retry = window.setTimeout(() => this.connect(), wait);
  }

  private leave(): void {
    this.over = true;
    this.drop();
    this.ears.link('elsewhere');
  }

  private reconnectNow(): void {
    if (this.over || this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.retry);
    this.drop();
    this.connect();
  }

  private drop(): void {
    clearInterval(this.pulse);
    clearTimeout(this.silence);
    this.pulse = 0;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
