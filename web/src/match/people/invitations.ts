// Links to the seats that nobody has taken yet. Only the browser that made the match knows them.

import type { MatchInfo } from '../../protocol/messages';
import { linkFor, savedMatch } from '../../saved/matches.svelte';

export interface OpenSeat {
  side: string;
  link: string;
}

/** Return the links to the open seats of a match; `own`: this browser's side. */
export function openSeats(info: MatchInfo, own: string): OpenSeat[] {
  const saved = savedMatch(info.id);
  if (!saved || info.ended) return [];
  return info.seats
    .filter(({ side, taken }) => side !== own && !taken && !saved.here.includes(side))
    .map(({ side }) => ({ side, link: linkFor(saved, side) }))
    .filter(({ link }) => link !== '');
}
