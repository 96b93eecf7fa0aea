// Words of the lobby.

import type { Catalogue } from '../words/wording';

export const lobbyWords = import.meta.glob<Catalogue>('./words/*.json', { import: 'default' });
