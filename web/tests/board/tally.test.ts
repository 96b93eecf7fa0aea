import { expect, test } from 'vitest';
import type { Board, Tray } from '../../src/protocol/messages';
import { stillHas } from '../../src/board/notes/tally';
import { squares } from '../make';

const board: Board = {
  ...squares(2, 2),
  army: [
    { face: 'scout', count: 2 },
    { face: 'spy', count: 1 },
    { face: 'flag', count: 1 },
  ],
};
const tray = (kind: string, side: string, ...items: Tray['items']): Tray => ({ kind, side, items });

test('an army less what was lost', () => {
  const trays = [
    tray('lost', 'red', { id: 'x', face: 'scout' }),
    tray('lost', 'blue', { id: 'y', face: 'spy', count: 1 }),
  ];
  expect(stillHas(board, trays, 'red')).toEqual([
    { face: 'scout', count: 1 },
    { face: 'spy', count: 1 },
    { face: 'flag', count: 1 },
  ]);
  expect(stillHas(board, trays, 'blue')?.map(({ face }) => face)).toEqual(['scout', 'flag']);
});

test('a Flag that others hold is not there', () => {
  const trays = [tray('flags', 'red', { id: 'x', face: 'flag', side: 'blue' })];
  expect(stillHas(board, trays, 'blue')?.map(({ face }) => face)).toEqual(['scout', 'spy']);
  expect(stillHas(board, trays, 'red')).toHaveLength(3);
});

test('nothing is told where a hidden piece lies beside the board, or of a game that does not say', () => {
  expect(stillHas(board, [tray('reserve', 'red', { id: 'x', face: '' })], 'red')).toBeNull();
  expect(stillHas(squares(2, 2), [], 'red')).toBeNull();
});
