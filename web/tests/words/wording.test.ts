import { expect, test } from 'vitest';
import cases from '../../../tests/wording.json';
import { fill, Grammar, type Catalogue } from '../../src/words/wording';

const forms: Record<string, Catalogue> = cases.languages;
const grammar = (language: unknown): Grammar => new Grammar(String(language), forms[String(language)] ?? {});

test.each(cases.plurals)('in %s %s is %s', (language, count, category) => {
  expect(grammar(language).plural(Number(count))).toBe(category);
});

test.each(cases.lists)('in %s the list of %j is "%s"', (language, items, said) => {
  expect(grammar(language).list(items as string[])).toBe(said);
});

test.each(cases.numbers)('in %s %s is "%s"', (language, value, said) => {
  expect(grammar(language).number(Number(value))).toBe(said);
});

test.each(cases.names)('in %s %s (%s) as "%s" is "%s"', (language, text, gender, form, said) => {
  expect(grammar(language).decline({ text: text as string, gender: gender as string }, form)).toBe(said);
});

const messages = cases.messages as [string, Record<string, string>, string][];
test.each(messages)('"%s" with %j is "%s"', (text, given, said) => {
  const word = (name: string, form: string) => (name in given ? `${given[name]}/${form}` : undefined);
  expect(fill(text, word)).toBe(said);
});
