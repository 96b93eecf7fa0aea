import { beforeEach, expect, test, vi } from 'vitest';
import { changeMatch, enterByLink, savedMatch, saveMade, type SavedMatch } from '../../src/saved/matches.svelte';
import { opponentWords } from '../../src/saved/opponents';
import { countWaiting, inTurn, isDue, OwnMatches } from '../../src/saved/standings.svelte';
import type { MatchInfo, SeatKey, Standing } from '../../src/protocol/messages';
import { words } from '../make';

const about = { variant: 'duel', opponent: 'link' as const, agent: '', here: ['red'] };
const made = (match: string) => ({ match, secrets: { red: `secret-${match}` }, invitations: {} });

const seat = (side: string, kind = 'person', name = '') => ({ side, kind, name, account: '', taken: true, here: true });

function standing(id: string, seats: object[], changes: object = {}): Standing {
  const info = { id, variant: 'duel', created: 5, took_back: 0, hints: 0, seats } as unknown as MatchInfo;
  return { match: info, side: 'red', due: [], moved: 0, ending: null, deadline: 0, ...changes };
}

/** Let the server answer questions with these standings; return the questions. */
function answer(standings: readonly Standing[]): SeatKey[][] {
  const asked: SeatKey[][] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    asked.push((JSON.parse(body) as { seats: SeatKey[] }).seats);
    return new Response(JSON.stringify(standings));
  });
  return asked;
}

async function ask(standings: readonly Standing[]): Promise<OwnMatches> {
  const own = new OwnMatches();
  answer(standings);
  await own.ask();
  return own;
}

const known = (id: string): SavedMatch => savedMatch(id) as SavedMatch;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test("the player's turn comes first, then the latest move", async () => {
  for (const id of ['a', 'b', 'c']) saveMade(made(id), about);
  const seats = [seat('red'), seat('blue', 'person', 'Ada')];
  const own = await ask([
    standing('a', seats, { due: ['red'], moved: 10 }),
    standing('b', seats, { due: ['blue'], moved: 30 }),
    standing('c', seats, { due: ['blue'], moved: 40 }),
  ]);
  expect(own.open.map(({ id }) => id)).toEqual(['a', 'c', 'b']);
  expect(isDue(known('a'))).toBe(true);
  expect(inTurn([known('b'), known('c')]).map(({ id }) => id)).toEqual(['c', 'b']);
});

test('matches that wait for the player stand in the order of their deadlines', async () => {
  for (const id of ['a', 'b', 'c', 'd']) saveMade(made(id), about);
  const seats = [seat('red'), seat('blue', 'person', 'Ada')];
  const own = await ask([
    standing('a', seats, { due: ['red'], moved: 90 }),
    standing('b', seats, { due: ['red'], moved: 10, deadline: 7000 }),
    standing('c', seats, { due: ['blue'], moved: 99, deadline: 1000 }),
    standing('d', seats, { due: ['red'], moved: 10, deadline: 3000 }),
  ]);
  expect(own.open.map(({ id }) => id)).toEqual(['d', 'b', 'a', 'c']);
  expect(countWaiting(own.all)).toBe(3);
  changeMatch('a', { opponent: 'agent' });
  changeMatch('b', { opponent: 'device' });
  own.reload();
  expect(countWaiting(own.all), 'only those in which people wait').toBe(1);
});

test('a match that ended while the page was closed is no longer open', async () => {
  saveMade(made('a'), about);
  const ending = { reason: 'claimed', returns: [-1, 1], winner: 'blue' };
  const own = await ask([standing('a', [seat('red'), seat('blue')], { ending })]);
  expect(own.open).toEqual([]);
  expect(own.over).toMatchObject([{ id: 'a', ended: true, result: 'blue' }]);
  const asked = answer([]);
  await own.ask();
  expect(asked).toEqual([]);
});

test('a match that the server does not know is not offered', async () => {
  saveMade(made('a'), about);
  const own = await ask([]);
  expect(own.open).toEqual([]);
  expect(own.running).toMatchObject([{ id: 'a', gone: true }]);
});

test('without an answer the list stays as it was', async () => {
  saveMade(made('a'), about);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  const own = new OwnMatches();
  await own.ask();
  expect(own.open).toHaveLength(1);
});

test('a long list is asked about in parts', async () => {
  for (let number = 0; number < 45; number += 1) saveMade(made(`m${number}`), about);
  const asked = answer([]);
  await new OwnMatches().ask();
  expect(asked.map((seats) => seats.length)).toEqual([40, 5]);
  expect(asked[0]?.every(({ match, secret }) => secret === `secret-${match}`)).toBe(true);
});

test('the seats say who the opponents are, however the match was opened', async () => {
  enterByLink('phone', 'mine');
  changeMatch('phone', { mine: 'red', here: ['red'], secrets: { red: 'mine' } });
  const said = (): string => opponentWords(words(), known('phone'));
  expect(said()).toBe('a person');
  await ask([standing('phone', [seat('red'), seat('blue', 'agent', 'level-3')])]);
  expect(known('phone')).toMatchObject({ opponent: 'agent', agent: 'level-3', variant: 'duel', created: 5 });
  expect(said()).toBe('Level 3, attentive');
  await ask([standing('phone', [seat('red'), seat('blue', 'person', 'Ada')])]);
  expect(said()).toBe('Ada');
  await ask([standing('phone', [seat('red'), seat('blue', 'person', 'Ada'), seat('green', 'agent', 'random')])]);
  expect(known('phone')).toMatchObject({ opponent: 'mixed', agent: '' });
  expect(said()).toBe('Ada and Random moves');
  await ask([standing('phone', [seat('red'), seat('blue', 'person', 'Ada'), seat('green')])]);
  expect(said()).toBe('Ada and Green');
});

test('people on one device stay so', async () => {
  saveMade(made('a'), { ...about, opponent: 'device', here: ['red', 'blue'] });
  await ask([standing('a', [seat('red'), seat('blue')], { due: ['blue'] })]);
  expect(known('a')).toMatchObject({ opponent: 'device', here: ['red', 'blue'], mine: '' });
  expect(isDue(known('a'))).toBe(true);
  expect(opponentWords(words(), known('a'))).toBe('people on this device');
});
