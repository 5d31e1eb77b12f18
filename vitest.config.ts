import { availableParallelism } from 'node:os';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

const PANEL = { PANEL_JWT_SECRET: 'synthetic secret that signs the sessions of tests' };

// A test file's name says where it runs. Files of one worker share their modules (`isolate: false`):
// importing the application takes seconds, and each test makes an organization of its own.
const NODE = 'src/**/*.node.test.ts';
const SERVICES = 'src/**/*.services.test.ts';
const BROWSER = 'src/**/*.browser.test.ts';

const suite = [
  {
    // The Workers runtime, which the API is deployed to.
    plugins: [
      cloudflareTest(({ inject }) => ({
        wrangler: { configPath: './wrangler.toml' },
        miniflare: { bindings: { ...inject('workerEnv'), ...PANEL } },
      })),
    ],
    test: {
      name: 'worker',
      isolate: false,
      include: ['src/**/*.test.ts'],
      exclude: [NODE, SERVICES, BROWSER],
      testTimeout: 30_000,
    },
  },
  { test: { name: 'node', isolate: false, include: [NODE], testTimeout: 30_000 } },
];

/** Vitest leaves one core to itself, which is half of a small machine. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

/** Real servers, or minutes of work: one file at a time, and nothing beside it. */
const services = [
  {
    test: {
      name: 'services',
      include: [SERVICES],
      testTimeout: 600_000,
      hookTimeout: 120_000,
      maxWorkers: 1,
      sequence: { groupOrder: 1 },
    },
  },
];

/** The pages in Chromium, which not every machine has. One file at a time: each builds the site. */
const browser = [
  { test: { name: 'browser', include: [BROWSER], testTimeout: 120_000, maxWorkers: 1 } },
];

// At the root, where modules resolve for Node: in a worker project they resolve for workerd.
const setup = (name: string) => ({ globalSetup: `./src/testing/${name}-setup.ts` });

export default defineConfig(({ mode }) => {
  if (mode === 'browser') return { test: { projects: browser } };
  if (mode === 'services') return { test: { ...setup(mode), projects: [...suite, ...services] } };
  return { test: { ...setup('global'), maxWorkers, projects: suite } };
});
