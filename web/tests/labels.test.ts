import { expect, test } from 'vitest';
import { groupOf, groupWords, labelsOf, placesWords } from '../src/lib/labels';
import type { Group, Token } from '../src/lib/messages';
import { squares, token, words } from './make';

const board = squares(4, 1);
const group: Group = { side: 'blue', places: ['d1', 'hand.blue'], faces: ['scout', 'spy'], count: 4 };
const tokens: Token[] = [
  token('1', 'a1', 'red', 'captain'),
  { ...token('2', 'b1', 'blue'), marks: ['moved'] },
  { ...token('3', 'd1', 'blue'), marks: ['among'] },
];

function labels(layout: string, side: string, steps: string[] = [], path: string[] = []): string[] {
  const on = words({ board: { ...board, layout } });
  return board.spaces.map(labelsOf(on, tokens, { side, steps: new Set(steps), path, groups: [group] }));
}

test('own pieces by their face, others by what is known', () => {
  expect(labels('grid', 'red')).toEqual([
    'a1, your Captain',
    'b1, enemy, has moved',
    'c1, empty',
    'd1, enemy, one of 4 cards, among them Scout, Spy',
  ]);
});

test('who looks on is told whose a piece is', () => {
  expect(labels('grid', '').slice(0, 2)).toEqual(['a1, Red Captain', 'b1, Blue, has moved']);
});

test('a layout has words of its own', () => {
  expect(labels('map', 'red')[1]).toBe("b1, Blue's unit, has moved");
  expect(labels('table', 'red')[2]).toBe('c1, gap');
});

test('what can be chosen is said, and what has been', () => {
  expect(labels('grid', 'red', ['a1'])[0]).toMatch(/^a1, your Captain, can be chosen/);
  const chosen = labels('grid', 'red', ['c1'], ['a1']);
  expect(chosen[0]).toMatch(/, chosen/);
  expect(chosen[2]).not.toBe('c1, empty');
});

test('what is known together', () => {
  expect(groupOf([group], 'hand.blue')).toBe(group);
  expect(groupOf([group], 'a1')).toBeUndefined();
  expect(groupWords(words(), { ...group, count: 2 })).not.toContain('4');
  expect(placesWords(words(), ['a1'])).toBe('a1');
  expect(placesWords(words(), ['a1', 'b1', 'hand.blue'])).toBe('a1, b1 and the hand');
});
