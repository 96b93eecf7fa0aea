// The `table` layout: two lines of cards on a cloth, with a hand and a pile behind each.

import type { Layout } from '../../board/layout';
import { type Fallen, fights, gather, lean, raise, reveal, see, seeHand, seeNothing } from '../../board/stage';
import Board from './Board.svelte';
import Card from './Card.svelte';
import Glance from './Glance.svelte';
import './table.css';

/** Height of a table: two lines of cards, both hands, and the cloth around them. */
const RATIO = 0.96;

const fallen: Fallen = {
  'battle-won': ['defender'],
  'battle-lost': ['attacker'],
  'battle-both': ['attacker', 'defender'],
};

export const layout: Layout = {
  Board,
  ratio: () => RATIO,
  Piece: Card,
  Glance,
  glancesAtBoard: false,
  lately: true,
  fence: 'cards',
  diagram: () => import('./Diagram.svelte'),
  deploying: { fromHand: true, mirrors: true },
  movements: {
    attacked: lean,
    ...fights(fallen),
    revealed: reveal,
    'looked-hand': raise,
    'looked-line': raise,
    'looked-line-one': raise,
    saw: see,
    'saw-hand': seeHand,
    'saw-empty': seeNothing,
    trick: gather,
  },
  fallen,
  outlines: {},
  emphasis: {
    placed: 'placed',
    onTheWay: [],
    // Losses and revealed cards matter more than new cards.
    small: ['placed', 'laid', 'drew', 'drew-hidden'],
    idle: ['won', 'drawn', 'agreed'],
    lasting: [...Object.keys(fallen), 'saw', 'saw-hand', 'saw-empty'],
  },
  firstMoves: true,
};
