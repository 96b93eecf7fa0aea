import { beforeEach, expect, test } from 'vitest';
import { changeMatch, forgetMatch, saveMade } from '../../src/saved/matches.svelte';
import { collectResults, readResults, scoresOf, writeResults, type Result } from '../../src/saved/scores';

beforeEach(() => localStorage.clear());

function played(id: string, result: string, aids = {}): void {
  const about = { variant: 'duel', opponent: 'agent' as const, agent: 'level-2', here: ['red'] };
  saveMade({ match: id, secrets: { red: 'secret' }, invitations: {} }, about);
  changeMatch(id, { ended: true, result, ...aids });
}

test('results are counted by game and opponent, and those with help apart', () => {
  played('a', 'red');
  played('b', 'red', { hints: 1 });
  played('c', 'blue');
  played('d', 'draw');
  played('e', '');
  const score = { variant: 'duel', against: 'level-2', won: 2, drawn: 1, lost: 1, helped: 1 };
  expect(scoresOf(collectResults())).toEqual([score]);
  forgetMatch('a');
  expect(scoresOf(collectResults())).toEqual([score]);
});

test('a file of results holds no secret, and adds what is not there yet', () => {
  played('a', 'red');
  const text = writeResults(collectResults());
  expect(text).not.toContain('secret');
  localStorage.clear();
  played('b', 'blue');
  expect(collectResults(readResults(text)).map(({ id }) => id)).toHaveLength(2);
  expect(collectResults(readResults(text))).toHaveLength(2);
});

test('a bad file is refused with what is wrong', () => {
  const result: Result = { id: 'a', variant: 'duel', against: 'x', end: 'won', date: 1, tookBack: 0, hints: 0 };
  const file = (changes: object, version: unknown = 1) =>
    JSON.stringify({ gonfalon: 'results', version, results: [result, { ...result, ...changes }] });
  const why = (text: string): unknown => {
    try {
      return readResults(text).length;
    } catch (error) {
      const { line } = error as { line: { code: string; args: Record<string, unknown> } };
      return [line.code, ...Object.values(line.args)];
    }
  };
  expect(why(file({}))).toBe(2);
  expect(why('{')).toEqual(['results-no-json']);
  expect(why('[]')).toEqual(['results-other']);
  expect(why(file({}, 9))).toEqual(['results-version', '9']);
  expect(why(file({ end: 'cheated' }))).toEqual(['results-entry', 2, 'end']);
  expect(why(file({ variant: '<b>' }))).toEqual(['results-entry', 2, 'variant']);
  expect(why(file({ date: 1.5 }))).toEqual(['results-entry', 2, 'date']);
  expect(why(' '.repeat(2_000_001))).toEqual(['results-too-long']);
});
