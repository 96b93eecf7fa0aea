// What a layout brings: one way to draw a game, and all that only such games need. The rest of the page asks here and
// never for a layout's name.

import type { Component } from 'svelte';
import type { BoardProps } from './board';
import type { Emphasis } from './emphasis';
import type { LogEntry } from './notes/log';
import type { Board, Choice, Event, Scene, VariantCard } from '../protocol/messages';
import type { Outlines } from './places/outline';
import type { Acts, Fallen } from './stage';
import type { Words } from '../words/words.svelte';

export interface PieceProps {
  side: string;
  /** Piece type; empty: the back. */
  face: string;
  /** The viewer sees this face anyway. */
  own?: boolean;
  /** There is little room for it. */
  small?: boolean;
}

export interface GlanceProps {
  card: VariantCard;
  /** Null until it has come. */
  board: Board | null;
}

export interface DiagramProps {
  /** The words of each line. */
  rows: string[][];
  label: string;
  family: string;
  variant: string;
}

/** What one side did in its turn, as one. */
export interface Recalled {
  side: string;
  /** What it did to the viewer. */
  own: Event[];
  rest: Event[];
}

/** What happened since the viewer's last decision. */
export interface Recap {
  turns: readonly Recalled[];
  /** All that is told of them, what was done to the viewer first and of that what matters most. */
  events: readonly Event[];
  /** The spaces in which something was done to the viewer. */
  places: readonly string[];
}

export interface BesideProps {
  board: Board;
  scene: Scene;
  sides: readonly string[];
  /** The own side; empty for one who only looks. */
  side?: string;
  steps?: ReadonlySet<string>;
  path?: readonly string[];
  pick?: (id: string) => void;
  recap?: Recap;
}

/** What the names of a choice's steps depend on. */
export interface Naming {
  board: Board | null;
  scene: Scene | null;
  /** The choices that are possible now. */
  choices: readonly Choice[];
}

export interface OfferProps {
  scene: Scene | null;
  /** The choices that are possible now. */
  choices: readonly Choice[];
  /** Side of the viewer; empty for a spectator. */
  side: string;
  /** The viewer can choose now. */
  ready: boolean;
  /** The match is over. */
  ended: boolean;
  /** Steps to offer. */
  ids: readonly string[];
  /** Take a step. */
  press: (event: MouseEvent, id: string) => void;
  /** Have the server choose as people do. */
  chooseAsPeople: () => void;
}

/** Steps that are neither spaces, nor lost pieces, nor plain buttons. */
export interface OwnSteps {
  has: (id: string, scene: Scene) => boolean;
  /** Offers those of them that have no place beside the board. */
  Offer: Component<OfferProps>;
  /** What a step is called, if the layout has a word of its own for it. */
  name: (id: string, naming: Naming, words: Words) => string | undefined;
  /** The message that says what choosing such a step means. */
  hint: (id: string, scene: Scene) => string | undefined;
  /** Steps that one press takes, where others are asked about on a small screen: they change nothing on the board. */
  atOnce: ReadonlySet<string>;
}

export interface Deploying {
  /** The pieces to place are a hand that lies on the board: few, placed one by one on places that light up. */
  fromHand: boolean;
  /** Each place has a mirror image in its row. */
  mirrors: boolean;
}

export interface Layout {
  Board: Component<BoardProps>;
  /** Width by height of what `Board` draws. */
  ratio: (board: Board) => number;
  /** A piece outside the board: to be placed, being dragged. */
  Piece: Component<PieceProps>;
  /** A variant at a glance. */
  Glance: Component<GlanceProps>;
  /** `Glance` draws the board too, once it has come. */
  glancesAtBoard: boolean;
  /** On a phone the last events stand below the board; otherwise its room belongs to what stands beside it. */
  lately: boolean;
  /** How a diagram in the rules is fenced, and what draws it. */
  fence: string;
  diagram: () => Promise<{ default: Component<DiagramProps> }>;
  /** What stands beside the board on a wide screen. Where there is none, there is no room beside it either. */
  Beside?: Component<BesideProps>;
  /** What to remind a side of that is to decide. */
  recall?: (log: readonly LogEntry[], seat: string, scene: Scene) => Recap;
  steps?: OwnSteps;
  deploying: Deploying;
  /** What moves at which event. */
  acts: Acts;
  /** Who falls at which event. */
  fallen: Fallen;
  /** Which spaces stay outlined after an event that is no move. */
  outlines: Outlines;
  emphasis: Emphasis;
  /** Who sits first moves first. */
  firstMoves: boolean;
}
