import { expect, test } from 'vitest';
import { clockTime, minutesAndSeconds, spokenTime, timeLine, untilWords } from '../../src/words/time';
import { words } from '../make';

const { t } = words();

test('a clock shows minutes, hours from one hour on, tenths below ten seconds', () => {
  const times = [900_000, 65_999, 10_000, 9_999, 940, 0, -5, 3_600_000, 3_723_000, 10_800_000];
  expect(times.map(clockTime)).toEqual([
    ...['15:00', '1:05', '0:10', '0:09.9', '0:00.9', '0:00.0', '0:00.0'],
    ...['1:00:00', '1:02:03', '3:00:00'],
  ]);
  expect(minutesAndSeconds(245)).toBe('4:05');
});

test('a deadline is days and hours away, then hours and minutes', () => {
  const hour = 3_600_000;
  const said = [52 * hour, 25 * hour, 24 * hour, 4.2 * hour, 0.2 * hour, 45_000, -1].map((ms) => untilWords(t, ms));
  expect(said).toEqual(['2 days 4 h', '1 day 1 h', '1 day', '4 h 12 min', '12 min', '0:45', '0:00']);
});

test('days and hours are rounded up to the hour', () => {
  const hour = 3_600_000;
  const times = [72 * hour - 2000, 71 * hour + 1000, 71 * hour, 24 * hour - 2000, 24 * hour - 61_000];
  const said = ['3 days', '3 days', '2 days 23 h', '1 day', '23 h 58 min'];
  expect(times.map((ms) => untilWords(t, ms))).toEqual(said);
  expect(times.map(spokenTime).map(({ code, args }) => t(code, args))).toEqual(said);
});

test('each time control has its line', () => {
  expect(timeLine(t, null)).toBe('');
  expect(timeLine(t, { kind: 'untimed', claim_after: 300 })).toContain('5 minutes');
  expect(timeLine(t, { kind: 'untimed', claim_after: 0 })).toContain('Nobody can claim');
  expect(timeLine(t, { kind: 'bank', bank: 900, delay: 3, longest: 180, deployment: 300 })).toBe(
    '15 min each; the first 3 s of each decision are free. At most 3 min for one decision. Deployment: 5 min.',
  );
  expect(timeLine(t, { kind: 'bank', bank: 450, increment: 3, deployment: 90 })).toBe(
    '7 min 30 s each, plus 3 s after each decision. Deployment: 90 s.',
  );
  expect(timeLine(t, { kind: 'bank', bank: 0, delay: 20 })).toBe('20 s for each decision. Deployment: 5 min.');
  expect(timeLine(t, { kind: 'bank', bank: 60 })).toBe('1 min each. Deployment: 5 min.');
  expect(timeLine(t, { kind: 'turn', turn: 60 })).toBe('1 min for each turn. Deployment: 5 min.');
  expect(timeLine(t, { kind: 'correspondence', days: 1 })).toBe('1 day for each decision.');
  expect(timeLine(t, { kind: 'correspondence', days: 3 })).toBe('3 days for each decision.');
});
