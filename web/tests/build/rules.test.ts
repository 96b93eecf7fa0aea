import { expect, test } from 'vitest';
import { renderRules } from '../../build/rules';

const SOURCE = `# Games

For all.

## Duel
<!-- variants: duel -->

Ten pieces.

\`\`\`board Two squares
r2 ~~
b? ..
\`\`\`

### More

**XY-7** Deeper.

## Both

| a | b |
|---|--:|
| 1 | 2 |

\`\`\`
not a diagram
\`\`\`
`;
const blocks = renderRules(SOURCE);

test('each block knows the variants it is about', () => {
  const about = (text: string) => blocks.find((block) => block.kind === 'html' && block.html.includes(text))?.variants;
  expect(about('For all')).toBeNull();
  expect(about('Ten pieces')).toEqual(['duel']);
  expect(about('Deeper')).toEqual(['duel']);
  expect(about('<table>')).toBeNull();
});

test('a fence with a word is a diagram, one without is not', () => {
  const diagrams = blocks.filter((block) => block.kind === 'diagram');
  expect(diagrams).toEqual([
    {
      kind: 'diagram',
      fence: 'board',
      label: 'Two squares',
      rows: [
        ['r2', '~~'],
        ['b?', '..'],
      ],
      variants: ['duel'],
    },
  ]);
});

test('sections and numbered rules have addresses', () => {
  const html = blocks.map((block) => (block.kind === 'html' ? block.html : '')).join('');
  expect(html).toContain('<p id="XY-7"><strong>XY-7</strong> Deeper');
  const headings = blocks.flatMap((block) => (block.kind === 'html' && block.heading ? [block.heading] : []));
  expect(headings.map(({ id, level }) => [id, level])).toEqual([
    ['games', 1],
    ['duel', 2],
    ['more', 3],
    ['both', 2],
  ]);
});

test('the page has no styles in attributes and no comments', () => {
  const html = blocks.map((block) => (block.kind === 'html' ? block.html : '')).join('');
  expect(html).not.toContain('style=');
  expect(html).toContain('class="right"');
  expect(html).not.toContain('<!--');
  expect(html).toContain('<h2 id="duel">');
});
