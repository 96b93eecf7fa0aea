// Has a cue heard and felt, as far as it is wanted.

import type { Cue } from './sound';
import { settings } from './settings.svelte';

/** Where a browser does not say when it is idle, it is by then, most times. */
const IDLE_MS = 300;

/** What sounds is made ready when the browser has nothing else to do, so that no move waits for it. */
export async function getReady(): Promise<void> {
  if (settings.sound === 'off' || !navigator.userActivation?.hasBeenActive) return;
  const made = await import('./sound');
  if ('requestIdleCallback' in window) requestIdleCallback(made.getReady);
  else setTimeout(made.getReady, IDLE_MS);
}

export async function signal(cue: Cue | ''): Promise<void> {
  const { sound, vibration } = settings;
  // Browsers let a page be heard only after a person has acted on it.
  if (cue === '' || !navigator.userActivation?.hasBeenActive || (sound === 'off' && vibration === 'off')) return;
  const made = await import('./sound');
  if (sound === 'on') made.sound(cue);
  if (vibration === 'on') made.vibrate(cue);
}
