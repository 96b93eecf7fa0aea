// Screens by the name of their address. All but the start page load on demand.

import type { Component } from 'svelte';
import { loadMatch } from './ahead';

/** Some screens take `param`, others no props, hence `any`. */
export const SCREENS: Record<string, () => Promise<{ default: Component<any> }>> = {
  new: () => import('./New.svelte'),
  rules: () => import('./Rules.svelte'),
  match: loadMatch,
  replay: () => import('../replay/Replay.svelte'),
  matches: () => import('../saved/Matches.svelte'),
  settings: () => import('./Settings.svelte'),
  about: () => import('./About.svelte'),
};

/** Load a screen before it is shown. If this fails, the screen reports it when it is shown. */
export function fetchScreen(name: string): void {
  SCREENS[name]?.().catch(() => {});
}
