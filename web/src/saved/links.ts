// Addresses to send to others.

import { spoken } from '../words/language.svelte';

/** The whole address of a path of this page. It says which language it was sent in, so that programs that show what is
 * behind a link say it in that; who opens it reads his own.
 */
export function addressOf(path: string, { language } = spoken()): string {
  const url = new URL(path, location.origin);
  if (language !== '') url.searchParams.set('language', language);
  return url.href;
}
