import { expect, test } from 'vitest';
import { recall } from '../../src/layouts/map/beside/recap';
import type { LogEntry } from '../../src/board/notes/log';
import type { Event } from '../../src/protocol/messages';
import { event, scene, token, words } from '../make';

const entry = (seq: number, by: string, ...events: Event[]): LogEntry => ({ seq, by, turn: 1, events });
const taken = event('battle-won', {
  side: 'blue',
  other: 'red',
  attacker_face: 'king',
  defender_face: 'queen',
  space: 'b1',
});
const LOG = [
  entry(1, 'blue', taken),
  entry(2, 'red', event('moved', { side: 'red', from: 'a1', to: 'a2' })),
  entry(3, '', event('drew', { side: 'blue', card: 'blitz' })),
  entry(4, 'blue', event('card', { side: 'blue', card: 'blitz' })),
  entry(5, 'blue', taken, event('control', { side: 'blue', territory: 'b' })),
  entry(6, 'green', event('moved', { side: 'green', from: 'c1', to: 'c2' })),
  entry(7, 'ochre', event('looked', { side: 'ochre', spaces: ['a2', 'c1'] })),
];
const NOW = scene([token('red1', 'a2'), token('green1', 'c1', 'green')]);

test('each turn of another is told as one, since the own last decision', () => {
  const { turns, places } = recall(LOG, 'red', NOW);
  expect(turns.map(({ side, own, rest }) => [side, own.length, rest.length])).toEqual([
    ['blue', 1, 1],
    ['ochre', 1, 0],
  ]);
  expect(places).toEqual(['b1', 'a2']);
  const { tellings } = words({ family: 'conquest', seat: 'red' });
  expect(turns.flatMap(({ own }) => tellings(own))).toEqual([
    'King (10) of Blue takes your Queen (9) in b1.',
    'Ochre looks at your units in a2.',
  ]);
});

test('a guess of an own unit is told with what came of it', () => {
  const guess = event('guessed', { side: 'blue', other: 'red', space: 'a2', face: 'king' });
  const log = [...LOG.slice(0, 2), entry(3, 'blue', guess, event('missed', { side: 'blue', space: 'a2' }))];
  const { turns, places } = recall(log, 'red', NOW);
  expect(turns[0]?.own.map(({ code }) => code)).toEqual(['guessed', 'missed']);
  expect(places).toEqual(['a2']);
});

test('who has just decided, or has not begun, is reminded of nothing', () => {
  expect(recall(LOG.slice(0, 2), 'red', NOW)).toEqual({ turns: [], events: [], places: [] });
  expect(recall(LOG, 'red', { ...NOW, started: false }).turns).toEqual([]);
  expect(recall(LOG.slice(0, 1), 'red', NOW).turns).toEqual([]);
});

test('what was done to the viewer is told first of all, the Flag before all else', () => {
  const captured = event('captured', { side: 'ochre', other: 'red', space: 'a2' });
  const { events } = recall([...LOG, entry(8, 'ochre', captured)], 'red', NOW);
  expect(events.map(({ code }) => code)).toEqual(['captured', 'battle-won', 'looked', 'card']);
});
