// A moment of a replay in the page's address: `#red/12` is what Red saw after twelve steps.

import type { Playback } from './playback.svelte';

export const momentOf = ({ eye, at }: Playback): string => `#${eye}/${at}`;

/** Goes to the moment that an address names; whatever it does not name stays. */
export function goTo(playback: Playback, hash: string): void {
  const [, eye = '', at = ''] = /^#(?:([a-z]+)\/)?(\d{1,6})$/.exec(hash) ?? [];
  if (at === '') return;
  if (playback.eyes.includes(eye)) playback.eye = eye;
  playback.go(Number(at));
}
