// Weights of events for a player, the most important first: own Flag, own losses, Flags, cards and guesses, other
// battles, moves, and changes of owners.

import type { Event } from '../../protocol/messages';

const FLAGS = ['captured', 'given', 'recaptured', 'raised', 'skipped', 'resigned', 'won', 'drawn', 'agreed'];
const CARDS = ['guessed', 'hit', 'missed', 'saw', 'looked', 'card', 'entered', 'entered-hidden', 'regrouped', 'master'];
const BATTLES = ['battle-won', 'battle-lost', 'battle-both'];
const HOLDS = ['control', 'contested'];
const ORDER = [FLAGS, CARDS, BATTLES];

/** Argument that names the owner of the Flag, by event code. */
const OWNER: Record<string, 'side' | 'other'> = { captured: 'other', given: 'side', recaptured: 'side' };
/** Arguments that name sides which lose a unit, by event code. */
const LOSERS: Record<string, readonly ('side' | 'other')[]> = {
  'battle-won': ['other'],
  'battle-lost': ['side'],
  'battle-both': ['side', 'other'],
  hit: ['side'],
};

/** Return whether the side loses a unit by the event. */
export const isLoss = ({ code, args = {} }: Event, seat: string): boolean =>
  seat !== '' && (LOSERS[code] ?? []).some((name) => args[name] === seat);

/** Return whether the event moves the side's own Flag. */
export const isOwnFlag = ({ code, args = {} }: Event, seat: string): boolean =>
  seat !== '' && OWNER[code] !== undefined && args[OWNER[code]] === seat;

/** Return whether the event is told when another side's turn is over: Flags, cards, guesses and battles. */
export const matters = ({ code }: Event): boolean => ORDER.some((codes) => codes.includes(code));

/** Return the weight of an event, from 0 for the most important. */
export function weigh(event: Event, seat: string): number {
  if (isOwnFlag(event, seat)) return 0;
  if (isLoss(event, seat)) return 1;
  const kind = ORDER.findIndex((codes) => codes.includes(event.code));
  if (kind >= 0) return 2 + kind;
  return 2 + ORDER.length + (HOLDS.includes(event.code) ? 1 : 0);
}
