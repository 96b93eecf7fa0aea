// The page's language, from the browser's languages or the settings.

import { chooseLanguage, LANGUAGES, loadCatalogues, type Catalogues } from './catalogues';
import { languages, nameOfLanguage } from '../browser/features';
import { settings } from '../browser/settings.svelte';
import { capitalise, Grammar, type Catalogue } from './wording';

/** Loads the words of one language, by path. */
export type WordFiles = Record<string, () => Promise<Catalogue>>;

let current = $state.raw<Catalogues>({ language: '', all: {}, families: new Map(), grammar: new Grammar('en', {}) });

/** Return the catalogues of the present language. */
export const spoken = (): Catalogues => current;

/** Change to the language of the settings; the last of several calls wins. If the language cannot be loaded, the page
 * keeps the present one. Raises the loader's error.
 */
export async function speak(): Promise<void> {
  const wanted = wantedLanguage();
  const loaded = await loadCatalogues(wanted);
  for (const files of learned) loaded.all = { ...loaded.all, ...(await fileOf(files, wanted)) };
  if (wanted !== wantedLanguage()) return;
  current = loaded;
  const root = document.documentElement;
  root.lang = wanted;
  root.dir = 'ltr';
}

/** Files of words that were added, and that a change of the language must load too. */
const learned = new Set<WordFiles>();

/** Add more words to the present language, and to each language that the page changes to. Raises the loader's error. */
export async function learn(files: WordFiles, language: string): Promise<void> {
  if (learned.has(files)) return;
  const words = await fileOf(files, language);
  learned.add(files);
  if (current.language === language) current = { ...current, all: { ...current.all, ...words } };
  else await speak();
}

async function fileOf(files: WordFiles, language: string): Promise<Catalogue> {
  const path = Object.keys(files).find((each) => each.endsWith(`/${language}.json`)) ?? '';
  return (await files[path]?.()) ?? {};
}

/** Return the language of the settings if the page has it, otherwise the best one for the browser's languages. */
export const wantedLanguage = (): string =>
  LANGUAGES.find((code) => code === settings.language) ?? chooseLanguage(languages());

/** Return the reader's own form of a language, because for example British dates differ from American dates. */
export const regional = (language: string, wishes: readonly string[]): string =>
  wishes.find((wish) => wish.startsWith(`${language}-`)) ?? language;

/** Return a language's name in the language itself: "Deutsch". */
export const nameLanguage = (code: string): string => capitalise(nameOfLanguage(code));
