import { defineConfig, mergeConfig } from 'vitest/config';
import page from './vite.config';

export default mergeConfig(
  page,
  defineConfig({
    // Use Svelte's code for browsers, not the code for servers.
    resolve: { conditions: ['browser'] },
    test: {
      environment: 'happy-dom',
      include: ['tests/**/*.test.ts'],
      // All files share one browser environment, which is four times as fast as one for each.
      isolate: false,
      restoreMocks: true,
      unstubGlobals: true,
    },
  }),
);
