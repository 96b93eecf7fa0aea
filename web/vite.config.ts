import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { compressed } from './build/compress';
import { facts } from './build/facts';
import { previews } from './build/previews';
import { rulesPages } from './build/rules';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Server for `vite dev`. */
const server = process.env.GONFALON_SERVER ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [
    svelte(),
    rulesPages(here('../src/gonfalon/games')),
    previews(here('../src/gonfalon/games'), here('src/messages'), here('public/manifest.webmanifest')),
    facts(here('src/messages')),
    compressed(),
  ],
  build: {
    outDir: here('../src/gonfalon/server/static'),
    emptyOutDir: true,
    target: 'es2022',
    // The strict content policy has no `data:` for fonts and pictures: everything is a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: {
        // Load all words of a language at once.
        manualChunks(id) {
          const language = /\/messages\/(\w+)\.json$/.exec(id)?.[1];
          return language && `words-${language}`;
        },
      },
    },
  },
  server: {
    fs: { allow: [here('..')] },
    proxy: { '/api': { target: server, ws: true } },
  },
});
