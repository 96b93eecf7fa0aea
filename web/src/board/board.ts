// What every layout's board is given. The layouts draw; what can be chosen and what is said of it comes from outside.

import type { Snippet } from 'svelte';
import type { Board, Choice, Group, Space, Tint, Token, Tray } from '../protocol/messages';
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
  /** What can be chosen, whole. */
  choices?: readonly Choice[];
  /** Places of a deployment, and whose colour tints them. */
  zone?: ReadonlySet<string>;
  side?: string;
  /** Hands and piles, where the layout shows them. */
  trays?: readonly Tray[];
  /** What is known of pieces together. */
  groups?: readonly Group[];
  /** Pencil marks by token. */
  pencilled?: ReadonlyMap<string, string>;
  /** By token what a hidden piece may be. */
  possible?: ReadonlyMap<string, readonly string[]>;
  /** The way of a choice that is not confirmed yet. */
  waiting?: readonly string[];
  /** Asks for a mark on the piece there; whether it can have one. */
  mark?: (id: string) => boolean;
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
