// The log of a match: one entry for each step in words.

import type { Event } from '../../protocol/messages';

export interface LogEntry {
  /** Number of the step in the match. */
  seq: number;
  /** The side that acted; empty for chance. */
  by: string;
  /** Number of the turn, from 1; 0 before play. */
  turn: number;
  events: Event[];
}
