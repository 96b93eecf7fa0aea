import { expect, test } from 'vitest';
import { PLAIN, worthKeeping, worthShowing, worthTelling, type Emphasis } from '../../src/board/emphasis';
import { event } from '../make';

const RULES: Emphasis = {
  placed: 'placed',
  onTheWay: ['aimed'],
  small: ['placed', 'turn'],
  idle: ['won'],
  lasting: [],
};
const codes = (events: { code: string }[]): string[] => events.map(({ code }) => code);
const placed = (count: number) => Array.from({ length: count }, () => event('placed'));

test('a whole deployment is not told piece by piece', () => {
  expect(worthTelling([...placed(6), event('ready')], RULES)).toHaveLength(7);
  expect(codes(worthTelling([...placed(7), event('ready')], RULES))).toEqual(['ready']);
  expect(worthTelling(placed(40), PLAIN)).toHaveLength(40);
});

test('what is done on the way to a choice is not kept', () => {
  expect(codes(worthKeeping([event('aimed'), event('hit')], RULES))).toEqual(['hit']);
});

test('above the board stands what is large, or else all', () => {
  expect(codes(worthShowing([event('hit'), event('turn')], RULES, false))).toEqual(['hit']);
  expect(codes(worthShowing([event('turn'), event('placed')], RULES, false))).toEqual(['turn', 'placed']);
});

test('on the way to a choice, only that is said; later it is not', () => {
  expect(codes(worthShowing([event('hit'), event('aimed')], RULES, false))).toEqual(['aimed']);
  expect(codes(worthShowing([event('aimed'), event('hit')], RULES, false))).toEqual(['hit']);
});

test('after the end, what the result says is not said again', () => {
  expect(codes(worthShowing([event('turn'), event('won')], RULES, true))).toEqual(['turn']);
});
