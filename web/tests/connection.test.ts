import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection } from '../src/lib/match/connection.svelte';
import type { ToPage } from '../src/lib/messages';
import { FakeSocket } from './socket';

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
      shown: () => 7,
      hear: (message: ToPage) => heard.push(message.type),
      refuse: (line) => heard.push(`refused ${line.code}`),
    },
  );
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

function welcome(n = 0): void {
  last().open();
  last().say({ type: 'welcome', n });
}

/** The line breaks and comes back. */
function reconnect(n: number): void {
  last().close();
  expect(connection.link).toBe('lost');
  vi.advanceTimersByTime(10_000);
  welcome(n);
}

test('it says who it is and what it has been shown', () => {
  expect(last().url).toContain('/api/matches/m%201/socket');
  last().open();
  expect(last().sent).toEqual([{ type: 'hello', secret: 'secret', seq: 7 }]);
  expect(connection.link).toBe('connecting');
  last().say({ type: 'welcome', n: 0 });
  expect(connection.link).toBe('open');
  expect(heard).toEqual(['welcome']);
});

test('an act is waited for until what it brought about was shown', () => {
  welcome();
  connection.act([5]);
  expect(acts()).toEqual([{ type: 'act', n: 1, actions: [5] }]);
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
  expect(acts()).toEqual([{ type: 'act', n: 1, actions: [5] }]);
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
  expect(acts()).toEqual([{ type: 'act', n: 6, actions: [1] }]);
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

test('a line that is silent for long is given up', () => {
  welcome();
  const first = last();
  vi.advanceTimersByTime(20_000);
  expect(first.sent.at(-1)).toEqual({ type: 'ping' });
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all.length).toBeGreaterThan(1);
});

test('it remembers to have asked for a rematch', () => {
  welcome();
  expect(connection.wantsRematch).toBe(false);
  expect(connection.offerRematch()).toBe(true);
  expect(connection.wantsRematch).toBe(true);
  last().close();
  expect(connection.resign()).toBe(false);
});
