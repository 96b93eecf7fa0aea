import { expect, test } from 'vitest';
import { speak } from '../src/lib/language.svelte';
import { addressOf } from '../src/lib/links';
import { set } from '../src/lib/settings.svelte';

test('a link that is sent says its language before its secret', async () => {
  set('language', 'de');
  await speak();
  expect(addressOf('/match/abc#invite.secret')).toBe(`${location.origin}/match/abc?language=de#invite.secret`);
  expect(addressOf('/replay/abc')).toBe(`${location.origin}/replay/abc?language=de`);
});
