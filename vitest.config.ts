import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

const PANEL = { PANEL_JWT_SECRET: 'synthetic secret that signs the sessions of tests' };

const SERVICES = 'src/**/*.services.test.ts';
const BROWSER = 'src/**/*.browser.test.ts';
const ON_NODE = [
  'src/local/**',
  'src/race-day/**',
  'src/client/**',
  'src/openapi/**',
  'src/docs/**',
  'src/rehearsal/**',
  'src/bench/**',
];

const suite = [
  {
    // The API and its pure parts, in the runtime they are deployed to.
    plugins: [
      cloudflareTest(({ inject }) => ({
        wrangler: { configPath: './wrangler.toml' },
        miniflare: { bindings: { ...inject('workerEnv'), ...PANEL } },
      })),
    ],
    test: {
      name: 'worker',
      include: ['src/**/*.test.ts'],
      exclude: [...ON_NODE, SERVICES, BROWSER],
      testTimeout: 30_000,
    },
  },
  {
    // What runs on Node: the local stack, the API's document and what is on the other end of a connection.
    test: {
      name: 'node',
      include: ON_NODE.map((folder) => `${folder}/*.test.ts`),
      exclude: [SERVICES, BROWSER],
      testTimeout: 30_000,
    },
  },
];

/** What needs a real PostgreSQL and Redis, or minutes: one file at a time, and nothing beside it. */
const services = [
  {
    test: {
      name: 'services',
      include: ON_NODE.map((folder) => `${folder}/*.services.test.ts`),
      testTimeout: 600_000,
      hookTimeout: 120_000,
      maxWorkers: 1,
      sequence: { groupOrder: 1 },
    },
  },
];

/** The pages in Chromium, which not every machine has. One file at a time: each builds the site. */
const browser = [
  { test: { name: 'browser', include: [BROWSER], testTimeout: 60_000, maxWorkers: 1 } },
];

// At the root, where modules resolve for Node: in a worker project they resolve for workerd.
const setup = (name: string) => ({ globalSetup: `./src/testing/${name}-setup.ts` });

export default defineConfig(({ mode }) => {
  if (mode === 'browser') return { test: { projects: browser } };
  if (mode === 'services') return { test: { ...setup(mode), projects: [...suite, ...services] } };
  return { test: { ...setup('global'), projects: suite } };
});
