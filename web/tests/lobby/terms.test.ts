import { expect, test } from 'vitest';
import { seatName, withRating } from '../../src/lobby/terms';
import lobby from '../../src/lobby/words/en.json';
import { Names } from '../../src/words/names.svelte';
import { Words } from '../../src/words/words.svelte';
import { ENGLISH } from '../make';

const words = new Words(() => ({ ...ENGLISH, all: { ...ENGLISH.all, ...lobby } }), new Names(() => 'en'));

test('a provisional rating has a question mark in lists too', () => {
  expect(seatName(words, { name: 'Ada', rating: 1512 })).toBe('Ada (1512)');
  expect(seatName(words, { name: 'Ada', rating: 1476, provisional: true })).toBe('Ada (1476?)');
  expect(withRating(words, 'Bo', {})).toBe('Bo');
});
