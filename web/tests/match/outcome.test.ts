import { expect, test } from 'vitest';
import { greatestBattle, logOf, lossesOf } from '../../src/match/end/outcome';
import type { Replay } from '../../src/protocol/messages';
import { event } from '../make';

const fought = (turn: number, fell: Record<string, number>) => ({
  seq: turn,
  by: turn % 2 ? 'red' : 'blue',
  turn,
  events: [event('moved'), { ...event('battle'), fell }],
});
/** Small battles that come before the important ones. */
const SMALL = [fought(1, { red: 1 }), fought(2, { blue: 1 })];
const turnOf = (...log: ReturnType<typeof fought>[]): number | undefined =>
  greatestBattle([...SMALL, ...log], '')?.turn;

test('the battle that mattered is the one with the greatest loss', () => {
  expect(turnOf(fought(3, { red: 2 }), fought(4, { red: 10 }))).toBe(4);
  expect(turnOf(fought(3, { red: 9 }), fought(4, { red: 7 }))).toBe(3);
  expect(turnOf(fought(3, { red: 7, blue: 7 }), fought(4, { blue: 6 }))).toBe(3);
});

test('of equal ones it is the latest', () => {
  expect(turnOf(fought(3, { red: 2 }), fought(4, { blue: 2 }))).toBe(4);
});

test('it is not told of fewer than three battles, nor where all cost the same', () => {
  expect(greatestBattle([fought(1, { red: 2 }), fought(2, { red: 10 })], '')).toBeNull();
  expect(turnOf(fought(3, {}), fought(4, {}))).toBeUndefined();
  expect(turnOf(fought(3, { red: 1 }), fought(4, { blue: 1 }))).toBeUndefined();
  expect(greatestBattle([], '')).toBeNull();
});

test('what the winner lost does not count', () => {
  const log = [
    ...[1, 2].map((turn) => fought(turn, { red: 2, blue: 2 })),
    ...[fought(3, { blue: 3 }), fought(4, { red: 7, blue: 7 }), fought(5, { red: 9 })],
  ];
  expect(greatestBattle(log, 'red')?.turn).toBe(4);
  expect(greatestBattle(log, 'blue')?.turn).toBe(5);
  expect(greatestBattle(log.slice(2), 'blue')).toBeNull();
});

test('what was taken back does not count', () => {
  const back = (turn: number) => ({ seq: turn, by: 'red', turn, events: [event('took-back', { side: 'red' })] });
  const fights = [fought(3, { blue: 7 }), fought(5, { blue: 10 })];
  expect(turnOf(...fights, fought(6, { blue: 9 }), back(7))).toBe(3);
  expect(turnOf(...fights, back(6), back(6))).toBeUndefined();
});

test('a replay tells the log that an observer would have had', () => {
  const steps = [
    { ...fought(1, { blue: 10 }), text: 'b4xb5', patches: {} },
    { ...fought(2, { red: 2 }), text: 'a1xa2', patches: {} },
    { ...fought(3, { red: 3 }), text: 'c1xc2', patches: {} },
  ].map((step) => ({ ...step, events: { red: step.events, public: [] } }));
  const replay = { steps } as unknown as Replay;
  expect(greatestBattle(logOf(replay, 'red'), '')).toMatchObject({ turn: 1, by: 'red' });
  expect(greatestBattle(logOf(replay, 'public'), '')).toBeNull();
});

test('losses are counted for each side', () => {
  const lost = (side: string, ...counts: number[]) => ({
    kind: 'lost',
    side,
    items: counts.map((count, index) => ({ id: `${side}${index}`, face: 'scout', count })),
  });
  const hand = { kind: 'hand', side: 'red', items: [{ id: 'h', face: '' }] };
  expect(lossesOf([lost('red', 2, 1), lost('blue'), hand])).toEqual([
    { side: 'red', count: 3 },
    { side: 'blue', count: 0 },
  ]);
});
