import { expect, test } from 'vitest';
import { repeatedEvent, resultWords, savedResultWords } from '../../src/saved/results';
import type { SavedMatch } from '../../src/saved/matches.svelte';
import { words } from '../make';

const TWO = ['red', 'blue'];
const FOUR = ['red', 'blue', 'green', 'ochre'];
const ended = (winner: string, returns: number[], reason = 'flag') => ({ winner, reason, returns });
const said = (ending: ReturnType<typeof ended>, sides: string[], side: string) =>
  resultWords(words(), ending, sides, side);

test('of two, one wins and one loses', () => {
  const ending = ended('red', [1, -1]);
  expect(said(ending, TWO, 'red')).toBe(words().t('result.you-won'));
  expect(said(ending, TWO, 'blue')).toBe(words().t('result.you-lost'));
  expect(said(ending, TWO, '')).toBe(words().t('result.won', { side: 'red' }));
});

test('of more, it is said to whom one lost', () => {
  expect(said(ended('red', [1, -1, -1, -1]), FOUR, 'green')).toBe(words().t('result.lost-to', { side: 'red' }));
});

test('a draw, one that leaves some out, and no result', () => {
  expect(said(ended('', [0, 0]), TWO, 'red')).toBe(words().t('result.draw'));
  const shared = ended('', [0.5, 0.5, -0.5, -0.5]);
  expect(said(shared, FOUR, 'blue')).toBe(words().t('result.shared', { sides: ['red', 'blue'] }));
  expect(said(shared, FOUR, 'green')).toBe(words().t('result.shared-lost', { sides: ['red', 'blue'] }));
  expect(said(ended('', [0, 0], 'no-result'), TWO, 'red')).toBe(words().t('result.none'));
});

test('an event that the reason repeats, unless only the event names whom it is about', () => {
  expect(repeatedEvent(ended('red', [1, -1], 'resigned'), TWO)).toBe('resigned');
  expect(repeatedEvent(ended('red', [1, -1], 'time'), TWO)).toBe('out-of-time');
  expect(repeatedEvent(ended('red', [1, -1], 'flag'), TWO)).toBe('');
  expect(repeatedEvent(ended('red', [1, -1, -1, -1], 'resigned'), FOUR)).toBe('');
});

test('what a saved match keeps', () => {
  const saved = (result: string, mine: string) => savedResultWords(words(), { result, mine } as SavedMatch);
  expect(saved('', 'red')).toBe('');
  expect(saved('draw', 'red')).toBe(words().t('result.draw'));
  expect(saved('red', 'red')).toBe(words().t('result.you-won'));
  expect(saved('blue', 'red')).toBe(words().t('result.you-lost'));
});
