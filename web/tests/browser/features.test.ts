import { expect, test, vi } from 'vitest';
import { FEATURES, formatDate, grammarOf, nameOfLanguage } from '../../src/browser/features';

const sources = import.meta.glob<string>('../../src/**/*.{ts,svelte}', {
  eager: true,
  query: '?raw',
  import: 'default',
});

test('only one module names features that a browser may lack', () => {
  const named = new RegExp(
    [
      /\bnavigator\b|\bIntl\.|\bhistory\.(?!state)|\.toLocale\w*String\(|\bURL\.createObjectURL/,
      /\b(?:localStorage|sessionStorage)[.[]|\bmatchMedia\(|\brequestIdleCallback\b/,
      /\bnew (?:\w+Observer|AudioContext|Notification)\b|\bNotification\./,
    ]
      .map(({ source }) => source)
      .join('|'),
  );
  const faults = Object.entries(sources)
    .filter(([path]) => !path.endsWith('/browser/features.ts'))
    .flatMap(([path, source]) => source.split('\n').map((line) => `${path}: ${line.trim()}`))
    .filter((line) => !/: (\/\/|\/?\*)/.test(line) && named.test(line));
  expect(faults).toEqual([]);
  expect(FEATURES.length).toBeGreaterThan(15);
});

test('without functions for languages, words stay readable', () => {
  vi.stubGlobal('Intl', undefined);
  const { plural, list, number } = grammarOf('en');
  expect([plural(1), plural(2), list(['a', 'b']), number(12)]).toEqual(['one', 'other', 'a, b', '12']);
  expect(nameOfLanguage('de')).toBe('de');
});

test('a date has the first language that the browser knows', () => {
  const date = new Date(Date.UTC(2026, 2, 4, 12));
  expect(formatDate(date, ['de-DE@euro', 'de'])).toBe(formatDate(date, ['de']));
  expect(formatDate(date, [])).toBe('2026-03-04 12:00');
});
