// Has a cue heard and felt, as far as it is wanted.

import type { Cue } from './match/cues';
import { settings } from './settings.svelte';

export async function signal(cue: Cue | ''): Promise<void> {
  const { sound, vibration } = settings;
  // Browsers let a page be heard only after a person has acted on it.
  if (cue === '' || !navigator.userActivation?.hasBeenActive || (sound === 'off' && vibration === 'off')) return;
  const made = await import('./sound');
  if (sound === 'on') made.sound(cue);
  if (vibration === 'on') made.vibrate(cue);
}
