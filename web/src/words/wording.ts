// How a message becomes a sentence of its language: plural forms, lists, and names with their articles. What is said of
// it here the terminal does in `cli/wording.py`; both are held to `tests/wording.json`.

/** Messages of one language by key. */
export type Catalogue = Readonly<Record<string, string>>;

/** A name as its language declines it: `gender` picks the articles. Names of people have none. */
export interface Name {
  text: string;
  gender: string;
}

/** How one language does it. Made once a language, since what stands behind it is slow to make. */
export class Grammar {
  private readonly plurals: Intl.PluralRules;
  private readonly lists: Intl.ListFormat;
  private readonly numbers: Intl.NumberFormat;

  constructor(
    readonly language: string,
    /** Where the forms stand: `form.the.f`, `form.the`. */
    private readonly forms: Catalogue,
  ) {
    this.plurals = new Intl.PluralRules(language);
    this.lists = new Intl.ListFormat(language, { type: 'conjunction' });
    this.numbers = new Intl.NumberFormat(language, { useGrouping: false });
  }

  /** `one`, `other`, ...: which of a message's variants is meant. */
  readonly plural = (count: number): string => this.plurals.select(count);

  readonly list = (items: readonly string[]): string => this.lists.format(items);

  readonly number = (value: number): string => this.numbers.format(value);

  /** A name in a form, "the Scout": the language's own pattern for names of that gender. A form with a capital letter
   * begins a sentence. A form that the language does not know is the plain name.
   */
  readonly decline = ({ text, gender }: Name, form = ''): string => {
    if (form === '') return text;
    const code = `form.${form.toLowerCase()}`;
    const pattern = this.forms[`${code}.${gender}`] ?? this.forms[code] ?? '{name}';
    const declined = pattern.replace('{name}', text);
    return form === form.toLowerCase() ? declined : capitalise(declined);
  };
}

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A message with its placeholders filled in: `{name}` or `{name:form}`. */
export function fill(text: string, word: (name: string, form: string) => string | undefined): string {
  return text.replace(/\{(\w+)(?::(\w+))?\}/g, (whole, name: string, form = '') => word(name, form) ?? whole);
}
