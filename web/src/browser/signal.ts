// Plays the sound and vibration of a cue if the settings want them.

import { hasActed, whenIdle } from './features';
import type { Cue } from './sound';
import { settings } from './settings.svelte';

/** Prepare the sounds while the browser is idle, so that no move waits for them. */
export async function getReady(): Promise<void> {
  if (settings.sound === 'off' || !hasActed()) return;
  const made = await import('./sound');
  whenIdle(made.getReady);
}

export async function signal(cue: Cue | ''): Promise<void> {
  const { sound, vibration } = settings;
  // Browsers allow sounds only after the player has acted on the page.
  if (cue === '' || !hasActed() || (sound === 'off' && vibration === 'off')) return;
  const made = await import('./sound');
  if (sound === 'on') made.sound(cue);
  if (vibration === 'on') made.vibrate(cue);
}
