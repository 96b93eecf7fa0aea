import { expect, test } from 'vitest';
import { completed, nextSteps } from '../../src/match/choosing/walk';
import { choice } from '../make';

const choices = [choice(1, 'a1', 'a2'), choice(2, 'a1', 'do.sword', 'b1', 'b2'), choice(3, 'c1', 'c2')];

test('what can follow the steps taken', () => {
  expect([...nextSteps(choices, [])]).toEqual(['a1', 'c1']);
  expect([...nextSteps(choices, ['a1'])]).toEqual(['a2', 'do.sword']);
  expect([...nextSteps(choices, ['a1', 'do.sword'])]).toEqual(['b1']);
  expect([...nextSteps(choices, ['a1', 'a2'])]).toEqual([]);
  expect([...nextSteps(choices, ['z9'])]).toEqual([]);
});

test('only a whole path completes a choice', () => {
  expect(completed(choices, ['a1'])).toBeUndefined();
  expect(completed(choices, ['a1', 'a2'])?.id).toBe(1);
  expect(completed(choices, ['a1', 'do.sword', 'b1', 'b2'])?.id).toBe(2);
  expect(completed(choices, ['c1', 'a2'])).toBeUndefined();
});
