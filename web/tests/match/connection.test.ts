import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection } from '../../src/match/updates/connection.svelte';
import type { ToPage } from '../../src/protocol/messages';
import { FakeSocket } from '../socket';

let heard: string[];
let connection: Connection;
const last = (): FakeSocket => FakeSocket.last();
const acts = (): unknown[] => last().acts();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.all = [];
  heard = [];
  connection = new Connection(
    'm 1',
    { secret: 'secret' },
    {
      shown: 7,
      hear: (message: ToPage) => heard.push(message.type),
      refuse: (line) => heard.push(`refused ${line.code}`),
    },
  );
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

function welcome(n = 0, draft = false): void {
  last().open();
  last().say({ type: 'welcome', n, side: 'red', now: { draft } });
}

/** Lose the connection and connect again. */
function reconnect(n: number, draft = false): void {
  last().close();
  expect(connection.link).toBe('lost');
  vi.advanceTimersByTime(10_000);
  welcome(n, draft);
}

test('it says who it is and what it has been shown', () => {
  expect(last().url).toContain('/api/matches/m%201/socket');
  last().open();
  expect(last().sent).toEqual([{ type: 'hello', secret: 'secret', window: expect.any(String), seq: 7, hints: true }]);
  expect(connection.link).toBe('connecting');
  last().say({ type: 'welcome', n: 0, side: 'red', now: {} });
  expect(connection.link).toBe('open');
  expect(heard).toEqual(['welcome']);
});

test('it says whether this window shows hints: in its hello, and once at each change', () => {
  welcome();
  connection.showHints(true);
  expect(last().sent).toHaveLength(1);
  connection.showHints(false);
  connection.showHints(false);
  expect(last().sent.slice(1)).toEqual([{ type: 'show-hints', on: false }]);
  reconnect(0);
  expect(last().sent[0]).toMatchObject({ type: 'hello', hints: false });
});

test('an act that is not confirmed is told of after a while, until it is stored', () => {
  welcome();
  connection.act([5]);
  expect(connection.unconfirmed).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(connection.unconfirmed).toBe(true);
  last().say({ type: 'stored', n: 1, seq: 8 });
  expect(connection.unconfirmed).toBe(false);
  connection.noteShown(true);
  connection.act([6]);
  expect(connection.unconfirmed).toBe(false);
  last().close();
  expect(connection.unconfirmed).toBe(true);
  vi.advanceTimersByTime(10_000);
  welcome(1);
  last().say({ type: 'refused', line: { code: 'stale' }, n: 2 });
  expect(connection.unconfirmed).toBe(false);
});

test('an act that is stored is not told of, however long what it brought about is shown', () => {
  welcome();
  connection.act([5]);
  last().say({ type: 'stored', n: 1, seq: 8 });
  vi.advanceTimersByTime(10_000);
  expect(connection.waiting).toBe(true);
  expect(connection.unconfirmed).toBe(false);
  last().close();
  expect(connection.kept).toBe(false);
});

test('an act without a line is told of as kept, until it has gone out', () => {
  welcome();
  expect(connection.kept).toBe(false);
  last().close();
  connection.act([5]);
  expect(connection.kept).toBe(true);
  vi.advanceTimersByTime(10_000);
  welcome(0);
  expect(acts()).toEqual([{ type: 'act', n: 1, actions: [5], after: 0 }]);
  expect(connection.kept).toBe(false);
});

test('an act is waited for until what it brought about was shown', () => {
  welcome();
  connection.act([5]);
  expect(acts()).toEqual([{ type: 'act', n: 1, actions: [5], after: 0 }]);
  connection.noteShown(false);
  expect(connection.waiting).toBe(true);
  last().say({ type: 'stored', n: 1, seq: 3 });
  expect(connection.waiting).toBe(true);
  connection.noteShown(true);
  expect(connection.waiting).toBe(false);
});

test('an act that was not stored goes out again under its own number', () => {
  welcome();
  connection.act([5]);
  reconnect(0);
  expect(acts()).toEqual([{ type: 'act', n: 1, actions: [5], after: 0 }]);
  expect(connection.waiting).toBe(true);
});

test('an act that was stored does not', () => {
  welcome();
  connection.act([5]);
  reconnect(1);
  expect(acts()).toEqual([]);
  expect(connection.waiting).toBe(false);
});

test('a number that another window used is used up here too', () => {
  welcome(3);
  last().say({ type: 'stored', n: 5, seq: 9 });
  connection.act([1]);
  expect(acts()).toEqual([{ type: 'act', n: 6, actions: [1], after: null }]);
});

test('a refused act is over, another one goes on', () => {
  welcome();
  connection.act([5]);
  last().say({ type: 'refused', n: 9, line: { code: 'not-now', args: {} } });
  expect(connection.waiting).toBe(true);
  last().say({ type: 'refused', n: 1, line: { code: 'not-now', args: {} } });
  expect(connection.waiting).toBe(false);
  expect(heard).toEqual(['welcome', 'refused not-now', 'refused not-now']);
});

test('without such a match or seat it does not connect again', () => {
  last().open();
  last().say({ type: 'refused', n: 0, line: { code: 'no-seat', args: {} } });
  expect(connection.fatal?.code).toBe('no-seat');
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(1);
});

test('once welcomed, no refusal ends it', () => {
  welcome();
  last().say({ type: 'refused', n: 0, line: { code: 'no-seat', args: {} } });
  expect(connection.fatal).toBeNull();
});

test('a ping that nobody answers ends the connection, though the line looks open', () => {
  welcome();
  const first = last();
  first.dead = true;
  vi.advanceTimersByTime(15_000);
  expect(first.sent.at(-1)).toEqual({ type: 'ping' });
  expect(connection.link).toBe('open');
  vi.advanceTimersByTime(10_000);
  expect(connection.link).toBe('lost');
  vi.advanceTimersByTime(1_000);
  expect(FakeSocket.all).toHaveLength(2);
  welcome();
  expect(connection.link).toBe('open');
  first.say({ type: 'presence' });
  expect(heard).toEqual(['welcome', 'welcome']);
});

test('who leaves while a connection is opened has it closed when it is open', () => {
  const left = last();
  connection.close();
  expect(left.readyState).toBe(FakeSocket.CONNECTING);
  left.open();
  expect(left.readyState).toBe(3);
  expect(left.sent).toEqual([]);
});

test('a window keeps its name, and another has another', () => {
  welcome();
  const [first] = last().sent;
  reconnect(0);
  expect(last().sent[0]).toEqual(first);
  connection.close();
  connection = new Connection('m', { secret: '' }, { shown: 7, hear: () => {}, refuse: () => {} });
  last().open();
  expect(last().sent[0]?.window).not.toBe(first?.window);
});

test('whatever is heard after a ping keeps it', () => {
  welcome();
  for (let beat = 0; beat < 9; beat += 1) {
    vi.advanceTimersByTime(15_000);
    last().say(beat % 2 === 0 ? { type: 'pong' } : { type: 'presence' });
  }
  expect(FakeSocket.all).toHaveLength(1);
});

test('one that never opens, and one that is never welcomed, are tried again', () => {
  vi.advanceTimersByTime(21_000);
  expect(FakeSocket.all).toHaveLength(2);
  last().open();
  vi.advanceTimersByTime(40_000);
  expect(FakeSocket.all).toHaveLength(2);
  vi.advanceTimersByTime(22_000);
  expect(FakeSocket.all).toHaveLength(3);
});

test('a match that is closed is opened anew, a window that was closed for another is not', () => {
  welcome();
  last().close(1013);
  vi.advanceTimersByTime(1_000);
  expect(FakeSocket.all).toHaveLength(2);
  welcome();
  last().close(4001);
  expect(connection.link).toBe('elsewhere');
  vi.advanceTimersByTime(120_000);
  dispatchEvent(new Event('online'));
  expect(FakeSocket.all).toHaveLength(2);
  connection.goOnHere();
  expect(FakeSocket.all).toHaveLength(3);
  welcome();
  expect(connection.link).toBe('open');
});

test('an invitation is sent with the secret that opens it', () => {
  connection.close();
  connection = new Connection('m', { secret: 'own', invitation: 'i' }, { shown: -1, hear: () => {}, refuse: () => {} });
  last().open();
  expect(last().sent).toMatchObject([{ type: 'hello', secret: 'own', invitation: 'i', seq: -1 }]);
});

test('a seat that was given to another is lost in the midst of a match', () => {
  welcome();
  last().say({ type: 'refused', n: 0, line: { code: 'invitation-ended', args: {} } });
  last().close(4000);
  expect(connection.fatal?.code).toBe('invitation-ended');
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(1);
});

test('a window that was refused for lack of room does not ask again and again', () => {
  for (const tries of [1, 2, 3]) {
    last().open();
    last().say({ type: 'refused', n: 0, line: { code: 'too-many', args: {} } });
    last().close(4000);
    expect(connection.link).toBe('lost');
    vi.advanceTimersByTime(5_000);
    expect(FakeSocket.all).toHaveLength(tries);
    vi.advanceTimersByTime(6_000);
    expect(FakeSocket.all).toHaveLength(tries + 1);
  }
  expect(heard).toEqual(['refused too-many', 'refused too-many', 'refused too-many']);
  welcome();
  expect(connection.link).toBe('open');
});

test('it remembers to have asked for a rematch', () => {
  welcome();
  expect(connection.wantsRematch).toBe(false);
  expect(connection.offerRematch()).toBe(true);
  expect(connection.wantsRematch).toBe(true);
  last().close();
  expect(connection.resign()).toBe(false);
});

test('a page that wakes up asks at once, and connects anew if nobody answers soon', () => {
  const hide = (hidden: boolean): void => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const pings = (): number => last().sent.filter(({ type }) => type === 'ping').length;
  welcome();
  hide(true);
  expect(pings()).toBe(0);
  hide(false);
  expect(pings()).toBe(1);
  last().say({ type: 'pong' });
  vi.advanceTimersByTime(10_000);
  expect([FakeSocket.all.length, connection.link]).toEqual([1, 'open']);
  last().dead = true;
  dispatchEvent(new Event('online'));
  expect(pings()).toBe(2);
  vi.advanceTimersByTime(4_000);
  expect([FakeSocket.all.length, connection.link]).toEqual([2, 'lost']);
  hide(false);
  expect(FakeSocket.all.length).toBe(2);
  welcome();
  last().close();
  hide(false);
  expect(FakeSocket.all.length).toBe(3);
  welcome();
  expect(connection.link).toBe('open');
  connection.close();
  hide(false);
  expect(pings()).toBe(0);
});

/** Act, and let the server keep the act as a draft. */
function draft(n: number, ...actions: number[]): void {
  connection.act(actions);
  last().say({ type: 'stored', n, seq: 0 });
  last().say({ type: 'update', seq: 0, draft: true, by: '' });
}

test('the parts of an open choice go out again together when the server has lost them', () => {
  welcome();
  draft(1, 5);
  draft(2, 6, 7);
  connection.act([8]);
  expect(acts().at(-1)).toEqual({ type: 'act', n: 3, actions: [8], after: 3 });
  reconnect(0);
  expect(acts()).toEqual([{ type: 'act', n: 3, actions: [5, 6, 7, 8], after: 0 }]);
});

test('an open choice goes out again before its next part is chosen', () => {
  welcome();
  draft(1, 5);
  reconnect(0);
  expect(acts()).toEqual([{ type: 'act', n: 1, actions: [5], after: 0 }]);
});

test('a part that the server still has is not sent again', () => {
  welcome();
  draft(1, 5);
  connection.act([6]);
  reconnect(1, true);
  expect(acts()).toEqual([{ type: 'act', n: 2, actions: [6], after: 1 }]);
});

test('a choice that is closed or taken back is over', () => {
  welcome();
  draft(1, 5);
  connection.act([6]);
  last().say({ type: 'stored', n: 2, seq: 1 });
  last().say({ type: 'update', seq: 1, by: 'red' });
  connection.act([7]);
  expect(acts().at(-1)).toEqual({ type: 'act', n: 3, actions: [7], after: 0 });
  draft(4, 8);
  connection.takeBack();
  reconnect(3);
  expect(acts()).toEqual([]);
});

test('of a choice that was begun elsewhere the page does not say how long it is', () => {
  welcome(4, true);
  connection.act([9]);
  expect(acts().at(-1)).toEqual({ type: 'act', n: 5, actions: [9], after: null });
});
