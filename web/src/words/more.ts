// Words of screens that few visits show. They have files of their own, which load with these screens.

import type { Component } from 'svelte';
import { learn, spoken, type WordFiles } from './language.svelte';

/** A screen as a module offers it. Some screens take `param`, others no props, hence `any`. */
export type ScreenModule = { default: Component<any> };

/** Load a screen together with its words. */
export async function withWords(files: WordFiles, screen: Promise<ScreenModule>): Promise<ScreenModule> {
  const [module] = await Promise.all([screen, learn(files, spoken().language)]);
  return module;
}
