// Prints every ending as each reader reads it, in all languages, into `endings.txt`.

import { expect, test } from 'vitest';
import { reasonWords, resultWords } from '../../src/saved/results';
import { loadCatalogues, LANGUAGES } from '../../src/words/catalogues';
import { Names } from '../../src/words/names.svelte';
import { Words } from '../../src/words/words.svelte';

const WON = [
  ['grid', 'flag', 2],
  ['grid', 'no-moves', 2],
  ['grid', 'resigned', 2],
  ['grid', 'claimed', 2],
  ['cardgame', 'flag', 2],
  ['cardgame', 'no-attackers', 2],
  ['cardgame', 'resigned', 2],
  ['cardgame', 'claimed', 2],
  ['conquest', 'flags', 2],
  ['conquest', 'resigned', 2],
  ['conquest', 'claimed', 2],
  ['conquest', 'flags', 4],
  ['conquest', 'resigned', 4],
  ['conquest', 'claimed', 4],
] as const;
const DRAWN = [
  ['grid', 'stalemate', 2],
  ['grid', 'max-turns', 2],
  ['grid', 'quiet', 2],
  ['grid', 'agreed', 2],
  ['cardgame', 'quiet', 2],
  ['cardgame', 'agreed', 2],
  ['conquest', 'quiet', 4],
  ['conquest', 'rounds', 4],
  ['conquest', 'agreed', 4],
  ['grid', 'no-result', 2],
] as const;
const SIDES = ['red', 'blue', 'green', 'ochre'];

/** Return the lines of one language: the reader, then the result and the reason. */
async function listEndings(language: string): Promise<string[]> {
  const catalogue = await loadCatalogues(language);
  return [...WON, ...DRAWN].flatMap((ending) => {
    const [family, reason, players] = ending;
    const words = new Words(
      () => catalogue,
      new Names(() => language),
      () => ({ family }),
    );
    const winner = (WON as readonly unknown[]).includes(ending) ? 'red' : '';
    const sides = SIDES.slice(0, players);
    const returns = sides.map((side) => (winner === '' ? 0 : side === winner ? 1 : -1));
    const readers = winner === '' ? ['red', ''] : ['red', 'blue', ''];
    return readers.map((side) => {
      const result = resultWords(words, { winner, reason, returns }, sides, side);
      const why = reasonWords(words, { winner, reason, returns }, sides, side);
      expect(`${result} ${why}`, `${language} ${family} ${reason}`).not.toMatch(/[{}]|end\./);
      return `${language} ${family} ${players} ${reason} ${side || 'spectator'}: ${result} ${why}`;
    });
  });
}

test('every ending as each reader reads it', async () => {
  const lists = await Promise.all(LANGUAGES.map(listEndings));
  await expect(`${lists.flat().join('\n')}\n`).toMatchFileSnapshot('./endings.txt');
});

test('a loser is told what they did, and never by their own colour', async () => {
  const lines = await listEndings('en');
  expect(lines.filter((line) => line.includes(' 2 ') && line.includes(' blue: ') && /Blue/.test(line))).toEqual([]);
  expect(lines).toContain('en grid 2 claimed blue: You lose. You stayed away.');
  expect(lines).toContain('en grid 2 claimed red: You win. Blue stayed away.');
  expect(lines).toContain('en conquest 4 claimed blue: Red wins. You lose. The others stayed away.');
});
