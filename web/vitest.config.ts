import { defineConfig, mergeConfig } from 'vitest/config';
import page from './vite.config';

export default mergeConfig(
  page,
  defineConfig({
    // Svelte's code for browsers, not the one that renders on a server.
    resolve: { conditions: ['browser'] },
    test: {
      environment: 'happy-dom',
      include: ['tests/**/*.test.ts'],
      // All files share one browser, which is four times as quick as one for each.
      isolate: false,
      restoreMocks: true,
      unstubGlobals: true,
    },
  }),
);
