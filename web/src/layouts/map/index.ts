// The `map` layout: zones of a drawn land, with cards and reserves beside it.

import type { Layout } from '../../board/layout';
import { type Fallen, fights, hit, lean, raise, see } from '../../board/stage';
import Piece from '../../board/pieces/Piece.svelte';
import Beside from './beside/Beside.svelte';
import Board from './Board.svelte';
import { frameOf } from './land/geometry';
import Glance from './Glance.svelte';
import './map.css';
import Offer from './Offer.svelte';
import { recall } from './beside/recap';
import { steps } from './steps';
import { weigh } from './weights';

const fallen: Fallen = {
  'battle-won': ['defender'],
  'battle-lost': ['attacker'],
  'battle-both': ['attacker', 'defender'],
};

export const layout: Layout = {
  Board,
  ratio(board) {
    const { width, height } = frameOf(board);
    return width / height;
  },
  Piece,
  Glance,
  glancesAtBoard: true,
  lately: false,
  fence: 'map',
  diagram: () => import('./Diagram.svelte'),
  Beside,
  recall,
  steps: { ...steps, Offer },
  deploying: { fromHand: false, mirrors: false },
  movements: {
    attacked: lean,
    ...fights(fallen),
    hit,
    looked: raise,
    regrouped: raise,
    saw: see,
  },
  fallen,
  outlines: {},
  emphasis: {
    placed: 'placed',
    onTheWay: ['aimed', 'put-back'],
    small: ['placed', 'turn'],
    idle: ['won', 'drawn', 'agreed', 'control', 'contested'],
    lasting: Object.keys(fallen),
    byTurns: true,
    weigh,
  },
  firstMoves: false,
};
