// The layouts by their name in a board. Each folder beside this file is a layout and exports its descriptor.

import type { Layout } from '../board/layout';

const found = import.meta.glob<Layout>('./*/index.ts', { eager: true, import: 'layout' });
const layouts = new Map(Object.entries(found).map(([path, layout]) => [path.split('/').at(-2) ?? '', layout]));

/** Return the layout of a name; undefined if this page has none. */
export const layoutOf = (name: string): Layout | undefined => layouts.get(name);

/** Return the layout whose diagrams have this fence in the rules. */
export const layoutOfFence = (fence: string): Layout | undefined =>
  [...layouts.values()].find((layout) => layout.fence === fence);
