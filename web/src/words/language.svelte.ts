// The language that the page speaks: chosen from the browser's wishes, or in the settings.

import { chooseLanguage, LANGUAGES, loadCatalogues, type Catalogues } from './catalogues';
import { settings } from '../browser/settings.svelte';
import { capitalise, Grammar } from './wording';

let current = $state.raw<Catalogues>({ language: '', all: {}, families: new Map(), grammar: new Grammar('en', {}) });

/** The catalogues of the language that is spoken now. */
export const spoken = (): Catalogues => current;

/** Speaks the language of the settings; of several calls the last one holds. A language that cannot be fetched leaves
 * the one before. Raises what the loader raises.
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

/** The language chosen in the settings if the page speaks it, else the best for the browser's languages. */
export const wantedLanguage = (): string =>
  LANGUAGES.find((code) => code === settings.language) ?? chooseLanguage(navigator.languages);

/** The reader's own form of a language: a Briton's dates are not an American's. */
export const regional = (language: string, wishes: readonly string[]): string =>
  wishes.find((wish) => wish.startsWith(`${language}-`)) ?? language;

/** A language's own name for itself: "Deutsch". */
export const nameLanguage = (code: string): string =>
  capitalise(new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code);
