import { beforeEach, expect, test } from 'vitest';
import { inOrder, keepAgent, nextLevel, usualAgent } from '../../src/saved/levels';
import { changeMatch, saveMade } from '../../src/saved/matches.svelte';

const known = ['greedy', 'level-1', 'level-2', 'level-3', 'random'];

function finish(id: string, agent: string, result: string, variant = 'duel'): void {
  const made = { match: id, secrets: { red: 'r' }, invitations: {} };
  saveMade(made, { variant, opponent: 'agent', agent, here: ['red'] });
  changeMatch(id, { ended: true, result });
}

beforeEach(() => localStorage.clear());

test('levels come first, the others after them', () => {
  expect(inOrder(['random', 'level-2', 'greedy', 'level-1'])).toEqual(['level-1', 'level-2', 'greedy', 'random']);
});

test('an easy one is meant until somebody chooses, for each variant by itself', () => {
  expect(usualAgent('duel', known)).toBe('level-1');
  keepAgent('duel', 'level-3');
  expect(usualAgent('duel', known)).toBe('level-3');
  expect(usualAgent('barrage', known)).toBe('level-1');
  expect(usualAgent('duel', ['random'])).toBe('random');
});

test('after three wins in a row the next level is offered', () => {
  finish('a', 'level-2', 'red');
  finish('b', 'level-2', 'red');
  expect(nextLevel('duel', 'level-2', known)).toBe('');
  finish('c', 'level-2', 'red');
  expect(nextLevel('duel', 'level-2', known)).toBe('level-3');
  expect(nextLevel('barrage', 'level-2', known)).toBe('');
});

test('wins with help do not count', () => {
  for (const id of ['a', 'b', 'c']) finish(id, 'level-2', 'red');
  changeMatch('b', { tookBack: 1 });
  expect(nextLevel('duel', 'level-2', known)).toBe('');
  changeMatch('b', { tookBack: 0, hints: 1 });
  expect(nextLevel('duel', 'level-2', known)).toBe('');
});

test('a loss, another level or the highest one breaks the row', () => {
  for (const id of ['a', 'b', 'c']) finish(id, 'level-3', 'red');
  expect(nextLevel('duel', 'level-3', known)).toBe('');
  for (const id of ['d', 'e']) finish(id, 'level-2', 'red');
  expect(nextLevel('duel', 'level-2', known)).toBe('');
  finish('f', 'level-2', 'blue');
  expect(nextLevel('duel', 'level-2', known)).toBe('');
});
