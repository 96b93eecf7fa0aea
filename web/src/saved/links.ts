// Links that players send to other people.

import { spoken } from '../words/language.svelte';

/** Fragment of a replay's address that leads to its analysis. */
export const ANALYSIS = '#analysis';

/** Return the URL of a path of this page. It names the page's present language for link previews; the recipient sees
 * the page in their own language.
 */
export function addressOf(path: string, { language } = spoken()): string {
  const url = new URL(path, location.origin);
  if (language !== '') url.searchParams.set('language', language);
  return url.href;
}
