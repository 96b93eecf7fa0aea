import { beforeEach, expect, test } from 'vitest';
import {
  army,
  deploymentText,
  keepDeployments,
  keepLast,
  lastDeployment,
  ownDeployments,
  readDeployment,
  type Reading,
} from '../../src/placing/deployments';
import type { Arrange } from '../../src/protocol/messages';

beforeEach(() => localStorage.clear());

const piece = (face: string, letter: string, count: number) => ({ face, letter, count, action: 0 });
const arrange: Arrange = {
  places: ['a1', 'b1', 'c1', 'd1'],
  pieces: [piece('flag', 'F', 1), piece('scout', '2', 2), piece('', '.', 1)],
};
const at = new Map([
  ['a1', 'flag'],
  ['b1', 'scout'],
  ['d1', 'scout'],
]);
const read = (text: string): Reading => readDeployment(text, 'duel', arrange);
const error = (text: string): unknown => ('error' in read(text) ? read(text) : 'none');

test('a text is read as it was written', () => {
  const text = deploymentText('duel', arrange, at);
  expect(text).toBe('duel:F2.2');
  expect(read(text)).toEqual({ at });
});

test('spaces, line breaks, strokes and a missing name do not matter', () => {
  expect(read(' duel: F2 /\n.2 ')).toEqual({ at });
  expect(read('F2.2')).toEqual({ at });
});

test('what cannot be used says why', () => {
  expect(error('')).toEqual({ error: 'empty', args: {} });
  expect(error('barrage:F2.2')).toEqual({ error: 'variant', args: { other: 'barrage' } });
  expect(error('F2.')).toEqual({ error: 'length', args: { count: 3, wanted: 4 } });
  expect(error('F2x2')).toEqual({ error: 'letter', args: { letter: 'x', number: 3 } });
  expect(error('FF.2')).toEqual({ error: 'many', args: { face: 'flag' } });
  expect(error('F2..')).toEqual({ error: 'missing', args: {} });
});

test('how many there are of each', () => {
  expect([...army(arrange)]).toEqual([
    ['flag', 1],
    ['scout', 2],
    ['', 1],
  ]);
});

test("one's own are kept by variant, and broken ones dropped", () => {
  expect(keepDeployments('duel', [{ name: 'Mine', text: 'duel:F2.2' }])).toBe(true);
  expect(ownDeployments('duel')).toEqual([{ name: 'Mine', text: 'duel:F2.2' }]);
  expect(ownDeployments('barrage')).toEqual([]);
  localStorage.setItem('gonfalon.deployments.duel', JSON.stringify([{ name: 1 }, 'x']));
  expect(ownDeployments('duel')).toEqual([]);
});

test('the last deployment of a variant is kept', () => {
  expect(lastDeployment('duel')).toBe('');
  keepLast('duel', 'duel:F2.2');
  expect([lastDeployment('duel'), lastDeployment('barrage')]).toEqual(['duel:F2.2', '']);
});
