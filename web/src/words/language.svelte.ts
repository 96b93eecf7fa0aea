// The page's language, from the browser's languages or the settings.

import { chooseLanguage, LANGUAGES, loadCatalogues, type Catalogues } from './catalogues';
import { languages, nameOfLanguage } from '../browser/features';
import { settings } from '../browser/settings.svelte';
import { capitalise, Grammar } from './wording';

let current = $state.raw<Catalogues>({ language: '', all: {}, families: new Map(), grammar: new Grammar('en', {}) });

/** Return the catalogues of the present language. */
export const spoken = (): Catalogues => current;

/** Change to the language of the settings; the last of several calls wins. If the language cannot be loaded, the page
 * keeps the present one. Raises the loader's error.
 */
export async function speak(): Promise<void> {
  const wanted = wantedLanguage();
  const loaded = await loadCatalogues(wanted);
  if (wanted !== wantedLanguage()) return;
  current = loaded;
  const root = document.documentElement;
  root.lang = wanted;
  root.dir = 'ltr';
}

/** Return the language of the settings if the page has it, otherwise the best one for the browser's languages. */
export const wantedLanguage = (): string =>
  LANGUAGES.find((code) => code === settings.language) ?? chooseLanguage(languages());

/** Return the reader's own form of a language, because for example British dates differ from American dates. */
export const regional = (language: string, wishes: readonly string[]): string =>
  wishes.find((wish) => wish.startsWith(`${language}-`)) ?? language;

/** Return a language's name in the language itself: "Deutsch". */
export const nameLanguage = (code: string): string => capitalise(nameOfLanguage(code));
