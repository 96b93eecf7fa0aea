import { expect, test } from 'vitest';
import { manifestWords, previewWords } from '../../build/previews';
import page from '../../src/messages/en.json';
import german from '../../src/messages/de.json';

test('the server gets the words for links out of the catalogues', () => {
  const grid = { 'game.duel.title': 'Duel', 'game.duel.text': 'Quick.', 'status.over': 'Over' };
  const words = previewWords(page, [grid]);
  expect(words.games).toEqual({ duel: ['Duel', 'Quick.'] });
  expect(words.titles.invited).toContain('{name}');
  expect(words.text).not.toBe('');
  expect(words.times.live).toContain('{minutes}');
  expect(words.times.bank).toBe(page['time.bank.text']);
  expect(words.times['correspondence.one']).toBe(page['time.correspondence.text.one']);
  expect(words.times['minutes-seconds']).toBe(page['time.minutes-seconds']);
  expect(words.script).toContain('JavaScript');
  expect([words.late, words.again]).toEqual([page['page.late'], page['notice.again']]);
});

test('the manifest of a language is the English one with its own words', () => {
  const made = manifestWords({ name: 'Gonfalon', lang: 'en', description: 'Games.' }, 'de', german);
  expect(made).toEqual({ name: 'Gonfalon', lang: 'de', description: german['page.about'] });
});

test('a sentence that is missing stops the build', () => {
  expect(() => previewWords({}, [])).toThrow('no words for preview.invited');
});
