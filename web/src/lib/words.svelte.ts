// All words of the page come from here: message catalogues, piece names and space names.

import page from '../messages/en.json';
import { familyOf, glyph } from './glyphs';
import { settings } from './settings.svelte';
import type { Board, Line } from './messages';

type Catalogue = Record<string, string>;
export type Args = Record<string, unknown>;

const games = import.meta.glob<Catalogue>('../../../src/gonfalon/games/*/screen/messages/en.json', {
  eager: true,
  import: 'default',
});
const catalogue: Catalogue = Object.assign({}, ...Object.values(games), page);
/** Two families may mean different things by one code: of the game in hand, its own words come first. */
const families = new Map(Object.entries(games).map(([path, words]) => [familyOf(path), words]));
let own: Catalogue = {};

export function setFamily(family: string): void {
  own = families.get(family) ?? {};
}

const tables = $state<{ all: Record<string, Catalogue> }>({ all: {} });
let spaces: Record<string, string> = {};
let regions: Record<string, string> = {};

export function setNames(all: Record<string, Catalogue>): void {
  tables.all = all;
}

export function nameTables(): string[] {
  return Object.keys(tables.all).sort();
}

/** A table carries its title, the plain one of a language that language's own name, by which it goes alone. */
export function tableName(table: string): string {
  const code = table.split('.').at(-1) ?? table;
  const { title = table } = tables.all[table] ?? {};
  const { language = code } = tables.all[code] ?? {};
  return table.includes('.') ? t('settings.table', { set: title, language }) : language;
}

/** The spaces and regions of the board that is shown, so that messages can name them. */
export function setBoard(board: Board): void {
  spaces = Object.fromEntries(board.spaces.map((space) => [space.id, space.name]));
  regions = Object.fromEntries((board.regions ?? []).map((region) => [region.id, region.name]));
}

export function faceName(face: string): string {
  return tables.all[settings.names]?.[face] ?? tables.all.en?.[face] ?? catalogue[`face.${face}`] ?? face;
}

/** Of who fights, the rank too: "Captain (6)". */
function rankedName(face: string): string {
  const rank = glyph(face).numeral;
  return rank === '' ? faceName(face) : t('log.ranked', { name: faceName(face), rank });
}

/** A computer player without words goes by its own name. */
export const agentTitle = (name: string): string => (has(`agent.${name}.title`) ? t(`agent.${name}.title`) : name);

export function sideName(side: string): string {
  return t(`side.${side}`);
}

/** A card is named like a piece, unless the catalogue has its own name for it. */
export const cardName = (face: string): string => (has(`card.${face}`) ? t(`card.${face}`) : faceName(face));
export const cardText = (face: string): string => (has(`card.${face}.text`) ? t(`card.${face}.text`) : '');

export const spaceName = (id: string): string => spaces[id] ?? id;

const words = (code: string): string | undefined => own[code] ?? catalogue[code];

export const has = (code: string): boolean => words(code) !== undefined;

/** The message `code` with its arguments worded. A missing message shows its code, so that it is noticed. */
export function t(code: string, args: Args = {}): string {
  const text = words(code);
  if (text === undefined) return code;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => (name in args ? word(name, args[name]) : `{${name}}`));
}

export const line = (prefix: string, { code, args }: Line): string => t(`${prefix}.${code}`, args ?? {});

/** What events say, one sentence each; the same one several times in a row is said once. */
export function tellings(events: readonly Line[]): string[] {
  const told: { words: string; count: number }[] = [];
  for (const event of events) {
    const words = line('event', event);
    const before = told.at(-1);
    if (before?.words === words) before.count += 1;
    else told.push({ words, count: 1 });
  }
  return told.map(({ words, count }) =>
    count > 1 ? t('log.repeated', { words: words.replace(/\.$/, ''), count }) : words,
  );
}

/** A refusal may come with or without its prefix. */
export const refusal = (said: Line): string => line('refusal', said);

function word(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => word(name.replace(/s$/, ''), each)).join(', ');
  const text = String(value);
  if (name === 'side' || name.endsWith('_side') || (name === 'other' && has(`side.${text}`))) return sideName(text);
  if (name === 'face') return faceName(text);
  if (name.endsWith('_face')) return rankedName(text);
  if (name === 'card') return cardName(text);
  if (name === 'territory') return regions[text] ?? text;
  if (name === 'space' || name === 'from' || name === 'to' || name.endsWith('_space')) return spaceName(text);
  return text;
}
