// The `grid` layout: squares with banners on them.

import type { Layout } from '../../board/layout';
import { expose, type Fallen, fights, lean, usePower } from '../../board/stage';
import Piece from '../../board/pieces/Piece.svelte';
import Board from './Board.svelte';
import Glance from './Glance.svelte';

const fallen: Fallen = {
  'battle-won': ['defender'],
  'battle-lost': ['attacker'],
  'battle-lost-hidden': ['attacker'],
  'battle-both': ['attacker', 'defender'],
};

export const layout: Layout = {
  Board,
  ratio: ({ columns, rows }) => columns / rows,
  Piece,
  Glance,
  glancesAtBoard: true,
  lately: true,
  fence: 'board',
  diagram: () => import('./Diagram.svelte'),
  deploying: { fromHand: false, mirrors: true },
  movements: {
    attacked: lean,
    ...fights(fallen),
    sword: usePower(),
    apple: usePower('flag_space', 'flag'),
    revealed: expose,
  },
  fallen,
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
    lasting: Object.keys(fallen),
  },
  firstMoves: true,
};
