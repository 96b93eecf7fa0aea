// The screens about people, each with the words of all of them.

import type { Catalogue } from '../words/wording';
import { withWords, type ScreenModule } from '../words/more';

const files = import.meta.glob<Catalogue>('./words/*.json', { import: 'default' });

export const SCREENS: Record<string, () => Promise<ScreenModule>> = {
  account: () => withWords(files, import('./Account.svelte')),
  player: () => withWords(files, import('./Profile.svelte')),
  leaderboards: () => withWords(files, import('./Leaderboards.svelte')),
  privacy: () => withWords(files, import('./Privacy.svelte')),
};
