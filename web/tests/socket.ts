// A socket whose other end is the test.

export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen = (): void => {};
  onclose = (): void => {};
  onmessage = (_: { data: string }): void => {};

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  /** The newest one: a connection that was lost is followed by another. */
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

  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose();
  }

  say(message: Record<string, unknown>): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}
