// How a match ended, in words: for a player, or (side empty) for those who look on.

import type { Ending } from './messages';
import { t } from './words.svelte';

/** How a match ended, as it is kept: the side that won, `draw`, or nothing. */
export const resultCode = ({ winner, reason }: Ending): string => winner || (reason === 'no-result' ? '' : 'draw');

export function resultWords({ winner, reason, returns }: Ending, sides: readonly string[], side: string): string {
  if (winner !== '') {
    if (side === '') return t('result.won', { side: winner });
    if (side === winner) return t('result.you-won');
    return sides.length > 2 ? t('result.lost-to', { side: winner }) : t('result.you-lost');
  }
  if (reason === 'no-result') return t('result.none');
  // Where a draw leaves some out, it is said who shares it.
  const sharing = sides.filter((_, player) => (returns[player] ?? 0) > 0);
  if (sharing.length > 0) return t(side === '' || sharing.includes(side) ? 'result.shared' : 'result.shared-lost', { sides: sharing });
  return t(returns.some((value) => value !== 0) ? 'result.none' : 'result.draw');
}
