// Compresses the built page, so that the server only chooses: each text lies there plain, as Brotli and as gzip.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin, ResolvedConfig } from 'vite';

/** Fonts and bitmaps are compressed already. */
const TEXT = /\.(html|js|css|svg|json|webmanifest)$/;

/** Write `name.br` and `name.gz` beside every text of the built page that they make shorter. */
export function compressed(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'gonfalon-compressed',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    closeBundle() {
      const folder = config.build.outDir;
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      for (const name of names) if (TEXT.test(name)) compressFile(join(folder, name));
    },
  };
}

function compressFile(file: string): void {
  const text = readFileSync(file);
  const best = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  for (const [ending, bytes] of [
    ['br', brotliCompressSync(text, { params: best })],
    ['gz', gzipSync(text, { level: 9 })],
  ] as const)
    if (bytes.length < text.length) writeFileSync(`${file}.${ending}`, bytes);
}
