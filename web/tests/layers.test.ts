// Checks that imports between the folders of `src` go one way, and that no module imports itself through others.
// Imports of types count too.

import { expect, test } from 'vitest';

/** The topics that each topic may import, in addition to itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  browser: ['protocol'],
  words: ['protocol', 'browser'],
  controls: ['protocol', 'browser', 'words'],
  saved: ['protocol', 'browser', 'words', 'controls', 'people'],
  board: ['protocol', 'browser', 'words', 'controls'],
  layouts: ['protocol', 'browser', 'words', 'controls', 'board'],
  placing: ['protocol', 'browser', 'words', 'controls', 'saved', 'board'],
  match: ['protocol', 'browser', 'words', 'controls', 'saved', 'board', 'layouts', 'placing'],
  replay: ['protocol', 'browser', 'words', 'controls', 'saved', 'board', 'layouts'],
  people: ['protocol', 'browser', 'words', 'controls'],
  lobby: ['protocol', 'browser', 'words', 'controls', 'saved', 'people'],
  app: [
    'protocol',
    'browser',
    'words',
    'controls',
    'saved',
    'people',
    'lobby',
    'board',
    'layouts',
    'placing',
    'match',
    'replay',
  ],
};
/** Files beside the topics: the entry and the types of the build. */
const ENTRIES = ['main.ts', 'env.d.ts'];
const IMPORT = /(?:from\s+|import\s+|import\()\s*['"](\.[^'"]*)['"]/g;

const sources = import.meta.glob<string>('../src/**/*.{ts,svelte}', { eager: true, query: '?raw', import: 'default' });
const modules = new Map(Object.entries(sources).map(([path, source]) => [path.slice('../src/'.length), source]));

/** Return the module that an import of `name` in `from` means; undefined outside of `src`, and for other kinds of file.
 */
function resolve(from: string, name: string): string | undefined {
  const { pathname } = new URL(name, `file:///src/${from}`);
  const path = pathname.slice('/src/'.length);
  return [path, `${path}.ts`, `${path}.d.ts`, `${path}/index.ts`].find((each) => modules.has(each));
}

const imports = new Map(
  [...modules].map(([path, source]) => [
    path,
    [...source.matchAll(IMPORT)].flatMap(([, name = '']) => resolve(path, name) ?? []),
  ]),
);
const topicOf = (path: string): string => path.split('/', 1)[0] ?? '';

/** Return the modules of the first cycle found on a walk from `path`; empty if there is none. */
function cycleFrom(path: string, way: readonly string[], done: Set<string>): string[] {
  if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
  if (done.has(path)) return [];
  for (const next of imports.get(path) ?? []) {
    const cycle = cycleFrom(next, [...way, path], done);
    if (cycle.length > 0) return cycle;
  }
  done.add(path);
  return [];
}

test('every module belongs to a topic', () => {
  expect(modules.size).toBeGreaterThan(150);
  const topics = new Set([...modules.keys()].filter((path) => !ENTRIES.includes(path)).map(topicOf));
  expect([...topics].sort()).toEqual(Object.keys(ALLOWED).sort());
});

test('a topic imports only the topics below it', () => {
  const faults = [...imports]
    .filter(([path]) => !ENTRIES.includes(path))
    .flatMap(([path, names]) => names.map((name) => ({ path, name, own: topicOf(path), other: topicOf(name) })))
    .filter(({ own, other }) => own !== other && !ALLOWED[own]?.includes(other))
    .map(({ path, name }) => `${path} must not import ${name}`);
  expect(faults).toEqual([]);
});

test('no module imports itself by way of others', () => {
  const done = new Set<string>();
  for (const path of modules.keys()) expect(cycleFrom(path, [], done)).toEqual([]);
});
