import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MatchClient, type MatchOptions } from '../../src/match/client.svelte';
import type { MatchInfo } from '../../src/protocol/messages';
import { choice, event, scene, squares, token, update } from '../make';
import { FakeSocket } from '../socket';

const INFO = {
  id: 'm',
  variant: 'duel',
  family: 'grid',
  seats: [],
  started: true,
  ended: false,
} as unknown as MatchInfo;
const CHOICES = [choice(1, 'a1', 'a2'), choice(2, 'b1', 'b2')];
const BEFORE = scene([token('1', 'a1')], { to_act: ['red'] });

let client: MatchClient;
const said = (): string[] => client.telling.spoken.map(({ prefix, lines }) => `${prefix}.${lines[0]?.code}`);
const last = (): FakeSocket => FakeSocket.last();
/** Wait until all movements are over. */
const played = () => vi.advanceTimersByTimeAsync(5_000);

function sit(options: Partial<MatchOptions> = {}): void {
  client = new MatchClient({ id: 'm', secret: 's', ...options });
  last().open();
}

function welcome(seq = 0, latest = seq): void {
  const now = { seq, scene: BEFORE, choices: CHOICES, draft: false };
  last().say({ type: 'welcome', match: INFO, side: 'red', board: squares(2, 2), now, n: 0, latest, ending: null });
}

function moved(seq: number, by: string): Record<string, unknown> {
  const patch = { tokens: [token('1', 'a2')], rest: { status: { code: 'turn', args: { side: 'blue' } }, to_act: [] } };
  return { ...update(seq, by, [event('moved', { side: by })], { patch }) };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.all = [];
});

afterEach(() => {
  client.close();
  vi.useRealTimers();
});

test('a welcome brings the match, its layout, and what can be chosen', async () => {
  const joined = vi.fn();
  sit({ joined });
  expect([client.ready, client.match.layout, client.match.scene]).toEqual([false, undefined, null]);
  welcome();
  await played();
  expect(joined).toHaveBeenCalledOnce();
  expect([client.ready, client.match.myTurn, client.match.side]).toEqual([true, true, 'red']);
  expect(client.match.layout?.deploying.fromHand).toBe(false);
  expect([...client.choosing.steps]).toEqual(['a1', 'b1']);
  expect(said()).toEqual(['status.turn']);
});

test('a choice is sent, waited for, shown and told', async () => {
  sit();
  welcome();
  await played();
  client.choosing.step('a1', false);
  client.choosing.step('a2', false);
  expect(last().acts()).toEqual([{ type: 'act', n: 1, actions: [1], after: 0 }]);
  expect([client.ready, client.choosing.steps.size]).toEqual([false, 0]);
  last().say({ type: 'stored', n: 1, seq: 1 });
  last().say(moved(1, 'red'));
  await played();
  expect(client.match.scene?.tokens[0]?.place).toBe('a2');
  expect([client.ready, client.match.myTurn, client.choosing.choices]).toEqual([true, false, []]);
  expect(said()).toEqual(['status.turn', 'event.moved', 'status.turn']);
  expect(client.telling.log.map(({ by }) => by)).toEqual(['red']);
});

test('the newest thing is taken back first: what is still open, then the last decision', async () => {
  sit();
  welcome();
  await played();
  const asked = () => last().sent.filter(({ type }) => type === 'take-back' || type === 'return');
  expect(client.takeback.takeBack()).toBe(false);
  last().say({ type: 'presence', match: { ...INFO, alone: true, returnable: true, took_back: 2 } });
  client.choosing.offer(CHOICES, true);
  expect([client.takeback.available, client.takeback.isNext]).toEqual([true, false]);
  client.takeback.takeBack();
  client.choosing.offer(CHOICES, false);
  expect(client.takeback.isNext).toBe(true);
  client.takeback.takeBack();
  expect(asked()).toEqual([{ type: 'take-back' }, { type: 'return', n: 3 }]);
});

test('a hint is asked for once, and stands until something happens', async () => {
  sit();
  welcome();
  await played();
  const asked = () => last().sent.filter(({ type }) => type === 'ask-advice').length;
  client.advisor.ask();
  expect(asked()).toBe(0);
  last().say({ type: 'presence', match: { ...INFO, alone: true } });
  client.advisor.ask();
  client.advisor.ask();
  expect([asked(), client.advisor.thinking]).toEqual([1, true]);
  last().say({ type: 'advice', path: ['a1', 'a2'], chance: 0.6 });
  expect([client.advisor.advice?.path, client.advisor.thinking]).toEqual([['a1', 'a2'], false]);
  last().say(moved(1, 'red'));
  await played();
  expect(client.advisor.advice).toBeNull();
});

test('what was asked for an arrangement is asked again on a new line', async () => {
  sit();
  welcome();
  await played();
  const asked = () => last().sent.filter(({ type }) => type === 'suggest');
  const found = client.questions.suggest({ a1: 'flag' });
  expect(asked()).toEqual([{ type: 'suggest', at: { a1: 'flag' } }]);
  const before = last();
  before.close();
  await played();
  expect(last()).not.toBe(before);
  last().open();
  expect(asked()).toEqual([]);
  welcome();
  expect(asked()).toEqual([{ type: 'suggest', at: { a1: 'flag' } }]);
  last().say({ type: 'suggestion', at: { a1: 'flag', b1: 'spy', a2: '' }, actions: [] });
  expect([...((await found) ?? [])]).toEqual([
    ['a1', 'flag'],
    ['b1', 'spy'],
  ]);
  welcome();
  expect(asked()).toHaveLength(1);
});

test('the past is shown without being said', async () => {
  sit();
  welcome(0, 1);
  await played();
  expect(client.match.busy).toBe(true);
  last().say(moved(1, 'blue'));
  await played();
  expect([client.match.busy, said()]).toEqual([false, ['status.turn']]);
  expect(client.telling.log).toHaveLength(1);
});

test('a refusal stands until something happens', async () => {
  sit();
  welcome();
  await played();
  last().say({ type: 'refused', n: 0, line: { code: 'not-now', args: {} } });
  expect(client.choosing.refused?.code).toBe('not-now');
  last().say(moved(1, 'blue'));
  await played();
  expect(client.choosing.refused).toBeNull();
});

test('offers, presence and the end', async () => {
  const rematch = vi.fn();
  sit({ rematch });
  welcome();
  last().say({ type: 'draw-offers', sides: ['blue'] });
  last().say({ type: 'presence', match: { ...INFO, next: 'm2' } });
  const ending = { reason: 'flag', returns: [1, -1], winner: 'red' };
  const patch = { tokens: [token('1', 'a1', 'red', 'flag')] };
  last().say({ type: 'ended', ending, match: { ...INFO, ended: true }, patch });
  last().say({ type: 'rematch-offered', sides: ['blue'] });
  last().say({ type: 'rematch-ready', match: 'm2', secret: 't' });
  await played();
  expect([client.match.offers, client.match.rematches, client.match.ending]).toEqual([['blue'], ['blue'], ending]);
  expect([client.match.info?.ended, client.match.scene?.tokens[0]?.face]).toEqual([true, 'flag']);
  expect(rematch).toHaveBeenCalledWith('m2', 't', false);
});
