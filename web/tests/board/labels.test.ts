import { expect, test } from 'vitest';
import { aboutToken, groupOf, groupWords, labelsOf, placesWords, contentsOf } from '../../src/board/labels';
import type { Group, Token } from '../../src/protocol/messages';
import { squares, token, words } from '../make';

const board = squares(4, 1);
const group: Group = { side: 'blue', places: ['d1', 'hand.blue'], faces: ['scout', 'spy'], count: 4 };
const tokens: Token[] = [
  token('1', 'a1', 'red', 'captain'),
  { ...token('2', 'b1', 'blue'), marks: ['moved'] },
  { ...token('3', 'd1', 'blue'), marks: ['among'] },
];

function labels(layout: string, side: string, steps: string[] = [], path: string[] = []): string[] {
  const on = words({ board: { ...board, layout } });
  const contents = contentsOf(on, board.spaces, tokens, { side, groups: [group] });
  return board.spaces.map(labelsOf(on, contents, { steps: new Set(steps), path }));
}

test('own pieces by their face, others by what is known', () => {
  expect(labels('grid', 'red')).toEqual([
    'a1, your Captain',
    'b1, enemy, has moved',
    'c1, empty',
    'd1, enemy, one of 4 cards, among them Scout and Spy',
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
  expect(placesWords(words(), ['a1', 'b1', 'hand.blue'])).toBe('a1, b1, and the hand');
});

test('a piece is named in one line, with what it does or what is known of it', () => {
  const on = words({ family: 'grid', board: { ...board, layout: 'grid' } });
  const sight = { side: 'red' };
  const about = (at: number, variant = 'original'): string => aboutToken(on, tokens[at] as Token, sight, variant);
  expect(about(0)).toBe('Captain, 6: beats lower ranks');
  expect(about(0, 'special')).toContain('Sword');
  expect(about(1)).toBe("Blue's hidden piece; has moved");
  const cards = words({ board: { ...board, layout: 'table' } });
  expect(aboutToken(cards, tokens[1] as Token, sight, 'cardgame')).toBe("Blue's hidden card; has moved");
});

test('of a known piece of another side it is said whose it is', () => {
  const on = words({ family: 'grid', board: { ...board, layout: 'grid' } });
  const seen = { ...token('4', 'c1', 'blue', 'captain'), marks: ['seen'] };
  const sight = { side: 'red' };
  expect(aboutToken(on, seen, sight, 'original')).toBe("Blue's Captain, 6: beats lower ranks; was seen");
});

test.each(['grid', 'cardgame', 'conquest'])('the pieces of %s are told in one line of a phone', (family) => {
  const on = words({ family });
  const variants = ['', 'special'];
  expect(on.pieces().length).toBeGreaterThan(11);
  for (const face of on.pieces())
    for (const variant of variants) expect(on.pieceLine(face, variant).length, face).toBeLessThanOrEqual(54);
});
