import { expect, test } from 'vitest';
import { AIDS } from '../../src/match/help/aids';
import { KEYS, keysOf, ranksOf } from '../../src/match/help/reference';
import { words } from '../make';

test('ranks: those of the army with their number, or all where it is not known', () => {
  const army = [
    { face: 'scout', count: 2 },
    { face: '', count: 9 },
  ];
  expect(ranksOf(['marshal', 'scout'], army)).toEqual([{ face: 'scout', count: 2 }]);
  expect(ranksOf(['marshal', 'scout'], [])).toEqual([
    { face: 'marshal', count: 0 },
    { face: 'scout', count: 0 },
  ]);
});

test('each key and each aid has its words', () => {
  const { has } = words();
  for (const key of KEYS) expect([key, has(`key.${key}`), has(`key.${key}.does`)]).toEqual([key, true, true]);
  for (const aid of AIDS) expect(has(`aid.${aid}`), aid).toBe(true);
});

test('keys that go through turns are told where one can', () => {
  expect(keysOf(true, true)).toEqual(KEYS);
  expect(keysOf(false, true)).not.toContain('back');
  expect(keysOf(false, false)).toContain('hint');
  expect(keysOf(false, false)).not.toContain('clocks');
  expect(keysOf(false, true)).toContain('clocks');
});
