// Times until a claim, which the page counts down by itself.

import type { MatchState } from '../state.svelte';

/** Seconds before a claim at which it is announced. */
export const SOON = 60;

/** Return the seconds left at `now` (`Date.now()`) of a `claim_in` that came with the present facts of the match. */
export const secondsLeft = ({ infoAt }: Pick<MatchState, 'infoAt'>, claimIn: number, now: number): number =>
  Math.max(0, Math.ceil(claimIn - (now - infoAt) / 1000));
