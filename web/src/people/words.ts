// Words of the screens about people: account, profile, privacy.

import type { Catalogue } from '../words/wording';

export const peopleWords = import.meta.glob<Catalogue>('./words/*.json', { import: 'default' });
