// The opponents of a saved match in words.

import { othersOf, type SavedMatch } from './matches.svelte';
import { isolate } from '../words/wording';
import type { Words } from '../words/words.svelte';

/** Name the opponents: a person's name, the level of a computer player; without names, what kind of opponent it is. */
export function opponentWords({ agentTitle, list, sideName, t }: Words, match: SavedMatch): string {
  const others = othersOf(match);
  const called = others.map(({ kind, name }) => (kind === 'agent' ? agentTitle(name) : isolate(name)));
  const names = new Set(called.map((name, index) => name || sideName(others[index]?.side ?? '')));
  if (called.some((name) => name !== '') && (others.length > 1 || match.here.length < 2))
    return list(match.here.length > 1 ? [t('opponent.device'), ...names] : [...names]);
  if (match.opponent === 'agent' && match.agent !== '') return agentTitle(match.agent);
  return t(others.length > 1 && match.here.length < 2 ? 'opponent.mixed' : `opponent.${match.opponent}`);
}
