// Links to seats that need a question before this browser takes the seat.

import { enterByLink, findOwnLink } from './matches.svelte';

export interface Doubt {
  id: string;
  link: string;
  /** Side of the guest that this browser made the link for; empty: the browser cannot store the seat's secret. */
  side: string;
}

let doubt = $state.raw<Doubt | null>(null);

export const doubtOf = (id: string): Doubt | null => (doubt?.id === id ? doubt : null);

/** Take the seat of a link, or ask first. `sure`: take it even if this browser made the link for somebody else. */
export function enter(id: string, link: string, sure = false): void {
  const side = sure ? undefined : findOwnLink(id, link);
  if (side !== undefined) doubt = { id, link, side };
  else doubt = enterByLink(id, link) ? null : { id, link, side: '' };
}

export function forgetLink(): void {
  doubt = null;
}
