// Titles and descriptions of the server's own variants, which no catalogue has.

import { games } from '../protocol/api';
import type { VariantCard } from '../protocol/messages';
import { capitalise } from './wording';

type Texts = VariantCard['title'];

/** Texts of the variants that the server offers. */
let offered = $state.raw(new Map<string, Pick<VariantCard, 'title' | 'description'>>());
/** Titles that matches carry: the server may no longer offer their variants. */
let seen = $state.raw(new Map<string, Texts>());
let asked = false;

/** Remember the title of a match's variant. */
export function noteTitle(variant: string, title: Texts = {}): void {
  if (Object.keys(title).length > 0 && !seen.has(variant)) seen = new Map(seen).set(variant, title);
}

const choose = (texts: Texts = {}, language: string): string =>
  texts[language] ?? texts[''] ?? texts.en ?? Object.values(texts)[0] ?? '';

/** Return the title of a variant, which without one is its name, or its description. */
export function ownText(variant: string, kind: string, language: string): string {
  if (!asked) {
    asked = true;
    games().then(
      (cards) => (offered = new Map(cards.map((card) => [card.variant, card]))),
      () => (asked = false),
    );
  }
  const found = offered.get(variant);
  if (kind !== 'title') return choose(found?.description, language);
  return choose(found?.title ?? seen.get(variant), language) || capitalise(variant.replaceAll('-', ' '));
}
