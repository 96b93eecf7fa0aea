// A socket whose other end is controlled by the test.

export class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  dead = false;
  onopen = (): void => {};
  onclose = (_: { code: number }): void => {};
  onmessage = (_: { data: string }): void => {};

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  /** Return the newest socket: after a lost connection the page opens another one. */
  static last(): FakeSocket {
    return FakeSocket.all.at(-1) as FakeSocket;
  }

  acts(): unknown[] {
    return this.sent.filter(({ type }) => type === 'act');
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }

  /** Close the socket, as either end may do. A dead connection reports nothing. */
  close(code = 1000): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    if (!this.dead) this.onclose({ code });
  }

  say(message: Record<string, unknown>): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}
