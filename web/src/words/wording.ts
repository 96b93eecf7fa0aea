// Sentences of a language from messages: plural forms, lists, and names with articles. `cli/language/wording.py` does
// the same for the terminal; `tests/wording.json` checks both.

import { grammarOf } from '../browser/features';

/** Messages of one language by key. */
export type Catalogue = Readonly<Record<string, string>>;

/** A name with its grammar: `gender` selects the articles. Names of people have no gender. */
export interface Name {
  text: string;
  gender: string;
}

/** Grammar of one language. Make it once, because making `Intl` objects is slow. */
export class Grammar {
  /** Return the plural category of a number: `one`, `other`, ... */
  readonly plural: (count: number) => string;
  readonly list: (items: readonly string[]) => string;
  readonly number: (value: number) => string;

  constructor(
    readonly language: string,
    /** Forms of names: `form.the.f`, `form.the`. */
    private readonly forms: Catalogue,
  ) {
    const { plural, list, number } = grammarOf(language);
    [this.plural, this.list, this.number] = [plural, list, number];
  }

  /** Return a name in a form, "the Scout", by the language's pattern for its gender. A form with a capital letter
   * begins a sentence. An unknown form gives the plain name.
   */
  readonly decline = ({ text, gender }: Name, form = ''): string => {
    if (form === '') return text;
    const code = `form.${form.toLowerCase()}`;
    const pattern = this.forms[`${code}.${gender}`] ?? this.forms[code] ?? '{name}';
    const declined = pattern.replace('{name}', text);
    return form === form.toLowerCase() ? declined : capitalise(declined);
  };
}

/** Letters that are written from right to left. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Return a name that a person typed, for use in a sentence. Around letters from right to left it gets marks that keep
 * the order of the words beside it; titles and notifications have no other way.
 */
export const isolate = (name: string): string => (FROM_RIGHT.test(name) ? `\u2068${name}\u2069` : name);

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Return a message with its placeholders filled in: `{name}` or `{name:form}`. */
export function fill(text: string, word: (name: string, form: string) => string | undefined): string {
  return text.replace(/\{(\w+)(?::(\w+))?\}/g, (whole, name: string, form = '') => word(name, form) ?? whole);
}
