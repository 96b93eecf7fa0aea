import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MatchSight, type MatchOptions } from '../../src/match/sight.svelte';
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

let sight: MatchSight;
const said = (): string[] => sight.telling.spoken.map(({ prefix, lines }) => `${prefix}.${lines[0]?.code}`);
const last = (): FakeSocket => FakeSocket.last();
/** All that is played is over. */
const played = () => vi.advanceTimersByTimeAsync(5_000);

function sit(options: Partial<MatchOptions> = {}): void {
  sight = new MatchSight({ id: 'm', secret: 's', ...options });
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
  sight.close();
  vi.useRealTimers();
});

test('a welcome brings the match, its layout, and what can be chosen', async () => {
  const joined = vi.fn();
  sit({ joined });
  expect([sight.ready, sight.layout, sight.scene]).toEqual([false, undefined, null]);
  welcome();
  await played();
  expect(joined).toHaveBeenCalledOnce();
  expect([sight.ready, sight.myTurn, sight.side]).toEqual([true, true, 'red']);
  expect(sight.layout?.deploying.fromHand).toBe(false);
  expect([...sight.choosing.steps]).toEqual(['a1', 'b1']);
  expect(said()).toEqual(['status.turn']);
});

test('a choice is sent, waited for, shown and told', async () => {
  sit();
  welcome();
  await played();
  sight.choosing.step('a1', false);
  sight.choosing.step('a2', false);
  expect(last().acts()).toEqual([{ type: 'act', n: 1, actions: [1] }]);
  expect([sight.ready, sight.choosing.steps.size]).toEqual([false, 0]);
  last().say({ type: 'stored', n: 1, seq: 1 });
  last().say(moved(1, 'red'));
  await played();
  expect(sight.scene?.tokens[0]?.place).toBe('a2');
  expect([sight.ready, sight.myTurn, sight.choosing.choices]).toEqual([true, false, []]);
  expect(said()).toEqual(['status.turn', 'event.moved', 'status.turn']);
  expect(sight.telling.log.map(({ by }) => by)).toEqual(['red']);
});

test('the newest thing is taken back first: what is still open, then the last decision', async () => {
  sit();
  welcome();
  await played();
  const asked = () => last().sent.filter(({ type }) => type === 'take-back' || type === 'return');
  expect(sight.goBack()).toBe(false);
  last().say({ type: 'presence', match: { ...INFO, alone: true, returnable: true, took_back: 2 } });
  sight.choosing.offer(CHOICES, true);
  expect([sight.returnable, sight.returnsNext]).toEqual([true, false]);
  sight.goBack();
  sight.choosing.offer(CHOICES, false);
  expect(sight.returnsNext).toBe(true);
  sight.goBack();
  expect(asked()).toEqual([{ type: 'take-back' }, { type: 'return', n: 3 }]);
});

test('a hint is asked for once, and stands until something happens', async () => {
  sit();
  welcome();
  await played();
  const asked = () => last().sent.filter(({ type }) => type === 'ask-advice').length;
  sight.askHint();
  expect(asked()).toBe(0);
  last().say({ type: 'presence', match: { ...INFO, alone: true } });
  sight.askHint();
  sight.askHint();
  expect([asked(), sight.hinting]).toEqual([1, true]);
  last().say({ type: 'advice', path: ['a1', 'a2'], chance: 0.6 });
  expect([sight.hint?.path, sight.hinting]).toEqual([['a1', 'a2'], false]);
  last().say(moved(1, 'red'));
  await played();
  expect(sight.hint).toBeNull();
});

test('what was asked for an arrangement is asked again on a new line', async () => {
  sit();
  welcome();
  await played();
  const asked = () => last().sent.filter(({ type }) => type === 'suggest');
  const found = sight.suggest({ a1: 'flag' });
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
  expect(sight.queue.busy).toBe(true);
  last().say(moved(1, 'blue'));
  await played();
  expect([sight.queue.busy, said()]).toEqual([false, ['status.turn']]);
  expect(sight.telling.log).toHaveLength(1);
});

test('a refusal stands until something happens', async () => {
  sit();
  welcome();
  await played();
  last().say({ type: 'refused', n: 0, line: { code: 'not-now', args: {} } });
  expect(sight.choosing.refused?.code).toBe('not-now');
  last().say(moved(1, 'blue'));
  await played();
  expect(sight.choosing.refused).toBeNull();
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
  expect([sight.offers, sight.rematches, sight.ending]).toEqual([['blue'], ['blue'], ending]);
  expect([sight.info?.ended, sight.scene?.tokens[0]?.face]).toEqual([true, 'flag']);
  expect(rematch).toHaveBeenCalledWith('m2', 't', false);
});
