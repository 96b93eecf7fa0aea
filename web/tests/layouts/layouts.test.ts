import { expect, test } from 'vitest';
import { layoutOf, layoutOfFence } from '../../src/layouts';
import { cardOf, guessOf, picksTerritories, steps } from '../../src/layouts/map/steps';
import type { Board } from '../../src/protocol/messages';
import { ENGLISH, choice, scene, squares, words } from '../make';

const NAMES = ['grid', 'map', 'table'];
const sources = import.meta.glob<string>(['../../src/**/*.{ts,svelte,css}', '!../../src/layouts/**'], {
  eager: true,
  query: '?raw',
  import: 'default',
});

test('each folder is a layout', () => {
  for (const name of NAMES) expect(layoutOf(name)?.Board).toBeDefined();
  expect(layoutOf('spiral')).toBeUndefined();
});

test('each diagram has one layout that draws it', () => {
  expect(['board', 'cards', 'map'].map(layoutOfFence)).toEqual(['grid', 'table', 'map'].map(layoutOf));
  expect(layoutOfFence('python')).toBeUndefined();
});

test('the events that a layout knows are events of games', () => {
  for (const layout of NAMES.map(layoutOf)) {
    const { placed, onTheWay, small, idle, lasting } = layout?.emphasis ?? {};
    const known = [...Object.keys(layout?.movements ?? {}), ...Object.keys(layout?.outlines ?? {})];
    const codes = [...known, placed, ...(onTheWay ?? []), ...(small ?? []), ...(idle ?? []), ...(lasting ?? [])];
    for (const code of codes) expect(ENGLISH.all, code).toHaveProperty([`event.${code}`]);
  }
});

test('what is for all layouts asks for none of them by name', () => {
  const files = Object.entries(sources);
  expect(files.length).toBeGreaterThan(60);
  for (const [path, source] of files) {
    expect(source, path).not.toMatch(/([!=]==|case) ?'(grid|map|table)'/);
    expect(source, path).not.toMatch(/layout-(grid|map|table)|data-layout=["'](grid|map|table)/);
    expect(source, path).not.toMatch(/layouts\/(grid|map|table)/);
  }
});

test('steps of a map: cards, guesses, territories', () => {
  const cards = [{ kind: 'cards', side: 'red', items: [{ id: 'card.1', face: 'blitz' }] }];
  const now = scene([], { trays: cards });
  expect([cardOf('card.1', now), cardOf('card.2', now)]).toEqual(['blitz', undefined]);
  expect([guessOf('guess.king'), guessOf('king')]).toEqual(['king', undefined]);
  expect(['card.1', 'guess.king', 'a1'].map((id) => steps.has(id, now))).toEqual([true, true, false]);
  expect([steps.hint('card.1', now), steps.hint('a1', now)]).toEqual(['card.blitz.text', undefined]);
  const board = squares(1, 1);
  const spaces = board.spaces.map((space) => ({ ...space, zone: 'kf' }));
  const zoned = { ...board, spaces, regions: [{ id: 'kf', name: 'Keyfort' }] } as unknown as Board;
  const naming = (verb: string) => ({ scene: now, board: zoned, choices: [{ ...choice(1, 'a1'), verb }] });
  const name = (id: string, verb = 'move') => steps.name(id, naming(verb), words({ family: 'conquest' }));
  expect(['card.1', 'guess.king', 'a1'].map((id) => name(id))).toEqual(['Blitz', 'King', undefined]);
  expect(name('a1', 'pick')).toBe('Keyfort');
  expect(picksTerritories([choice(1, 'a1')])).toBe(false);
});
