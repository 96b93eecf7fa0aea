// Where the texts lie: message catalogues of the page and of the games, in one language.

import page from '../messages/en.json';
import { familyOf } from './glyphs';

export type Catalogue = Readonly<Record<string, string>>;

export interface Catalogues {
  /** The language's code, for dates and numbers. */
  language: string;
  /** Words of the page and of all families together. */
  all: Catalogue;
  /** Each family's own words. */
  families: ReadonlyMap<string, Catalogue>;
}

const games = import.meta.glob<Catalogue>('../../../src/gonfalon/games/*/screen/messages/en.json', {
  eager: true,
  import: 'default',
});

export const ENGLISH: Catalogues = {
  language: 'en',
  all: Object.assign({}, ...Object.values(games), page) as Catalogue,
  families: new Map(Object.entries(games).map(([path, words]) => [familyOf(path), words])),
};
