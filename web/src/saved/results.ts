// Results of matches in words: addressed to a player, or to spectators if the side is empty.

import type { SavedMatch } from './matches.svelte';
import type { Ending } from '../protocol/messages';
import type { Words } from '../words/words.svelte';

export function resultWords(
  words: Words,
  { winner, reason, returns }: Ending,
  sides: readonly string[],
  side: string,
): string {
  const { t } = words;
  if (winner !== '') return winWords(words, winner, side, sides.length > 2);
  if (reason === 'no-result') return t('result.none');
  // If a draw leaves some sides out, name those that share it.
  const sharing = sides.filter((_, player) => (returns[player] ?? 0) > 0);
  if (sharing.length > 0)
    return t(side === '' || sharing.includes(side) ? 'result.shared' : 'result.shared-lost', { sides: sharing });
  return t(returns.some((value) => value !== 0) ? 'result.none' : 'result.draw');
}

/** Return the reason of the end in words, for a player of `side`. With more than two players it names no loser. */
export function reasonWords(
  { has, t }: Words,
  { winner, reason }: Ending,
  sides: readonly string[],
  side: string,
): string {
  const loser = sides.find((each) => each !== winner) ?? '';
  const to = sides.length > 2 ? '.many' : side === loser ? '.you' : '';
  const code = `end.${reason}`;
  return `${t(has(code + to) ? code + to : code, { side: loser })}.`;
}

/** Events that say no more than the reason of the end does. */
const REPEATED: Readonly<Record<string, string>> = { resigned: 'resigned', time: 'out-of-time' };

/** Return the code of the event that the reason of the end repeats; empty if there is none. With more than two players
 * the reason does not say whom it is about, but the event does.
 */
export const repeatedEvent = ({ reason }: Ending, sides: readonly string[]): string =>
  sides.length > 2 ? '' : (REPEATED[reason] ?? '');

/** Return the result of a saved match in words; empty if unknown. */
export function savedResultWords(words: Words, { result, mine }: SavedMatch): string {
  if (result === '' || result === 'draw') return result && words.t('result.draw');
  return winWords(words, result, mine);
}

/** Return in words which help a player used, for a list of matches; empty without help. */
export function aidWords({ t }: Words, { tookBack, hints }: Pick<SavedMatch, 'tookBack' | 'hints'>): string {
  if (tookBack > 0) return t(hints > 0 ? 'matches.aided' : 'matches.took-back');
  return hints > 0 ? t('matches.hinted') : '';
}

/** Return in sentences how often a player used help, for the end of a match or its replay. */
export function aidSentences({ t }: Words, tookBack = 0, hints = 0): string[] {
  const counts = [
    ['took-back', tookBack],
    ['hints', hints],
  ] as const;
  return counts.filter(([, count]) => count > 0).map(([aid, count]) => t(`outcome.aided.${aid}`, { count }));
}

function winWords({ t }: Words, winner: string, side: string, many = false): string {
  if (side === '') return t('result.won', { side: winner });
  if (side === winner) return t('result.you-won');
  return many ? t('result.lost-to', { side: winner }) : t('result.you-lost');
}
