// What every layout's board is given. The layouts draw; what can be chosen and what is said of it comes from outside.

import type { Snippet } from 'svelte';
import { frameOf } from './map';
import type { Board, Group, Space, Tint, Token, Tray } from './messages';
import type { Stage } from './stage';

export interface BoardProps {
  board: Board;
  tokens: Token[];
  tints?: Tint[];
  /** Seen from the far side. */
  turned?: boolean;
  stage?: Stage;
  /** Sides whose ranks are shown anyway. */
  own?: readonly string[];
  /** The side of who sits here; empty for one who only looks. */
  seat?: string;
  /** Spaces that can be chosen now, and those already chosen. */
  steps?: ReadonlySet<string>;
  path?: readonly string[];
  /** Regions are chosen rather than spaces. */
  whole?: boolean;
  /** Places of a deployment. */
  zone?: ReadonlySet<string>;
  /** Hands and piles, where the layout shows them. */
  trays?: readonly Tray[];
  /** What is known of pieces together. */
  groups?: readonly Group[];
  /** Stands where the near hand is: pieces to place. */
  tray?: Snippet;
  label: (space: Space) => string;
  pick?: (id: string) => void;
  /** The piece that may be dragged from a space. */
  lift?: (id: string) => { side: string; face: string } | null;
  lifted?: (id: string) => void;
  drop?: (from: string, to: string) => void;
  remove?: (id: string) => void;
  escape?: () => void;
}

/** A table is as high as two lines of cards, both hands, and the cloth around them. */
const TABLE_RATIO = 0.96;

/** Width by height of what a layout draws. */
export function ratioOf(board: Board): number {
  if (board.layout === 'table') return TABLE_RATIO;
  const { width, height } = board.layout === 'map' ? frameOf(board) : { width: board.columns, height: board.rows };
  return width / height;
}
