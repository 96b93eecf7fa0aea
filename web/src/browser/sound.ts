// Sounds made of a few soft tones, and short vibrations. Loaded on demand.

import { vibrate as shake } from './features';

/** An occasion for a sound and a vibration. */
export type Cue = 'move' | 'won' | 'lost' | 'drawn' | 'turn' | 'time' | 'end';

/** Tones one after the other: pitch in hertz, and start in seconds. */
const TONES: Record<Cue, readonly (readonly [number, number])[]> = {
  move: [[196, 0]],
  won: [
    [330, 0],
    [440, 0.11],
  ],
  lost: [
    [262, 0],
    [196, 0.13],
  ],
  drawn: [
    [262, 0],
    [262, 0.13],
  ],
  turn: [[392, 0]],
  time: [[523, 0]],
  end: [
    [262, 0],
    [330, 0.15],
    [392, 0.3],
  ],
};
const LOUDNESS = 0.07;
const SECONDS = 0.24;
const SHAKE_MS: Record<Cue, number> = { move: 0, won: 40, lost: 80, drawn: 60, turn: 30, time: 50, end: 120 };

export function sound(on: AudioContext, cue: Cue): void {
  for (const [pitch, after] of TONES[cue]) tone(on, pitch, on.currentTime + after);
}

export function vibrate(cue: Cue): void {
  if (SHAKE_MS[cue] > 0) shake(SHAKE_MS[cue]);
}

/** Play a tone that comes quickly and fades away. */
function tone(on: AudioContext, pitch: number, begin: number): void {
  const source = new OscillatorNode(on, { type: 'triangle', frequency: pitch });
  const volume = new GainNode(on, { gain: 0 });
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(LOUDNESS, begin + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + SECONDS);
  source.connect(volume).connect(on.destination);
  source.start(begin);
  source.stop(begin + SECONDS);
}
