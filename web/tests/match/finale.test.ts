import { expect, test } from 'vitest';
import { finaleOf, STANDS_MS } from '../../src/match/end/finale';
import { layoutOf } from '../../src/layouts';
import type { Event } from '../../src/protocol/messages';
import { event } from '../make';

const TWO = ['red', 'blue'];
const FOUR = ['red', 'blue', 'green', 'ochre'];
const ended = (winner: string, returns: number[], reason = 'flag') => ({ winner, reason, returns });
const entry = (by: string, ...events: Event[]) => ({ seq: 1, by, turn: 1, events });
const fallen = (layout: string) => layoutOf(layout)?.fallen ?? {};
const taken = (face: string, more = {}) =>
  event('battle-won', { attacker_face: 'scout', defender_face: face, ...more });

test('the Flag with whose fall a match ended is shown where it stood', () => {
  const won = ended('red', [1, -1]);
  const attack = event('attacked', { side: 'red', from: 'b4', to: 'b7' });
  const last = entry('red', attack, taken('flag', { space: 'b7' }), event('won', { side: 'red' }));
  const shown = { banners: ['red'], flag: { side: 'blue', space: 'b7' } };
  expect(finaleOf(won, TWO, [last], fallen('grid'))).toEqual(shown);
  expect(finaleOf(won, TWO, [entry('red', attack, taken('flag'))], fallen('table'))).toEqual(shown);
  const other = entry('red', taken('flag', { space: 'lorn-1', other: 'green' }));
  expect(finaleOf(ended('red', [1, -1, -1, -1]), FOUR, [other], fallen('map'))?.flag?.side).toBe('green');
});

test('a Flag that fell before, and another piece, did not end it', () => {
  const won = ended('red', [1, -1]);
  const early = entry('red', taken('flag', { space: 'b7' }));
  expect(finaleOf(won, TWO, [early, entry('blue', event('resigned'))], fallen('grid'))?.flag).toBeNull();
  expect(finaleOf(won, TWO, [entry('red', taken('spy', { space: 'b7' }))], fallen('grid'))?.flag).toBeNull();
  expect(finaleOf(won, TWO, [], fallen('grid'))).toEqual({ banners: ['red'], flag: null });
});

test('all sides of a draw show their banners; a match that was broken off has no finale', () => {
  expect(finaleOf(ended('', [0, 0]), TWO, [], {})?.banners).toEqual(TWO);
  expect(finaleOf(ended('', [0.5, 0.5, -0.5, -0.5]), FOUR, [], {})?.banners).toEqual(['red', 'blue']);
  expect(finaleOf(ended('', [0, 0], 'no-result'), TWO, [], {})).toBeNull();
});

test('nothing that matters is shown for less than a second', () => {
  for (const { banners, flag } of Object.values(STANDS_MS)) {
    expect(banners).toBeGreaterThanOrEqual(1000);
    expect(flag === 0 || flag >= 1000).toBe(true);
  }
});
