// Levels of the computer player: the usual one, and the next one to offer after wins.

import { isAided, savedMatches } from './matches.svelte';
import { isText, read, write } from '../browser/storage';

const LEVEL = 'level-';
const CHOSEN = 'gonfalon.agent.';
const EASY = 1;
const WINS = 3;

/** Return the number of a level; 0 for other computer players. */
export const levelOf = (agent: string): number => (agent.startsWith(LEVEL) ? Number(agent.slice(LEVEL.length)) : 0);

/** Return the computer players in the order of a list: levels first, then the others. */
export const inOrder = (agents: readonly string[]): string[] =>
  [...agents].sort((a, b) => (levelOf(a) || Infinity) - (levelOf(b) || Infinity) || a.localeCompare(b));

/** Return the computer player that was last chosen in a variant, or an easy one. */
export function usualAgent(variant: string, known: readonly string[]): string {
  const chosen = read('localStorage', CHOSEN + variant, isText, '');
  return [chosen, LEVEL + String(EASY)].find((name) => known.includes(name)) ?? known[0] ?? '';
}

export const keepAgent = (variant: string, agent: string): boolean => write('localStorage', CHOSEN + variant, agent);

/** Return the next level if the player won the last three matches of a variant against `agent` without help; otherwise
 * return an empty text.
 */
export function nextLevel(variant: string, agent: string, known: readonly string[]): string {
  const ended = savedMatches().filter((match) => match.variant === variant && match.agent !== '' && match.ended);
  const last = ended.slice(0, WINS);
  const won =
    last.length === WINS &&
    last.every((match) => match.agent === agent && match.result === match.mine && !isAided(match));
  const next = LEVEL + String(levelOf(agent) + 1);
  return won && levelOf(agent) > 0 && known.includes(next) ? next : '';
}
