// How a card comes to its place and turns: only when it does, not when a screen is drawn anew. These are the browser's
// own animations, since the content policy allows no style attributes.

import type { TransitionConfig } from 'svelte/transition';
import { MOVE_MS } from './stage';
import { reducedMotion, settings, type Pace } from '../browser/settings.svelte';

interface Way {
  /** Where it comes from, in shares of its own size. */
  x?: number;
  y?: number;
  /** Not at all. */
  still?: boolean;
}

/** From a hand to a line, from a pile to a hand; with reduced motion it only appears. */
export function arrive(_: Element, { x = 0, y = 0, still = false }: Way): TransitionConfig {
  if (still) return { duration: 0 };
  const far = reducedMotion() ? 0 : 100;
  const css = (at: number, left: number): string =>
    `opacity: ${at}; transform: translate(${left * far * x}%, ${left * far * y}%)`;
  return { duration: MOVE_MS, easing: (at) => 1 - (1 - at) ** 2, css };
}

/** Another face shows: edge on, then whole; with reduced motion the new one appears. */
export function turn(_: Element): TransitionConfig {
  return {
    duration: MOVE_MS,
    easing: (at) => 1 - (1 - at) ** 2,
    css: (at) => (reducedMotion() ? `opacity: ${at}` : `transform: scaleX(${0.05 + 0.95 * at})`),
  };
}

/** Waits shorten with reduced motion: cross-fades need no travel, but a result still needs a moment to be read. */
export const pause = (ms: number): Promise<void> =>
  new Promise((done) => setTimeout(done, reducedMotion() ? Math.min(ms, 400) : ms));

const STANDS_MS: Record<Pace, number> = { brisk: 700, calm: 1500, 'at-once': 0 };

/** How long the result of one's own act stands before the answer comes, in milliseconds. */
export const standing = (): number => STANDS_MS[settings.pace];

/** A wait for reading, as long with reduced motion as without. */
export const rest = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** A picture that is not drawn in this time will not be: the page is out of sight. */
const DRAWN_MS = 100;

/** When the browser has drawn what was changed until now. */
export const drawn = (): Promise<void> =>
  new Promise((done) => {
    const unseen = setTimeout(done, DRAWN_MS);
    // Called before drawing; what is put off from there comes after it.
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(unseen);
        done();
      }),
    );
  });
