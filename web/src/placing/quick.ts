// A match against the computer by one click, with a deployment from the library if wanted.

import { agents, makeMatch } from '../protocol/api';
import { usualAgent } from '../saved/levels';
import { changeMatch, savedMatches, saveMade } from '../saved/matches.svelte';
import { nameRefusal } from '../controls/naming';
import type { VariantCard } from '../protocol/messages';
import { settings } from '../browser/settings.svelte';
import { forget, isText, read, write } from '../browser/storage';

const AT_ONCE = 'gonfalon.at-once.';

/** Return the address of a match against the computer: an idle one of this browser, or a new one. */
export async function openQuickMatch(card: VariantCard, atOnce = false): Promise<string> {
  const idle = savedMatches().find(
    (match) => match.quick && !match.acted && !match.ended && match.variant === card.variant,
  );
  const id = idle?.id ?? (await makeQuickMatch(card));
  if (atOnce) write('sessionStorage', AT_ONCE + id, 'yes');
  return `/match/${id}`;
}

async function makeQuickMatch(card: VariantCard): Promise<string> {
  const agent = usualAgent(card.variant, await agents(card.variant));
  await nameRefusal();
  const seats = card.sides.map((_, index) =>
    index === 0 ? { kind: 'me', name: settings.name } : { kind: 'agent', agent },
  );
  const made = await makeMatch({ variant: card.variant, seats });
  saveMade(made, { variant: card.variant, opponent: 'agent', agent, here: card.sides.slice(0, 1) });
  changeMatch(made.match, { quick: true });
  return made.match;
}

/** Return whether this tab wants to play a match without placing; true only once. */
export function takeAtOnce(id: string): boolean {
  const wanted = read('sessionStorage', AT_ONCE + id, isText, '') !== '';
  forget('sessionStorage', AT_ONCE + id);
  return wanted;
}
