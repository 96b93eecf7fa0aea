import { expect, test } from 'vitest';
import { previewWords } from '../build/previews';
import page from '../src/messages/en.json';

test('the server gets the words for links out of the catalogues', () => {
  const grid = { 'game.duel.title': 'Duel', 'game.duel.text': 'Quick.', 'status.over': 'Over' };
  const words = previewWords(page, [grid]);
  expect(words.games).toEqual({ duel: ['Duel', 'Quick.'] });
  expect(words.titles.invited).toContain('{name}');
  expect(words.text).not.toBe('');
});

test('a sentence that is missing stops the build', () => {
  expect(() => previewWords({}, [])).toThrow('no words for preview.invited');
});
