// Props of every layout's board. A layout draws; the caller knows the choices and the words.

import type { Snippet } from 'svelte';
import type { Board, Choice, Group, Space, Tint, Token, Tray } from '../protocol/messages';
import type { Stage } from './stage';

export interface BoardProps {
  board: Board;
  tokens: Token[];
  tints?: Tint[];
  /** The board is seen from the far side. */
  turned?: boolean;
  stage?: Stage;
  /** Sides whose ranks the viewer sees anyway. */
  own?: readonly string[];
  /** Side of this seat; empty for a spectator. */
  seat?: string;
  /** Spaces that the player can choose now, and those of the choice so far. */
  steps?: ReadonlySet<string>;
  path?: readonly string[];
  /** All choices of the player. */
  choices?: readonly Choice[];
  /** Places of a deployment, and the side whose colour tints them. */
  zone?: ReadonlySet<string>;
  side?: string;
  /** Hands and piles, if the layout shows them. */
  trays?: readonly Tray[];
  /** Known groups of pieces. */
  groups?: readonly Group[];
  /** Pencil marks by token. */
  pencilled?: ReadonlyMap<string, string>;
  /** Possible ranks of hidden pieces by token. */
  possible?: ReadonlyMap<string, readonly string[]>;
  /** Path of a choice that the server has not confirmed. */
  waiting?: readonly string[];
  /** Open the pencil dialog for the piece on a space. Return whether that piece can have a mark. */
  mark?: (id: string) => boolean;
  /** Pieces to place, in the position of the near hand. */
  tray?: Snippet;
  label: (space: Space) => string;
  pick?: (id: string) => void;
  /** Return the piece that may be dragged from a space. */
  lift?: (id: string) => { side: string; face: string } | null;
  lifted?: (id: string) => void;
  drop?: (from: string, to: string) => void;
  remove?: (id: string) => void;
  escape?: () => void;
}
