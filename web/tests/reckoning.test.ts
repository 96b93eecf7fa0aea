import { expect, test } from 'vitest';
import { greatestBattle, logOf, lossesOf } from '../src/lib/reckoning';
import type { Replay } from '../src/lib/messages';
import { event } from './make';

const FALLEN = { won: ['defender'], lost: ['attacker'], both: ['attacker', 'defender'] } as const;
const fought = (turn: number, code: string, attacker_face: string, defender_face = '') => ({
  seq: turn,
  by: turn % 2 ? 'red' : 'blue',
  turn,
  events: [event('moved'), event(code, { attacker_face, defender_face })],
});
const turnOf = (...log: ReturnType<typeof fought>[]): number | undefined => greatestBattle(log, FALLEN, '')?.turn;

test('the battle that mattered is the one in which the highest rank fell', () => {
  expect(turnOf(fought(1, 'won', 'miner', 'scout'), fought(2, 'won', 'spy', 'marshal'))).toBe(2);
  expect(turnOf(fought(1, 'lost', 'general', 'bomb'), fought(2, 'won', 'marshal', 'major'))).toBe(1);
  expect(turnOf(fought(1, 'both', 'major', 'major'), fought(2, 'lost', 'captain'))).toBe(1);
});

test('of equal ones it is the latest, and none where nothing with a rank fell', () => {
  expect(turnOf(fought(1, 'won', 'major', 'scout'), fought(2, 'won', 'captain', 'scout'))).toBe(2);
  expect(turnOf(fought(1, 'won', 'miner', 'bomb'), fought(3, 'won', 'miner', 'flag'))).toBeUndefined();
  expect(turnOf()).toBeUndefined();
});

test('what the winner lost does not count', () => {
  const battle = (turn: number, code: string, faces: string, args: Record<string, string>) => {
    const [attacker_face, defender_face] = faces.split(' ');
    return { seq: turn, by: 'red', turn, events: [event(code, { attacker_face, defender_face, ...args })] };
  };
  const two = [
    battle(1, 'won', 'marshal miner', { side: 'red' }),
    battle(2, 'both', 'major major', { side: 'blue' }),
    battle(3, 'lost', 'general bomb', { side: 'red' }),
  ];
  expect(greatestBattle(two, FALLEN, 'red')?.turn).toBe(2);
  expect(greatestBattle(two, FALLEN, 'blue')?.turn).toBe(3);
  const four = [
    battle(1, 'won', 'marshal general', { side: 'green', other: 'red' }),
    battle(2, 'won', 'marshal major', { side: 'green', other: 'blue' }),
  ];
  expect(greatestBattle(four, FALLEN, 'red')?.turn).toBe(2);
  expect(greatestBattle(four, FALLEN, 'green')?.turn).toBe(1);
  expect(greatestBattle(two.slice(0, 1), FALLEN, 'blue')).toBeNull();
});

test('what was taken back does not count', () => {
  const back = (turn: number) => ({ seq: turn, by: 'red', turn, events: [event('took-back', { side: 'red' })] });
  expect(
    turnOf(
      fought(1, 'won', 'miner', 'major'),
      fought(3, 'won', 'spy', 'marshal'),
      fought(4, 'lost', 'general'),
      back(5),
    ),
  ).toBe(1);
  expect(
    turnOf(fought(1, 'won', 'miner', 'major'), fought(3, 'won', 'spy', 'marshal'), back(4), back(4)),
  ).toBeUndefined();
});

test('a replay tells the log that an observer would have had', () => {
  const steps = [
    { ...fought(1, 'won', 'spy', 'marshal'), text: 'b4xb5', patches: {} },
    { ...fought(2, 'won', 'miner', 'scout'), text: 'a1xa2', patches: {} },
  ].map((step) => ({ ...step, events: { red: step.events, public: [] } }));
  const replay = { steps } as unknown as Replay;
  expect(greatestBattle(logOf(replay, 'red'), FALLEN, '')).toMatchObject({ turn: 1, by: 'red' });
  expect(greatestBattle(logOf(replay, 'public'), FALLEN, '')).toBeNull();
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
