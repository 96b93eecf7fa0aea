// Words for the time control of a match.

import type { MatchInfo } from '../protocol/messages';
import type { Words } from './words.svelte';

/** Say what the time control means for the players; empty for a match without one. */
export function timeLine(t: Words['t'], clock: MatchInfo['clock'] | undefined): string {
  if (!clock) return '';
  const minutes = Math.round((clock.claim_after ?? 0) / 60);
  return minutes > 0 ? t('time.live.text', { minutes }) : t('time.own.text');
}

/** Write a number of seconds as `4:05`. */
export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
