// Plays the sound and vibration of a cue if the settings want them.

import type { Cue } from './sound';
import { settings } from './settings.svelte';

/** Delay for browsers without idle callbacks; most of them are idle by then. */
const IDLE_MS = 300;

/** Prepare the sounds while the browser is idle, so that no move waits for them. */
export async function getReady(): Promise<void> {
  if (settings.sound === 'off' || !navigator.userActivation?.hasBeenActive) return;
  const made = await import('./sound');
  if ('requestIdleCallback' in window) requestIdleCallback(made.getReady);
  else setTimeout(made.getReady, IDLE_MS);
}

export async function signal(cue: Cue | ''): Promise<void> {
  const { sound, vibration } = settings;
  // Browsers allow sounds only after the player has acted on the page.
  if (cue === '' || !navigator.userActivation?.hasBeenActive || (sound === 'off' && vibration === 'off')) return;
  const made = await import('./sound');
  if (sound === 'on') made.sound(cue);
  if (vibration === 'on') made.vibrate(cue);
}
