import { expect, test } from 'vitest';
import { spoken } from '../../src/words/language.svelte';
import { addressOf } from '../../src/saved/links';

test('a link that is sent says its language before its secret', () => {
  const german = { ...spoken(), language: 'de' };
  expect(addressOf('/match/abc#invite.secret', german)).toBe(`${location.origin}/match/abc?language=de#invite.secret`);
  expect(addressOf('/replay/abc', german)).toBe(`${location.origin}/replay/abc?language=de`);
});
