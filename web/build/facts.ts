// Writes `facts.json`: what the server needs to know of the page, the addresses of its screens and, in all languages,
// the titles of the computer players.

import type { Plugin } from 'vite';
import { ADDRESSES } from '../src/browser/addresses';
import { readCatalogues } from './previews';

const TITLE = /^agent\..+\.title$/;

export function facts(messagesFolder: string): Plugin {
  return {
    name: 'gonfalon-facts',
    apply: 'build',
    generateBundle() {
      const catalogues = readCatalogues(messagesFolder).map(([, words]) => words);
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
