// The lobby's screen with its words.

import type { Catalogue } from '../words/wording';
import { withWords, type ScreenModule } from '../words/more';

const files = import.meta.glob<Catalogue>('./words/*.json', { import: 'default' });

export const SCREENS: Record<string, () => Promise<ScreenModule>> = {
  lobby: () => withWords(files, import('./Lobby.svelte')),
};
