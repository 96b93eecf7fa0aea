// Plays the sound and vibration of a cue if the settings want them.

import { hasActed, makeAudio } from './features';
import type { Cue } from './sound';
import { settings } from './settings.svelte';

/** Events in which browsers let a page begin to sound. `click` comes after "Unmute" has changed the setting. */
const PRESSES = ['pointerup', 'keydown', 'click'] as const;
let audio: AudioContext | null = null;

/** Let the player's presses open the sound. Calls after the first one change nothing. */
export function getReady(): void {
  for (const press of PRESSES) addEventListener(press, open);
}

/** Open the sound inside the event of a press: iOS opens it nowhere else, and closes it while another app sounds. */
function open(): void {
  if (settings.sound === 'off') return;
  // Load the tones now, so that no move waits for them.
  if (!audio) void import('./sound');
  audio ??= makeAudio();
  if (audio && audio.state !== 'running') audio.resume().catch(() => {});
}

export async function signal(cue: Cue | ''): Promise<void> {
  const { sound, vibration } = settings;
  // Browsers allow vibrations only after the player has acted on the page.
  if (cue === '' || !hasActed() || (sound === 'off' && vibration === 'off')) return;
  const made = await import('./sound');
  if (sound === 'on' && audio) made.sound(audio, cue);
  if (vibration === 'on') made.vibrate(cue);
}
