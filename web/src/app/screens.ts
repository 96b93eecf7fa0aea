// Screens by the name of their address. All but the start page load on demand.

import { loadMatch } from './ahead';
import { lobbyWords } from '../lobby/words';
import { peopleWords } from '../people/words';
import { withWords, type ScreenModule } from '../words/more';

export const SCREENS: Record<string, () => Promise<ScreenModule>> = {
  new: () => import('./New.svelte'),
  rules: () => import('./Rules.svelte'),
  lobby: () => withWords(lobbyWords, import('../lobby/Lobby.svelte')),
  match: loadMatch,
  replay: () => import('../replay/Replay.svelte'),
  matches: () => import('../saved/Matches.svelte'),
  settings: () => import('./Settings.svelte'),
  about: () => import('./About.svelte'),
  account: () => withWords(peopleWords, import('../people/Account.svelte')),
  player: () => withWords(peopleWords, import('../people/Profile.svelte')),
  leaderboards: () => withWords(peopleWords, import('../people/Leaderboards.svelte')),
  privacy: () => withWords(peopleWords, import('../people/Privacy.svelte')),
};

/** Load a screen before it is shown. If this fails, the screen reports it when it is shown. */
export function fetchScreen(name: string): void {
  SCREENS[name]?.().catch(() => {});
}
