// Writes `facts.json`: what the server needs to know of the page, the addresses of its screens and, in all languages,
// the titles of the computer players.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { ADDRESSES } from '../src/browser/addresses';

const TITLE = /^agent\..+\.title$/;

export function facts(messagesFolder: string): Plugin {
  return {
    name: 'gonfalon-facts',
    apply: 'build',
    generateBundle() {
      const catalogues = readdirSync(messagesFolder).map(
        (name) => JSON.parse(readFileSync(join(messagesFolder, name), 'utf8')) as Record<string, string>,
      );
      const source = JSON.stringify({ screens: ADDRESSES, agents: agentTitles(catalogues) });
      this.emitFile({ type: 'asset', fileName: 'facts.json', source });
    },
  };
}

export const agentTitles = (catalogues: Record<string, string>[]): string[] =>
  catalogues.flatMap((words) =>
    Object.entries(words)
      .filter(([code]) => TITLE.test(code))
      .map(([, title]) => title),
  );
