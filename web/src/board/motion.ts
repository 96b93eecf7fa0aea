// Animations of cards that arrive and turn. They run only for a change, not when a screen is drawn anew. They are the
// browser's own animations, because the content policy allows no style attributes.

import type { TransitionConfig } from 'svelte/transition';
import { MOVE_MS } from './stage';
import { reducedMotion, settings, type Pace } from '../browser/settings.svelte';

interface Way {
  /** Start of the movement, in shares of the card's size. */
  x?: number;
  y?: number;
  /** Whether the card stays where it is. */
  still?: boolean;
}

/** Move a card from a hand to a line or from a pile to a hand. With reduced motion it fades in. */
export function arrive(_: Element, { x = 0, y = 0, still = false }: Way): TransitionConfig {
  if (still) return { duration: 0 };
  const far = reducedMotion() ? 0 : 100;
  const css = (at: number, left: number): string =>
    `opacity: ${at}; transform: translate(${left * far * x}%, ${left * far * y}%)`;
  return { duration: MOVE_MS, easing: (at) => 1 - (1 - at) ** 2, css };
}

/** Turn a card to another face. With reduced motion the new face fades in. */
export function turn(_: Element): TransitionConfig {
  return {
    duration: MOVE_MS,
    easing: (at) => 1 - (1 - at) ** 2,
    css: (at) => (reducedMotion() ? `opacity: ${at}` : `transform: scaleX(${0.05 + 0.95 * at})`),
  };
}

/** Wait. Reduced motion shortens long waits: a cross-fade takes less time than a movement, but people still need time
 * to read a result.
 */
export const pause = (ms: number): Promise<void> =>
  new Promise((done) => setTimeout(done, reducedMotion() ? Math.min(ms, 400) : ms));

const ANSWER_MS: Record<Pace, number> = { brisk: 700, calm: 1500, 'at-once': 0 };

/** Pause before another side's act, in milliseconds. */
export const answerPause = (): number => ANSWER_MS[settings.pace];

/** Wait for the reader, as long with reduced motion as without. */
export const rest = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Maximum wait for a drawn frame, because a hidden page draws none. */
const DRAWN_MS = 100;

/** Wait until the browser has drawn all changes. */
export const drawn = (): Promise<void> =>
  new Promise((done) => {
    const unseen = setTimeout(done, DRAWN_MS);
    // The callback runs before the drawing, so a timer started in the callback runs after the drawing.
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(unseen);
        done();
      }),
    );
  });
