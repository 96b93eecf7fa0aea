import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changeMatch, noteActed, savedMatches } from '../../src/saved/matches.svelte';
import type { VariantCard } from '../../src/protocol/messages';
import { openQuickMatch, takeAtOnce } from '../../src/placing/quick';

const card = { variant: 'duel', sides: ['red', 'blue'] } as unknown as VariantCard;
let made = 0;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  made = 0;
  vi.stubGlobal('fetch', (path: string) => {
    if (path === '/api/agents') return Promise.resolve(Response.json([{ name: 'random' }, { name: 'level-1' }]));
    made += 1;
    return Promise.resolve(Response.json({ match: `m${made}`, secrets: { red: 'r' }, invitations: {} }));
  });
});

afterEach(() => vi.unstubAllGlobals());

test('a match in which nobody has acted is opened again', async () => {
  expect(await openQuickMatch(card)).toBe('/match/m1');
  expect(await openQuickMatch(card)).toBe('/match/m1');
  expect(savedMatches()).toMatchObject([{ id: 'm1', quick: true, acted: false, agent: 'level-1', mine: 'red' }]);
});

test('one that has begun or ended, or of another variant, is not', async () => {
  await openQuickMatch(card);
  noteActed('m1');
  expect(await openQuickMatch(card)).toBe('/match/m2');
  changeMatch('m2', { ended: true });
  expect(await openQuickMatch(card)).toBe('/match/m3');
  expect(await openQuickMatch({ ...card, variant: 'barrage' })).toBe('/match/m4');
});

test('a tab learns once that its player wants to play without placing', async () => {
  await openQuickMatch(card);
  expect(takeAtOnce('m1')).toBe(false);
  await openQuickMatch(card, true);
  expect(takeAtOnce('m1')).toBe(true);
  expect(takeAtOnce('m1')).toBe(false);
});
