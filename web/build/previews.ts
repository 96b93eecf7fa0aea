// Writes `previews.json`: the words with which the server describes links to the page, out of the message catalogues.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

type Words = Record<string, string>;

export interface PreviewWords {
  /** By kind of subject, with `{name}` for the game. */
  titles: Words;
  text: string;
  /** Title and text of each game. */
  games: Record<string, [string, string]>;
}

const read = (file: string): Words => JSON.parse(readFileSync(file, 'utf8')) as Words;

export function previews(gamesFolder: string, pageFile: string): Plugin {
  return {
    name: 'gonfalon-previews',
    apply: 'build',
    generateBundle() {
      const files = readdirSync(gamesFolder).map((name) => join(gamesFolder, name, 'screen', 'messages', 'en.json'));
      const words = previewWords(read(pageFile), files.filter((file) => existsSync(file)).map(read));
      this.emitFile({ type: 'asset', fileName: 'previews.json', source: JSON.stringify(words) });
    },
  };
}

export function previewWords(page: Words, families: Words[]): PreviewWords {
  const say = (code: string): string => {
    const words = page[code];
    if (words === undefined) throw new Error(`no words for ${code}`);
    return words;
  };
  const games: PreviewWords['games'] = {};
  for (const family of families) {
    for (const [code, title] of Object.entries(family)) {
      const variant = /^game\.(.+)\.title$/.exec(code)?.[1];
      if (variant !== undefined) games[variant] = [title, family[`game.${variant}.text`] ?? ''];
    }
  }
  const kinds = ['invited', 'match', 'game'].map((kind) => [kind, say(`preview.${kind}`)] as const);
  return { titles: { page: say('page.title'), ...Object.fromEntries(kinds) }, text: say('start.text'), games };
}
