// The layouts, by the name that a board carries: each folder here is one and exports its descriptor.

import type { Layout } from '../board/layout';

const found = import.meta.glob<Layout>('./*/index.ts', { eager: true, import: 'layout' });
const layouts = new Map(Object.entries(found).map(([path, layout]) => [path.split('/').at(-2) ?? '', layout]));

/** Undefined: this page cannot draw that board. */
export const layoutOf = (name: string): Layout | undefined => layouts.get(name);

/** What draws the diagrams of the rules that are fenced so. */
export const layoutOfFence = (fence: string): Layout | undefined =>
  [...layouts.values()].find((layout) => layout.fence === fence);
