import { expect, test } from 'vitest';
import { greatestBattle, logOf, lossesOf } from '../src/lib/reckoning';
import type { Replay } from '../src/lib/messages';
import { event } from './make';

const fought = (turn: number, fell: Record<string, number>) => ({
  seq: turn,
  by: turn % 2 ? 'red' : 'blue',
  turn,
  events: [event('moved'), { ...event('battle'), fell }],
});
const turnOf = (...log: ReturnType<typeof fought>[]): number | undefined => greatestBattle(log, '')?.turn;

test('the battle that mattered is the one with the greatest loss', () => {
  expect(turnOf(fought(1, { red: 2 }), fought(2, { red: 10 }))).toBe(2);
  expect(turnOf(fought(1, { red: 9 }), fought(2, { red: 7 }))).toBe(1);
  expect(turnOf(fought(1, { red: 7, blue: 7 }), fought(2, { blue: 6 }))).toBe(1);
});

test('of equal ones it is the latest, and none where nothing that counts fell', () => {
  expect(turnOf(fought(1, { red: 2 }), fought(2, { blue: 2 }))).toBe(2);
  expect(turnOf(fought(1, {}), fought(3, {}))).toBeUndefined();
  expect(turnOf()).toBeUndefined();
});

test('what the winner lost does not count', () => {
  const log = [fought(1, { blue: 3 }), fought(2, { red: 7, blue: 7 }), fought(3, { red: 9 })];
  expect(greatestBattle(log, 'red')?.turn).toBe(2);
  expect(greatestBattle(log, 'blue')?.turn).toBe(3);
  expect(greatestBattle(log.slice(0, 1), 'blue')).toBeNull();
});

test('what was taken back does not count', () => {
  const back = (turn: number) => ({ seq: turn, by: 'red', turn, events: [event('took-back', { side: 'red' })] });
  expect(turnOf(fought(1, { blue: 7 }), fought(3, { blue: 10 }), fought(4, { blue: 9 }), back(5))).toBe(1);
  expect(turnOf(fought(1, { blue: 7 }), fought(3, { blue: 10 }), back(4), back(4))).toBeUndefined();
});

test('a replay tells the log that an observer would have had', () => {
  const steps = [
    { ...fought(1, { blue: 10 }), text: 'b4xb5', patches: {} },
    { ...fought(2, { red: 2 }), text: 'a1xa2', patches: {} },
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
