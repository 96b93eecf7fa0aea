// One connection to a match that comes back by itself. It knows the wire, not what the messages mean.

import type { FromPage, ToPage } from '../messages';

export type Link = 'connecting' | 'open' | 'lost';

export interface Ears {
  /** Called on every new connection: the first message to send. */
  hello: () => FromPage;
  message: (message: ToPage) => void;
  link: (link: Link) => void;
}

const PING_MS = 20_000;
const SILENCE_MS = 45_000;
const LONGEST_WAIT_MS = 8_000;

export class MatchSocket {
  private socket: WebSocket | null = null;
  private tries = 0;
  private retry = 0;
  private pulse = 0;
  private heard = 0;
  private over = false;
  private readonly wake = () => this.reconnectNow();

  constructor(
    private readonly match: string,
    private readonly ears: Ears,
  ) {
    addEventListener('online', this.wake);
    this.connect();
  }

  send(message: FromPage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.over = true;
    removeEventListener('online', this.wake);
    clearTimeout(this.retry);
    this.drop();
  }

  private connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${scheme}//${location.host}/api/matches/${encodeURIComponent(this.match)}/socket`);
    this.socket = socket;
    this.ears.link(this.tries === 0 ? 'connecting' : 'lost');
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
  }

  private opened(): void {
    this.heard = Date.now();
    this.pulse = window.setInterval(() => this.beat(), PING_MS);
    this.send(this.ears.hello());
  }

  private receive(data: unknown): void {
    this.heard = Date.now();
    this.tries = 0;
    if (typeof data === 'string') this.ears.message(JSON.parse(data) as ToPage);
  }

  private beat(): void {
    // A dead line may look open for minutes: without an answer it is given up.
    if (Date.now() - this.heard > SILENCE_MS) this.socket?.close();
    else this.send({ type: 'ping' });
  }

  private lost(): void {
    this.drop();
    if (this.over) return;
    this.ears.link('lost');
    const wait = Math.min(LONGEST_WAIT_MS, 300 * 2 ** this.tries) * (0.75 + Math.random() / 2);
    this.tries += 1;
    this.retry = window.setTimeout(() => this.connect(), wait);
  }

  private reconnectNow(): void {
    if (this.over || this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.retry);
    this.drop();
    this.connect();
  }

  private drop(): void {
    clearInterval(this.pulse);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
