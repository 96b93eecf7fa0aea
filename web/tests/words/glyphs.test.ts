import { expect, test } from 'vitest';
import { cloth, faceOfLetter, glyph } from '../../src/words/glyphs';

test('a letter of a diagram stands for a piece of its family', () => {
  expect(faceOfLetter('?', 'grid')).toBe('');
  expect(faceOfLetter('6', 'grid')).toBe('captain');
  expect(faceOfLetter('F', 'grid')).toBe('flag');
  expect(faceOfLetter('f', 'cardgame')).toBe('flag');
  expect(faceOfLetter('%', 'grid')).toBe('unknown');
});

test('an unknown face is a plain ring, an unknown side has a cloth', () => {
  expect(glyph('nobody').numeral).toBe('');
  expect(glyph('nobody').path).not.toBe('');
  expect(glyph('captain').numeral).toBe('6');
  expect(cloth('purple')).toBe(cloth('blue'));
});
