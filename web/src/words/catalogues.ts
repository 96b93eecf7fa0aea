// Message catalogues of the page and the games, one file for each language. The page loads only its own language; the
// build joins its files (vite.config.ts).

import { familyOf } from './glyphs';
import { Grammar, type Catalogue } from './wording';

export interface Catalogues {
  /** Code of the language, for dates, numbers, lists and plurals. */
  language: string;
  /** Words of the page and of all families. */
  all: Catalogue;
  /** Words of each family alone. */
  families: ReadonlyMap<string, Catalogue>;
  grammar: Grammar;
}

/** Loads a file of a language. */
type Loaders = Record<string, () => Promise<Catalogue>>;

const pages: Loaders = import.meta.glob<Catalogue>('../messages/*.json', { import: 'default' });
const shared: Loaders = import.meta.glob<Catalogue>('../../../src/gonfalon/games/messages/*.json', {
  import: 'default',
});
const games: Loaders = import.meta.glob<Catalogue>('../../../src/gonfalon/games/*/screen/messages/*.json', {
  import: 'default',
});

const languageOf = (path: string): string => /(\w+)\.json$/.exec(path)?.[1] ?? '';

/** Codes of the page's languages, ascending. */
export const LANGUAGES: readonly string[] = Object.keys(pages).map(languageOf).sort();

/** Language for browsers that ask for none of these languages. */
export const DEFAULT_LANGUAGE = 'en';

/** Return the first of the browser's languages (such as "pt-BR") in which the page has catalogues. */
export function chooseLanguage(wishes: readonly string[]): string {
  // Some systems name a language as `de_DE@euro`.
  const codes = wishes.map((wish) => wish.toLowerCase().split(/[-_@.]/)[0] ?? '');
  return codes.find((code) => LANGUAGES.includes(code)) ?? DEFAULT_LANGUAGE;
}

export async function loadCatalogues(language: string): Promise<Catalogues> {
  const load = (loaders: Loaders): Promise<[string, Catalogue][]> =>
    Promise.all(
      Object.entries(loaders)
        .filter(([path]) => languageOf(path) === language)
        .map(async ([path, loader]): Promise<[string, Catalogue]> => [path, await loader()]),
    );
  const [families, common, page] = await Promise.all([load(games), load(shared), load(pages)]);
  const all = Object.assign({}, ...[...families, ...common, ...page].map(([, words]) => words)) as Catalogue;
  return {
    language,
    all,
    families: new Map(families.map(([path, words]) => [familyOf(path), words])),
    grammar: new Grammar(language, all),
  };
}
