import { expect, test } from 'vitest';
import page from '../../src/messages/en.json';
import { ENGLISH, squares, words } from '../make';

/** Keys of pages without a game, or of pages for all games together. */
const OF_ALL = /^(page|start|settings)\.|^refusal\.no-layout|^board\.label\./;
test.each([
  ['cardgame', 'table'],
  ['conquest', 'map'],
])('the words of %s speak of no board', (family, layout) => {
  const { t } = words({ family, board: { ...squares(1, 1), layout } });
  const codes = Object.keys(page).filter((code) => !OF_ALL.test(code) && !/\.(grid|map|table)$/.test(code));
  expect(codes.length).toBeGreaterThan(200);
  expect(codes.filter((code) => /\b(board|square|piece)s?\b/i.test(t(code).replace(/\{\w+\}/g, '')))).toEqual([]);
});

test('territories are called by one word', () => {
  const texts = [page, ENGLISH.families.get('conquest') ?? {}].flatMap((each) => Object.values(each));
  expect(texts.filter((text) => /\b(?<!Cursed )lands?\b/i.test(text))).toEqual([]);
});
