// The descriptor of a layout: one way to draw a game, with everything that only such games need. The rest of the page
// reads the descriptor and never a layout's name.

import type { Component } from 'svelte';
import type { BoardProps } from './board';
import type { Emphasis } from './emphasis';
import type { LogEntry } from './notes/log';
import type { Board, Choice, Event, Scene, VariantCard } from '../protocol/messages';
import type { Outlines } from './places/outline';
import type { Movements, Fallen } from './stage';
import type { Words } from '../words/words.svelte';

export interface PieceProps {
  side: string;
  /** Piece type; empty: the back. */
  face: string;
  /** Whether the viewer sees this face without a reveal, because the piece is the viewer's own. */
  own?: boolean;
  /** Whether the piece is drawn small. */
  small?: boolean;
  /** Whether the piece is drawn without words. */
  plain?: boolean;
}

export interface GlanceProps {
  card: VariantCard;
  /** Board of the variant; null until the server has sent it. */
  board: Board | null;
}

export interface DiagramProps {
  /** Words of each line of the diagram. */
  rows: string[][];
  label: string;
  family: string;
  variant: string;
  /** Whether the drawing has no words in it. */
  plain?: boolean;
}

/** Events of one side's turn. */
export interface Recalled {
  side: string;
  /** Events that affect the viewer. */
  own: Event[];
  rest: Event[];
}

/** Events since the viewer's last decision. */
export interface Recap {
  turns: readonly Recalled[];
  /** All of those events in words, the most important for the viewer first. */
  events: readonly Event[];
  /** Spaces of events that affect the viewer. */
  places: readonly string[];
}

export interface BesideProps {
  board: Board;
  scene: Scene;
  sides: readonly string[];
  /** Side of this seat; empty for a spectator. */
  side?: string;
  steps?: ReadonlySet<string>;
  path?: readonly string[];
  pick?: (id: string) => void;
  recap?: Recap;
}

/** Facts that the names of a choice's steps depend on. */
export interface Naming {
  board: Board | null;
  scene: Scene | null;
  /** Choices that are possible now. */
  choices: readonly Choice[];
}

export interface OfferProps {
  scene: Scene | null;
  /** Choices that are possible now. */
  choices: readonly Choice[];
  /** Side of the viewer; empty for a spectator. */
  side: string;
  /** Whether the viewer can choose now. */
  ready: boolean;
  /** Whether the match is over. */
  ended: boolean;
  /** IDs of the steps to offer. */
  ids: readonly string[];
  /** Take a step. */
  press: (event: MouseEvent, id: string) => void;
  /** Ask the server to make the choices that people usually make. */
  chooseAsPeople: () => void;
}

/** Steps that are neither spaces, nor lost pieces, nor plain buttons. */
export interface OwnSteps {
  has: (id: string, scene: Scene) => boolean;
  /** Buttons for those steps that have no place beside the board. */
  Offer: Component<OfferProps>;
  /** The layout's own name for a step; undefined if it has none. */
  name: (id: string, naming: Naming, words: Words) => string | undefined;
  /** Key of the message that explains a step. */
  hint: (id: string, scene: Scene) => string | undefined;
  /** Steps that need no confirmation on a small screen, because they change nothing on the board. */
  atOnce: ReadonlySet<string>;
}

export interface Deploying {
  /** Whether the pieces to place are a hand on the board: a few pieces, placed one by one on highlighted places. */
  fromHand: boolean;
  /** Whether each place has a mirror image in its row. */
  mirrors: boolean;
}

export interface Layout {
  Board: Component<BoardProps>;
  /** Width divided by height of `Board`. */
  ratio: (board: Board) => number;
  /** A piece outside the board, for example under the pointer. */
  Piece: Component<PieceProps>;
  /** Preview of a variant. */
  Glance: Component<GlanceProps>;
  /** Whether `Glance` also draws the board, as soon as the server has sent it. */
  glancesAtBoard: boolean;
  /** Whether the last events stand below the board on a phone. Otherwise the part beside the board uses that room. */
  lately: boolean;
  /** Fence of a rules diagram in Markdown. */
  fence: string;
  diagram: () => Promise<{ default: Component<DiagramProps> }>;
  /** Part beside the board on a wide screen. A layout without it leaves no room there. */
  Beside?: Component<BesideProps>;
  /** Events to remind a side of before it decides. */
  recall?: (log: readonly LogEntry[], seat: string, scene: Scene) => Recap;
  steps?: OwnSteps;
  deploying: Deploying;
  /** Movements by event code. */
  movements: Movements;
  /** Losers by event code. */
  fallen: Fallen;
  /** Spaces that stay outlined after an event that is no move. */
  outlines: Outlines;
  emphasis: Emphasis;
  /** Whether the first seat always moves first. */
  firstMoves: boolean;
}
