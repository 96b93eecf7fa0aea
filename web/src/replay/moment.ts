// A moment of a replay in the URL: `#red/12` is Red's view after twelve steps.

import type { Playback } from './playback.svelte';

export const momentOf = ({ observer, at }: Playback): string => `#${observer}/${at}`;

/** Go to the moment of a URL; missing parts stay as they are. */
export function goTo(playback: Playback, hash: string): void {
  const [, observer = '', at = ''] = /^#(?:([a-z]+)\/)?(\d{1,6})$/.exec(hash) ?? [];
  if (at === '') return;
  if (playback.observers.includes(observer)) playback.observer = observer;
  playback.go(Number(at));
}
