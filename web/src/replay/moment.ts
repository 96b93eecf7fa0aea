// A moment of a replay in the URL: `#red/12` is Red's view after twelve steps.

import type { Playback } from './playback.svelte';

export const momentOf = ({ eye, at }: Playback): string => `#${eye}/${at}`;

/** Go to the moment of a URL; missing parts stay as they are. */
export function goTo(playback: Playback, hash: string): void {
  const [, eye = '', at = ''] = /^#(?:([a-z]+)\/)?(\d{1,6})$/.exec(hash) ?? [];
  if (at === '') return;
  if (playback.eyes.includes(eye)) playback.eye = eye;
  playback.go(Number(at));
}
