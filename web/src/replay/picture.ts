// A picture of the present board: one SVG without style sheets, for any program. Each drawing is copied with its
// computed colours and fonts; boxes and letters become shapes.

const SVG = 'http://www.w3.org/2000/svg';
const COPIED = [
  ...['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-opacity', 'stroke-width', 'stroke-linejoin'],
  ...['stroke-linecap', 'stroke-dasharray', 'paint-order', 'opacity', 'font-family', 'font-size', 'font-weight'],
  ...['font-variant-numeric', 'letter-spacing', 'text-anchor', 'clip-path', 'visibility'],
];
const SHADOW = /^(rgba?\([^)]*\)|color\([^)]*\)|oklab\([^)]*\)) 0px 0px 0px ([\d.]+)px inset$/;
/** Pixels of the picture for each pixel of the screen. */
const SCALE = 2;

export interface Picture {
  svg: string;
  width: number;
  height: number;
}

/** Return the picture; `fonts`: style rules that hold the fonts. */
export function draw(root: HTMLElement, background: string, fonts = ''): Picture {
  const box = root.getBoundingClientRect();
  const [width, height] = [Math.ceil(box.width), Math.ceil(box.height)];
  const svg = make('svg', { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  if (fonts !== '') svg.append(Object.assign(make('style', {}), { textContent: fonts }));
  svg.append(make('rect', { width, height, fill: background }));
  new Copier(box.left, box.top).copy(root, svg);
  return { svg: new XMLSerializer().serializeToString(svg), width, height };
}

class Copier {
  constructor(
    private readonly left: number,
    private readonly top: number,
  ) {}

  copy(element: Element, into: SVGElement): void {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (style.display === 'none' || style.visibility === 'hidden' || style.opacity === '0') return;
    if (element instanceof SVGSVGElement) return void into.append(this.drawing(element, box));
    let group = into;
    if (style.opacity !== '1') into.append((group = make('g', { opacity: style.opacity })));
    this.box(style, box, group);
    this.pseudo(element, box, '::before', group);
    for (const child of element.childNodes) {
      if (child instanceof Element) this.copy(child, group);
      else if (child instanceof Text && box.width > 1) this.words(child, style, group);
    }
    this.pseudo(element, box, '::after', group);
  }

  private drawing(svg: SVGSVGElement, box: DOMRect): SVGElement {
    const copy = inlined(svg) as SVGSVGElement;
    copy.removeAttribute('style');
    for (const [name, value] of Object.entries(this.place(box))) copy.setAttribute(name, String(value));
    copy.setAttribute('overflow', getComputedStyle(svg).overflow);
    return copy;
  }

  private place({ left, top, width, height }: { left: number; top: number; width: number; height: number }) {
    return { x: round(left - this.left), y: round(top - this.top), width: round(width), height: round(height) };
  }

  /** Draw background, border, outline and inner edge of a box. */
  private box(style: CSSStyleDeclaration, box: DOMRect, into: SVGElement): void {
    const place = this.place(box);
    const rx = Number.parseFloat(style.borderTopLeftRadius) || 0;
    const round = style.borderTopLeftRadius.endsWith('%') ? (rx / 100) * place.width : rx;
    if (seen(style.backgroundColor)) into.append(make('rect', { ...place, rx: round, fill: style.backgroundColor }));
    const edge = (color: string, wide: number, inset: number, dash = ''): void => {
      const around = {
        x: place.x + inset,
        y: place.y + inset,
        width: Math.max(0, place.width - 2 * inset),
        height: Math.max(0, place.height - 2 * inset),
      };
      const line = { stroke: color, 'stroke-width': wide, 'stroke-dasharray': dash, fill: 'none', rx: round };
      into.append(make('rect', { ...around, ...line }));
    };
    const border = Number.parseFloat(style.borderTopWidth) || 0;
    if (border > 0 && style.borderTopStyle !== 'none' && seen(style.borderTopColor))
      edge(style.borderTopColor, border, border / 2, style.borderTopStyle === 'dashed' ? `${border * 2}` : '');
    const outline = Number.parseFloat(style.outlineWidth) || 0;
    if (style.outlineStyle === 'solid' && outline > 0 && seen(style.outlineColor)) edge(style.outlineColor, outline, 0);
    const shadow = SHADOW.exec(style.boxShadow);
    if (shadow) edge(shadow[1] ?? '', Number(shadow[2]), Number(shadow[2]) / 2);
  }

  /** Draw a pseudo-element that the style sheet adds before or after an element. */
  private pseudo(element: Element, parent: DOMRect, which: string, into: SVGElement): void {
    const style = getComputedStyle(element, which);
    if (style.content === 'none' || style.position !== 'absolute' || style.display === 'none') return;
    const [left, top, width, height] = [style.left, style.top, style.width, style.height].map(Number.parseFloat);
    if ([left, top, width, height].some((size) => size === undefined || Number.isNaN(size))) return;
    const [dx = 0, dy = 0] = style.translate === 'none' ? [] : style.translate.split(' ').map(Number.parseFloat);
    const shift = (part: number, size = 0): number => (style.translate.includes('%') ? (part / 100) * size : part);
    const group = make('g', { opacity: style.opacity });
    const x = parent.left + (left ?? 0) + shift(dx, width);
    const y = parent.top + (top ?? 0) + shift(dy, height);
    this.box(style, new DOMRect(x, y, width, height), group);
    if (group.childNodes.length > 0) into.append(group);
  }

  private words(node: Text, style: CSSStyleDeclaration, into: SVGElement): void {
    const words = node.data.trim();
    if (words === '') return;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, top, width, height } = range.getBoundingClientRect();
    const text = make('text', {
      x: round(left + width / 2 - this.left),
      y: round(top + height / 2 - this.top),
      'text-anchor': 'middle',
      'dominant-baseline': 'central',
      fill: style.color,
      'font-family': style.fontFamily,
      'font-size': style.fontSize,
      'font-weight': style.fontWeight,
    });
    text.textContent = words;
    into.append(text);
  }
}

/** Return a copy of a drawing with its computed styles as attributes. */
function inlined(element: SVGElement): SVGElement {
  const copy = element.cloneNode(false) as SVGElement;
  const style = getComputedStyle(element);
  if (style.display === 'none') return make('g', {});
  for (const name of ['class', 'data-pencil', 'aria-hidden', 'focusable', 'style']) copy.removeAttribute(name);
  for (const name of COPIED) {
    const value = style.getPropertyValue(name);
    if (value !== '' && value !== 'none' && value !== 'normal' && value !== 'auto') copy.setAttribute(name, value);
    else if (name === 'fill') copy.setAttribute(name, 'none');
  }
  if (!element.hasAttribute('transform') && !(element instanceof SVGSVGElement) && style.transform !== 'none') {
    const [x = 0, y = 0] = style.transformOrigin.split(' ').map(Number.parseFloat);
    copy.setAttribute('transform', `translate(${x} ${y}) ${style.transform} translate(${-x} ${-y})`);
  }
  for (const child of element.childNodes)
    copy.append(child instanceof SVGElement ? inlined(child) : child.cloneNode(true));
  return copy;
}

function make(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== '') made.setAttribute(key, String(value));
  return made;
}

const round = (value: number): number => Math.round(value * 100) / 100;
const seen = (color: string): boolean => color !== 'transparent' && !/, 0\)$|\/ 0\)$/.test(color);

/** Return style rules that hold the page's own fonts. */
export async function embedFonts(): Promise<string> {
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule);
  const made = rules.map(async ({ style, parentStyleSheet }) => {
    const address = /url\(["']?([^"')]+)/.exec(style.getPropertyValue('src'))?.[1] ?? '';
    const answer = await fetch(new URL(address, parentStyleSheet?.href ?? location.href));
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    const [family, weight] = [style.getPropertyValue('font-family'), style.getPropertyValue('font-weight')];
    return `@font-face{font-family:${family};font-weight:${weight};src:url(data:font/woff2;base64,${text})}`;
  });
  return (await Promise.all(made)).join('');
}

export async function toPng({ svg, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/png'),
  );
}
