import { beforeEach, expect, test } from 'vitest';
import { marksAt, Pencil } from '../../src/board/pieces/pencil.svelte';
import { token } from '../make';

const hidden = [token('1', 'a1', 'blue'), token('2', 'b1', 'blue')];

beforeEach(() => localStorage.clear());

test('a mark stands from the step at which it was made until it is rubbed out', () => {
  const pencil = new Pencil('m', 'red');
  pencil.write(3, '1', 'bomb');
  pencil.write(5, '1', 'spy');
  pencil.write(7, '1', '');
  const at = (seq: number) => marksAt(pencil.notes, seq, hidden, 'red').get('1');
  expect([2, 3, 5, 7].map(at)).toEqual([undefined, 'bomb', 'spy', undefined]);
});

test('it goes with its piece, and is not drawn on a face that is seen or on an own piece', () => {
  const pencil = new Pencil('m', 'red');
  pencil.write(1, '1', 'bomb');
  expect(marksAt(pencil.notes, 1, [token('1', 'd4', 'blue')], 'red').get('1')).toBe('bomb');
  expect(marksAt(pencil.notes, 1, [token('1', 'd4', 'blue', 'scout')], 'red').size).toBe(0);
  expect(marksAt(pencil.notes, 1, [token('1', 'd4', 'red')], 'red').size).toBe(0);
});

test('when a piece can no longer be followed its mark is gone, whoever gets that name next', () => {
  const pencil = new Pencil('m', 'red');
  pencil.write(1, '1', 'bomb');
  pencil.follow(2, hidden);
  expect(marksAt(pencil.notes, 2, hidden, 'red').size).toBe(1);
  pencil.follow(3, [token('2', 'b1', 'blue')]);
  expect(marksAt(pencil.notes, 4, hidden, 'red').size).toBe(0);
  expect(marksAt(pencil.notes, 2, hidden, 'red').size).toBe(1);
});

test('steps that are shown again say nothing of later marks', () => {
  const pencil = new Pencil('m', 'red');
  pencil.write(5, '1', 'bomb');
  pencil.follow(2, []);
  expect(marksAt(pencil.notes, 5, hidden, 'red').get('1')).toBe('bomb');
});

test('marks are kept by match and side, and broken storage is as none', () => {
  new Pencil('m', 'red').write(1, '1', 'bomb');
  expect(new Pencil('m', 'red').notes).toEqual([[1, '1', 'bomb']]);
  expect(new Pencil('m', 'blue').notes).toEqual([]);
  expect(new Pencil('n', 'red').notes).toEqual([]);
  localStorage['gonfalon.pencil'] = '{"m.red": [[1, "1"], 7, [2, "2", "spy"]]}';
  expect(new Pencil('m', 'red').notes).toEqual([[2, '2', 'spy']]);
});
