import { beforeEach, expect, test, vi } from 'vitest';
import { forget, isList, isRecord, isText, isTextRecord, read, write } from '../../src/browser/storage';

beforeEach(() => localStorage.clear());

test('what was written is read', () => {
  expect(write('localStorage', 'key', ['a'])).toBe(true);
  expect(read('localStorage', 'key', isList, [])).toEqual(['a']);
  forget('localStorage', 'key');
  expect(read('localStorage', 'key', isList, ['fallback'])).toEqual(['fallback']);
});

test('what is broken or of another kind gives the fallback', () => {
  localStorage.setItem('key', '{broken');
  expect(read('localStorage', 'key', isRecord, { whole: 1 })).toEqual({ whole: 1 });
  write('localStorage', 'key', 'text');
  expect(read('localStorage', 'key', isList, [])).toEqual([]);
});

test('a full, missing or forbidden storage only means that nothing outlives the page', () => {
  const refuse = (): never => {
    throw new Error('full');
  };
  const areas = [{ getItem: refuse, setItem: refuse, removeItem: refuse }, undefined];
  for (const area of areas) {
    vi.stubGlobal('localStorage', area);
    expect(read('localStorage', 'full', isText, 'fallback')).toBe('fallback');
    expect(write('localStorage', 'full', 'kept')).toBe(false);
    expect(read('localStorage', 'full', isText, 'fallback')).toBe('kept');
    forget('localStorage', 'full');
    expect(read('localStorage', 'full', isText, 'fallback')).toBe('fallback');
    vi.unstubAllGlobals();
  }
});

test('kinds of values', () => {
  expect([{}, [], null, 'a'].map(isRecord)).toEqual([true, false, false, false]);
  expect([{ a: 'b' }, { a: 1 }, {}].map(isTextRecord)).toEqual([true, false, true]);
});
