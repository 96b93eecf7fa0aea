import { expect, test } from 'vitest';
import { worthKeeping, worthShowing } from '../../src/board/emphasis';
import { layoutOf } from '../../src/layouts';
import { isLoss, isOwnFlag } from '../../src/layouts/map/weights';
import { event, words } from '../make';

const emphasis = layoutOf('map')?.emphasis ?? { placed: '', onTheWay: [], small: [], idle: [], lasting: [] };
/** Events of one update of an opponent, in order. */
const TOLD = [
  event('attacked', { side: 'ochre', from: 'a1', to: 'b1' }),
  event('battle-won', { side: 'ochre', other: 'red', attacker_face: 'queen', defender_face: 'flag', space: 'b1' }),
  event('captured', { side: 'ochre', other: 'red', space: 'b1' }),
  event('given', { side: 'blue', other: 'ochre' }),
  event('control', { side: 'ochre', territory: 'b' }),
  event('contested', { territory: 'c' }),
];
const codes = (events: { code: string }[]): string[] => events.map(({ code }) => code);

test('the own Flag comes first, then own losses, and last who holds what', () => {
  const shown = codes(worthShowing(TOLD, emphasis, false, 'red'));
  expect(shown).toEqual(['captured', 'battle-won', 'given', 'attacked', 'contested', 'control']);
});

test('the log keeps them as they came', () => {
  expect(worthKeeping(TOLD, emphasis)).toEqual(TOLD);
});

test('what the own last act has brought comes before all of the turn, each part what matters most first', () => {
  const earlier = [
    event('attacked', { side: 'red', from: 'e1', to: 'f1' }),
    event('battle-lost', { side: 'red', other: 'blue' }),
  ];
  const fresh = [
    event('attacked', { side: 'red', from: 'g1', to: 'h1' }),
    event('battle-won', { side: 'red', other: 'blue' }),
  ];
  const shown = (first: typeof fresh) => codes(worthShowing([...earlier, ...fresh], emphasis, false, 'red', first));
  expect(shown([])).toEqual(['battle-lost', 'battle-won', 'attacked', 'attacked']);
  expect(shown(fresh)).toEqual(['battle-won', 'attacked', 'battle-lost', 'attacked']);
});

test('for others Flags come before battles, and cards between them', () => {
  const told = [...TOLD, event('hit', { side: 'green', space: 'd1', face: 'king' })];
  const shown = ['given', 'captured', 'hit', 'battle-won', 'attacked', 'contested', 'control'];
  expect(codes(worthShowing(told, emphasis, false, 'blue'))).toEqual(shown);
  expect(codes(worthShowing(told, emphasis, false, ''))).toEqual(shown);
});

test('who loses a unit, and whose Flag it is', () => {
  const both = event('battle-both', { side: 'red', other: 'blue' });
  expect(['red', 'blue', 'green', ''].map((seat) => isLoss(both, seat))).toEqual([true, true, false, false]);
  expect(isLoss(event('battle-lost', { side: 'red', other: 'blue' }), 'blue')).toBe(false);
  expect(isOwnFlag(event('recaptured', { side: 'red' }), 'red')).toBe(true);
  expect(isOwnFlag(event('captured', { side: 'red', other: 'blue' }), 'red')).toBe(false);
});

test('what happens to the reader is said to the reader', () => {
  const said = (seat: string) => words({ family: 'conquest', seat }).event(TOLD[2] ?? event(''));
  expect(said('red')).toBe('You have lost your Flag: Ochre captures it in b1.');
  expect(said('ochre')).toBe('You capture the Flag of Red.');
  expect(said('green')).toBe('Red has lost its Flag.');
  expect(words({ family: 'conquest', seat: 'red' }).tellings(TOLD.slice(4))).toEqual([
    'Ochre controls b.',
    'c is contested.',
  ]);
});
