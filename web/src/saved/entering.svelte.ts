// Links to seats about which the page must ask before this browser takes the seat.

import { enterByLink, findOwnLink } from './matches.svelte';

export interface LinkQuestion {
  id: string;
  link: string;
  /** Side of the guest that this browser made the link for; empty: the browser cannot store the seat's secret. */
  side: string;
}

let question = $state.raw<LinkQuestion | null>(null);

export const linkQuestionOf = (id: string): LinkQuestion | null => (question?.id === id ? question : null);

/** Take the seat of a link, or ask first. `sure`: do not ask, even if this browser made the link for another person. */
export function enter(id: string, link: string, sure = false): void {
  const side = sure ? undefined : findOwnLink(id, link);
  if (side !== undefined) question = { id, link, side };
  else question = enterByLink(id, link) ? null : { id, link, side: '' };
}

export function forgetLink(): void {
  question = null;
}
