/// <reference types="svelte" />
/// <reference types="vite/client" />

declare module 'virtual:rules/index' {
  import type { Block } from '../build/rules';
  const loaders: Record<string, Record<string, () => Promise<{ default: Block[] }>>>;
  export default loaders;
}
