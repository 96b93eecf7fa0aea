import { beforeEach, expect, test } from 'vitest';
import { linkQuestionOf, enter } from '../../src/saved/entering.svelte';
import {
  changeMatch,
  endMatch,
  enterByLink,
  findOwnLink,
  forgetMatch,
  invitationOf,
  isShared,
  learnSide,
  linkFor,
  refuseSecret,
  saveInvitation,
  saveMade,
  savedMatch,
  savedMatches,
  seatSecret,
  type SavedMatch,
} from '../../src/saved/matches.svelte';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const about = { variant: 'duel', opponent: 'link' as const, agent: '' };
const made = { match: 'm1', secrets: { red: 'r', blue: 'b' }, invitations: {} };

test('a match made here is known with all its secrets', () => {
  saveMade(made, { ...about, here: ['red'] });
  expect(savedMatch('m1')).toMatchObject({ mine: 'red', here: ['red'], secrets: made.secrets, ended: false });
  expect(seatSecret('m1')).toBe('r');
  expect(isShared(savedMatch('m1'))).toBe(false);
});

test('with several on one device nobody is "me", and the first begins', () => {
  saveMade(made, { ...about, opponent: 'device', here: ['red', 'blue'] });
  expect(savedMatch('m1')).toMatchObject({ mine: '', next: 'red' });
  expect(isShared(savedMatch('m1'))).toBe(true);
});

test('a link is kept by its tab, and its side learned later', () => {
  enterByLink('m2', 'secret');
  expect(seatSecret('m2')).toBe('secret');
  learnSide('m2', 'secret', 'blue', 'duel');
  expect(savedMatch('m2')).toMatchObject({ mine: 'blue', here: ['blue'], variant: 'duel' });
  expect(savedMatch('m2')?.secrets).toEqual({ blue: 'secret' });
  sessionStorage.clear();
  expect(seatSecret('m2')).toBe('secret');
});

test('a tab keeps to the seat of its link, even where the browser holds another', () => {
  saveMade(made, { ...about, here: ['red'] });
  enterByLink('m1', 'b');
  expect(seatSecret('m1')).toBe('b');
});

test('a secret that opens no seat is not kept', () => {
  enterByLink('m2', 'wrong');
  refuseSecret('m2', 'wrong');
  expect(savedMatch('m2')).toBeUndefined();
  saveMade(made, { ...about, here: ['red'] });
  refuseSecret('m1', 'b');
  expect(savedMatch('m1')?.secrets).toEqual({ red: 'r' });
});

test('what opens an invitation is made once and kept', () => {
  expect(enterByLink('m2', 'invite.abc')).toBe(true);
  const secret = seatSecret('m2');
  expect(secret).toMatch(/^[\w-]{32}$/);
  expect(invitationOf('m2', secret)).toBe('abc');
  sessionStorage.clear();
  enterByLink('m2', 'invite.abc');
  expect(seatSecret('m2')).toBe(secret);
  learnSide('m2', secret, 'blue', 'duel');
  enterByLink('m2', 'invite.abc');
  expect(savedMatch('m2')?.secrets).toEqual({ blue: secret });
  enterByLink('m2', 'invite.other');
  expect(seatSecret('m2')).not.toBe(secret);
  refuseSecret('m2', seatSecret('m2'));
  expect(Object.keys(savedMatch('m2')?.opened ?? {})).toEqual(['abc']);
});

test('links to guests: invitations, new ones, and secrets where a match is older', () => {
  saveMade({ match: 'm3', secrets: { red: 'r' }, invitations: { blue: 'i' } }, { ...about, here: ['red'] });
  const link = (id: string, side: string): string => linkFor(savedMatch(id) as SavedMatch, side);
  expect([link('m3', 'blue'), link('m3', 'green')]).toEqual([`${location.origin}/match/m3#invite.i`, '']);
  expect([findOwnLink('m3', 'invite.i'), findOwnLink('m3', 'i'), findOwnLink('m4', 'invite.i')]).toEqual([
    'blue',
    undefined,
    undefined,
  ]);
  saveInvitation('m3', 'blue', 'j');
  expect([link('m3', 'blue'), findOwnLink('m3', 'invite.i')]).toEqual([
    `${location.origin}/match/m3#invite.j`,
    undefined,
  ]);
  saveMade(made, { ...about, here: ['red'] });
  expect(link('m1', 'blue')).toBe(`${location.origin}/match/m1#b`);
});

test('a link that this browser has made is not opened unasked', () => {
  saveMade({ match: 'm3', secrets: { red: 'r' }, invitations: { blue: 'i' } }, { ...about, here: ['red'] });
  enter('m3', 'invite.i');
  expect([linkQuestionOf('m3')?.side, linkQuestionOf('m1'), seatSecret('m3')]).toEqual(['blue', null, 'r']);
  enter('m3', 'invite.i', true);
  expect([linkQuestionOf('m3'), invitationOf('m3', seatSecret('m3'))]).toEqual([null, 'i']);
});

test('how a match ended', () => {
  saveMade(made, { ...about, here: ['red'] });
  const end = (winner: string, reason: string): string | undefined => {
    endMatch('m1', { winner, reason, returns: [] });
    return savedMatch('m1')?.result;
  };
  expect([end('red', 'flag'), end('', 'agreed'), end('', 'no-result')]).toEqual(['red', 'draw', '']);
  expect(savedMatch('m1')?.ended).toBe(true);
});

test('newest first; one can be changed and forgotten', () => {
  saveMade(made, { ...about, here: ['red'] });
  saveMade({ match: 'm2', secrets: {}, invitations: {} }, { ...about, here: ['red'] });
  changeMatch('m1', { created: 9e9 });
  expect(savedMatches().map(({ id }) => id)).toEqual(['m1', 'm2']);
  forgetMatch('m1');
  expect(savedMatches().map(({ id }) => id)).toEqual(['m2']);
});

test('what an older page or a stranger wrote does no harm', () => {
  const stored = [
    null,
    { id: 1 },
    { id: 'old', variant: 'duel', secrets: { red: 'r' }, opponent: 'x', seen: { red: 'no' } },
  ];
  localStorage.setItem('gonfalon.matches', JSON.stringify(stored));
  expect(savedMatches()).toHaveLength(1);
  expect(savedMatch('old')).toMatchObject({ opponent: 'link', seen: {}, here: [], created: 0 });
});
