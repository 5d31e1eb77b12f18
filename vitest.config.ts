import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // At the root, where modules resolve for Node: in the worker project they resolve for workerd.
    globalSetup: './src/testing/global-setup.ts',
    projects: [
      {
        // The API and its pure parts, in the runtime they are deployed to.
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: inject('workerEnv') },
          })),
        ],
        test: {
          name: 'worker',
          include: ['src/**/*.test.ts'],
          exclude: ['src/local/**'],
          testTimeout: 30_000,
        },
      },
      {
        // What only ever runs on Node: the local stack.
        test: { name: 'node', include: ['src/local/**/*.test.ts'], testTimeout: 30_000 },
      },
    ],
  },
});
