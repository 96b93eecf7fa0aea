// Writes `previews.json` from the message catalogues: the server's words for link previews by language. Also writes the
// manifest of the installed page in every language.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';

type Words = Record<string, string>;

export interface PreviewWords {
  /** Titles by kind of subject, with `{name}` for the game and `{host}` for the person who invites. */
  titles: Words;
  text: string;
  /** Text for browsers without scripts. */
  script: string;
  /** Text for browsers in which the page does not start, and the words of its link. */
  late: string;
  again: string;
  /** Title and text of each game. */
  games: Record<string, [string, string]>;
  /** Texts of time controls, by the end of their codes: `time.<name>.text`, and the units of time. */
  times: Words;
}

/** Texts of time controls. */
const TIMES = [
  'live',
  'open',
  'bank',
  'increment',
  'delay',
  'delay-only',
  'longest',
  'deployment',
  'turn',
  'correspondence',
] as const;
const UNITS = ['minutes', 'seconds', 'minutes-seconds'] as const;

const read = (file: string): Words => JSON.parse(readFileSync(file, 'utf8')) as Words;

/** Return the message catalogues of a folder by language. */
export const readCatalogues = (folder: string): [string, Words][] =>
  readdirSync(folder).map((name) => [basename(name, '.json'), read(join(folder, name))]);

/** `manifest`: the English `manifest.webmanifest`; other languages are written beside it. */
export function previews(gamesFolder: string, pagesFolder: string, manifest: string): Plugin {
  return {
    name: 'gonfalon-previews',
    apply: 'build',
    generateBundle() {
      const pages = readCatalogues(pagesFolder);
      const words = pages.map(([code, page]) => [code, previewWords(page, familyWords(gamesFolder, code))] as const);
      const emit = (fileName: string, source: object): void => {
        this.emitFile({ type: 'asset', fileName, source: JSON.stringify(source) });
      };
      emit('previews.json', Object.fromEntries(words));
      for (const [code, page] of pages)
        if (code !== 'en') emit(`manifest.${code}.webmanifest`, manifestWords(read(manifest), code, page));
    },
  };
}

function familyWords(gamesFolder: string, language: string): Words[] {
  const files = readdirSync(gamesFolder).map((name) => join(gamesFolder, name, 'screen', 'messages'));
  return files
    .map((folder) => join(folder, `${language}.json`))
    .filter((file) => existsSync(file))
    .map(read);
}

function say(page: Words, code: string): string {
  const words = page[code];
  if (words === undefined) throw new Error(`no words for ${code}`);
  return words;
}

export const manifestWords = (english: Words, lang: string, page: Words): Words => ({
  ...english,
  lang,
  description: say(page, 'page.about'),
});

export function previewWords(page: Words, families: Words[]): PreviewWords {
  const games: PreviewWords['games'] = {};
  for (const family of families) {
    for (const [code, title] of Object.entries(family)) {
      const variant = /^game\.(.+)\.title$/.exec(code)?.[1];
      if (variant !== undefined) games[variant] = [title, family[`game.${variant}.text`] ?? ''];
    }
  }
  const kinds = ['invited', 'invited-by', 'match', 'game'].map((kind) => [kind, say(page, `preview.${kind}`)] as const);
  return {
    titles: { page: say(page, 'page.title'), ...Object.fromEntries(kinds) },
    text: say(page, 'start.text'),
    script: say(page, 'page.no-script'),
    late: say(page, 'page.late'),
    again: say(page, 'notice.again'),
    games,
    times: timeWords(page),
  };
}

const timeWords = (page: Words): Words => ({
  ...Object.fromEntries(TIMES.map((name) => [name, say(page, `time.${name}.text`)])),
  'correspondence.one': page['time.correspondence.text.one'] ?? say(page, 'time.correspondence.text'),
  ...Object.fromEntries(UNITS.map((name) => [name, say(page, `time.${name}`)])),
});
