// Days without a time, in the reader's language.

import { formatDate, languages } from '../browser/features';
import { regional } from '../words/language.svelte';
import type { Words } from '../words/words.svelte';

type Language = Pick<Words, 'language'>;

const tags = ({ language }: Language): string[] => [regional(language, languages()), language];

/** Name the day of a time in seconds, in the reader's time zone. */
export const dayOf = (words: Language, seconds: number): string =>
  formatDate(new Date(seconds * 1000), tags(words), { dateStyle: 'medium' });

/** Name a day of the calendar, `2026-01-31`. */
export const calendarDay = (words: Language, day: string): string =>
  formatDate(new Date(day), tags(words), { dateStyle: 'medium', timeZone: 'UTC' });
