import { beforeEach, expect, test, vi } from 'vitest';
import { forget, isList, isRecord, isText, isTextRecord, read, write } from '../../src/browser/storage';

beforeEach(() => localStorage.clear());

test('what was written is read', () => {
  expect(write(localStorage, 'key', ['a'])).toBe(true);
  expect(read(localStorage, 'key', isList, [])).toEqual(['a']);
  forget(localStorage, 'key');
  expect(read(localStorage, 'key', isList, ['fallback'])).toEqual(['fallback']);
});

test('what is broken or of another kind gives the fallback', () => {
  localStorage.setItem('key', '{broken');
  expect(read(localStorage, 'key', isRecord, { whole: 1 })).toEqual({ whole: 1 });
  write(localStorage, 'key', 'text');
  expect(read(localStorage, 'key', isList, [])).toEqual([]);
});

test('a full or forbidden storage only means that nothing is remembered', () => {
  const refuse = () => {
    throw new Error('full');
  };
  const area = { getItem: refuse, setItem: vi.fn(refuse), removeItem: vi.fn(refuse) } as unknown as Storage;
  expect(write(area, 'key', 1)).toBe(false);
  expect(read(area, 'key', isText, 'fallback')).toBe('fallback');
  expect(() => forget(area, 'key')).not.toThrow();
});

test('kinds of values', () => {
  expect([{}, [], null, 'a'].map(isRecord)).toEqual([true, false, false, false]);
  expect([{ a: 'b' }, { a: 1 }, {}].map(isTextRecord)).toEqual([true, false, true]);
});
