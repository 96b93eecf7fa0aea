// Screens by the name of their address. All but the start page load on demand.

import { loadMatch } from './ahead';
import type { ScreenModule } from '../words/more';

type Screens = Record<string, () => Promise<ScreenModule>>;

/** Load a screen from a folder whose screens have words of their own. */
const from = async (folder: Promise<{ SCREENS: Screens }>, name: string): Promise<ScreenModule> => {
  const load = (await folder).SCREENS[name];
  if (!load) throw new Error(`no screen ${name}`);
  return load();
};
const people = (name: string) => (): Promise<ScreenModule> => from(import('../people/screens'), name);

export const SCREENS: Screens = {
  new: () => import('./New.svelte'),
  rules: () => import('./Rules.svelte'),
  lobby: () => from(import('../lobby/screens'), 'lobby'),
  match: loadMatch,
  replay: () => import('../replay/Replay.svelte'),
  matches: () => import('../saved/Matches.svelte'),
  settings: () => import('./Settings.svelte'),
  about: () => import('./About.svelte'),
  account: people('account'),
  player: people('player'),
  leaderboards: people('leaderboards'),
  privacy: people('privacy'),
};

/** Load a screen before it is shown. If this fails, the screen reports it when it is shown. */
export function fetchScreen(name: string): void {
  SCREENS[name]?.().catch(() => {});
}
