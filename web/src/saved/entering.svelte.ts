// A link to a seat that was opened here, where it is not simply taken.

import { enterByLink, findOwnLink } from './matches.svelte';

export interface Doubt {
  id: string;
  link: string;
  /** The guest for whom this very browser has made the link; empty: the browser cannot keep what would open it. */
  side: string;
}

let doubt = $state.raw<Doubt | null>(null);

export const doubtOf = (id: string): Doubt | null => (doubt?.id === id ? doubt : null);

/** `sure`: even if this browser made the link for somebody else. */
export function enter(id: string, link: string, sure = false): void {
  const side = sure ? undefined : findOwnLink(id, link);
  if (side !== undefined) doubt = { id, link, side };
  else doubt = enterByLink(id, link) ? null : { id, link, side: '' };
}

export function forgetLink(): void {
  doubt = null;
}
