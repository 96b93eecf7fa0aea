// Terms of a match in a few words, for lists.

import type { RunningSeat, Terms } from '../protocol/messages';
import { ratingNumber } from '../words/rating';
import { duration, type Control } from '../words/time';
import type { Words } from '../words/words.svelte';

/** Say a time control in a few words: `5 min + 3 s`. */
export function shortTime(t: Words['t'], clock: Control | null | undefined): string {
  switch (clock?.kind) {
    case 'bank': {
      const extra = (clock.increment ?? 0) || (clock.delay ?? 0);
      const time = duration(t, clock.bank);
      return extra > 0 ? t('lobby.time.extra', { time, extra: duration(t, extra) }) : time;
    }
    case 'turn':
      return t('lobby.time.turn', { time: duration(t, clock.turn) });
    case 'correspondence':
      return t('lobby.time.days', { count: clock.days });
    default:
      return t('time.none');
  }
}

/** Say the conditions of a challenge: time, rated or casual, its maker's side, the ratings that may accept. */
export function conditions({ t }: Words, terms: Terms): string[] {
  const { lowest = 0, highest = 0, side = '' } = terms;
  const range = highest === 0 ? 'lobby.range.least' : lowest === 0 ? 'lobby.range.most' : 'lobby.range';
  return [
    shortTime(t, terms.clock),
    t(terms.rated ? 'match.rated' : 'lobby.casual'),
    ...(side === '' ? [] : [t('lobby.plays', { side })]),
    ...(lowest === 0 && highest === 0 ? [] : [t(range, { lowest: String(lowest), highest: String(highest) })]),
  ];
}

/** Name a person with the rating, if there is one. `name` is empty for a guest. */
export function withRating({ t }: Words, name: string, shown: Pick<RunningSeat, 'rating' | 'provisional'>): string {
  const called = name || t('lobby.guest');
  return shown.rating == null ? called : t('lobby.with-rating', { name: called, rating: ratingNumber(shown) });
}

export const seatName = (words: Words, seat: RunningSeat): string =>
  withRating(words, seat.agent ? words.agentTitle(seat.agent) : (seat.name ?? ''), seat);
