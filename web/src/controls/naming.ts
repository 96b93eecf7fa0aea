// The player's name: the server alone decides which names are possible, so the page asks before it keeps one.

import { checkName, lineOf } from '../protocol/api';
import type { Line } from '../protocol/messages';
import { set, settings } from '../browser/settings.svelte';

/** The answer to the last name; null: it is kept. */
let last: Promise<Line | null> = Promise.resolve(null);

/** Keep a name if the server accepts it. Return the refusal, or null. */
export function keepName(typed: string): Promise<Line | null> {
  last = typed === settings.name ? Promise.resolve(null) : ask(typed);
  return last;
}

async function ask(typed: string): Promise<Line | null> {
  try {
    const { name } = await checkName(typed);
    set('name', name);
    return null;
  } catch (error) {
    return lineOf(error);
  }
}

/** Return the refusal of the last name, once the server has answered; null if the name is kept. */
export const nameRefusal = (): Promise<Line | null> => last;
