// Renders every family's rules at build time, `rules.md` and its translations `rules.<language>.md`. The page gets
// finished HTML and diagrams, and needs no Markdown parser.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import type { Plugin } from 'vite';

interface Scoped {
  /** Variants of this block; null: all. From a comment `variants: a b` under the section's heading. */
  variants: string[] | null;
}
export type Block = Scoped & (Html | Picture);

interface Html {
  kind: 'html';
  html: string;
  /** Heading, for a block that begins a section. */
  heading?: Heading;
}

export interface Heading {
  id: string;
  text: string;
  level: number;
}

/** A fenced block with a word after the fence; a layout interprets the word. */
export interface Picture {
  kind: 'diagram';
  fence: string;
  label: string;
  rows: string[][];
}

const VIRTUAL = 'virtual:rules/';
/** A paragraph that states a rule begins with its number, which becomes an anchor. */
const RULE = /^\*\*([A-Z]{2}-\d+)\*\*/;

/** Serve `virtual:rules/index` (loaders by family and language); each page is a chunk of its own. */
export function rulesPages(gamesFolder: string): Plugin {
  return {
    name: 'gonfalon-rules',
    resolveId: (id) => (id.startsWith(VIRTUAL) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${VIRTUAL}`)) return undefined;
      const name = id.slice(VIRTUAL.length + 1);
      if (name === 'index') return indexModule(gamesFolder);
      const file = join(gamesFolder, name);
      this.addWatchFile(file);
      return `export default ${JSON.stringify(renderRules(readFileSync(file, 'utf8')))};`;
    },
  };
}

function indexModule(folder: string): string {
  const loaders = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${JSON.stringify(name)}: { ${pagesOf(folder, name).join(', ')} }`);
  return `export default { ${loaders.join(', ')} };`;
}

/** Return a loader for each language of the family's rules. */
function pagesOf(folder: string, family: string): string[] {
  return readdirSync(join(folder, family)).flatMap((file) => {
    const [, language = 'en'] = /^rules(?:\.(\w+))?\.md$/.exec(file) ?? [undefined, ''];
    const source = JSON.stringify(`${VIRTUAL}${family}/${file}`);
    return language === '' ? [] : [`${language}: () => import(${source})`];
  });
}

type MdToken = ReturnType<MarkdownIt['parse']>[number];

/** Return the page as blocks in order, each with its variants. Fenced blocks with a word become diagrams. */
export function renderRules(source: string): Block[] {
  // The source is our own; its only HTML is comments, dropped below.
  const markdown = new MarkdownIt({ html: true, linkify: false, typographer: true });
  const scopes: { level: number; variants: string[] }[] = [];
  const blocks: Block[] = [];
  let run: MdToken[] = [];
  let heading: Heading | undefined;
  const scope = () => scopes.at(-1)?.variants ?? null;
  const flush = () => {
    const html = markdown.renderer.render(run, markdown.options, {});
    if (run.length > 0) blocks.push({ kind: 'html', html, variants: scope(), ...(heading && { heading }) });
    run = [];
    heading = undefined;
  };
  const tokens = markdown.parse(source, {});
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      flush();
      openSection(scopes, token, tokens[index + 3]);
      const text = tokens[index + 1]?.content ?? '';
      heading = { id: slug(text), text, level: levelOf(token) };
      token.attrSet('id', heading.id);
    }
    const rule = RULE.exec(token.type === 'paragraph_open' ? (tokens[index + 1]?.content ?? '') : '')?.[1];
    if (rule) token.attrSet('id', rule);
    styleAsClass(token);
    const [fence = '', ...label] = token.info.trim().split(/\s+/);
    if (token.type === 'fence' && fence !== '') {
      flush();
      const rows = boardRows(token.content);
      blocks.push({ kind: 'diagram', fence, label: label.join(' '), rows, variants: scope() });
    } else if (token.type !== 'html_block') run.push(token);
  });
  flush();
  return blocks;
}

/** Begin a section: a heading ends those of its level and below. A comment after it names its variants. */
function openSection(
  scopes: { level: number; variants: string[] }[],
  heading: MdToken,
  after: MdToken | undefined,
): void {
  const level = levelOf(heading);
  while (scopes.length > 0 && (scopes.at(-1)?.level ?? 0) >= level) scopes.pop();
  const named = after?.type === 'html_block' ? /variants:\s*([^>]*?)\s*-->/.exec(after.content) : null;
  if (named?.[1]) scopes.push({ level, variants: named[1].split(/[\s,]+/) });
}

const levelOf = (heading: MdToken): number => Number(heading.tag.slice(1));

const slug = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** A table's alignment must not come as a style attribute (content policy). */
function styleAsClass(token: MdToken): void {
  const style = token.attrGet('style');
  if (style === null) return;
  token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
  token.attrSet('class', style.includes('right') ? 'right' : style.includes('center') ? 'center' : 'left');
}

function boardRows(text: string): string[][] {
  return text
    .split('\n')
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .map((row) => row.split(/\s+/));
}
