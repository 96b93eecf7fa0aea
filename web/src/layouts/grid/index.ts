// The `grid` layout: squares with banners on them.

import type { Layout } from '../../lib/layout';
import { fight, fightFrom, lean, reveal } from '../../lib/stage';
import Piece from '../../parts/Piece.svelte';
import Board from './Board.svelte';
import Diagram from './Diagram.svelte';
import Glance from './Glance.svelte';

export const layout: Layout = {
  Board,
  ratio: ({ columns, rows }) => columns / rows,
  Piece,
  Glance,
  glancesAtBoard: true,
  fence: 'board',
  Diagram,
  deploying: { fromHand: false, mirrors: true },
  acts: {
    attacked: lean,
    sword: fightFrom,
    apple: fightFrom,
    revealed: reveal,
    'battle-won': fight('defender'),
    'battle-lost': fight('attacker'),
    'battle-lost-hidden': fight('attacker'),
    'battle-both': fight('attacker', 'defender'),
  },
  outlines: {
    sword: ['space', 'first_space', 'second_space'],
    apple: ['flag_space', 'space'],
    healed: ['space'],
    rescued: ['space'],
  },
  emphasis: {
    placed: 'placed',
    onTheWay: [],
    small: ['placed'],
    idle: ['won', 'drawn', 'agreed'],
    lasting: ['battle-won', 'battle-lost', 'battle-lost-hidden', 'battle-both'],
  },
  firstMoves: true,
};
