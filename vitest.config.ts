import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { newSigningKeys } from './src/dev/stack/signing-keys.ts';

const SECRETS = {
  PANEL_JWT_SECRET: 'synthetic secret that signs the sessions of tests',
  SIGNING_KEYS: newSigningKeys(),
};

// The end of a test file's name says where it runs.
const filesNamed = (end: string) => globSync(`src/**/*${end}`);
const NODE = filesNamed('.node.test.ts');
const PROCESSES = filesNamed('.process.test.ts');
const SERVICES = filesNamed('.services.test.ts');
const BROWSER = filesNamed('.browser.test.ts');
const NIGHTLY = filesNamed('.nightly.test.ts');
const NIGHTLY_SERVICES = filesNamed('.services.nightly.test.ts');
const LONG = filesNamed('.long.test.ts');
const elsewhere = new Set([...NODE, ...PROCESSES, ...LONG, ...SERVICES, ...BROWSER, ...NIGHTLY]);
const WORKER = filesNamed('.test.ts').filter((file) => !elsewhere.has(file));

/**
 * Whether a file asks Postgres or Redis: it imports what starts the application or fills the database, or
 * takes the servers' addresses. The other files run on the embedded stack alone.
 */
const asksServers = (file: string): boolean =>
  /\/(harness|factories|documented-world|runtime\/api)\.ts'|\binject\('(servers|workerEnv)'/.test(
    readFileSync(file, 'utf8'),
  );

// Files of one worker share their modules (`isolate: false`): importing the application takes seconds, and
// each test makes an organization of its own.
const inWorkerd = (name: string, include: string[]) => ({
  plugins: [
    cloudflareTest(({ inject }) => ({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        bindings: { ...inject('workerEnv'), ...SECRETS },
        assets: { directory: inject('pages'), binding: 'ASSETS' },
      },
    })),
  ],
  test: { name, isolate: false, include, testTimeout: 30_000 },
});
const onNode = (name: string, include: string[]) => ({
  test: { name, isolate: false, include, testTimeout: 30_000 },
});

/** A worker waits for the database, which has a thread of its own, and for some deadlines. */
const maxWorkers = availableParallelism() + 1;

/** Tests on real servers, which take minutes. The projects run one after the other. */
const slow = (name: string, include: string[], groupOrder: number, workers = maxWorkers) => ({
  test: {
    name,
    include,
    maxWorkers: workers,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    sequence: { groupOrder },
  },
});

/** The pages in Chromium, which not every machine has. A test waits more than it works, so several run at once. */
const browser = [
  {
    test: {
      name: 'browser',
      include: BROWSER,
      sequence: { concurrent: true },
      maxConcurrency: 3,
      testTimeout: 300_000,
    },
  },
];

// At the root, where modules resolve for Node: in a worker project they resolve for workerd.
const STACK = './src/testing/global-setup.ts';
const BUILD = './src/testing/build-setup.ts';

const {
  DATABASE_URL: databaseUrl = 'postgres://postgres@127.0.0.1:5432/postgres',
  REDIS_URL: redisUrl = 'redis://127.0.0.1:6379',
} = process.env;
const onServers = {
  globalSetup: [STACK, BUILD],
  maxWorkers,
  provide: { servers: { databaseUrl, redisUrl } },
};

export default defineConfig(({ mode }) => {
  switch (mode) {
    case 'long':
      return {
        test: {
          globalSetup: [STACK, BUILD],
          maxWorkers,
          projects: [inWorkerd('worker', LONG), onNode('processes', PROCESSES)],
        },
      };
    case 'services':
      return { test: { ...onServers, projects: [slow('services', SERVICES, 1)] } };
    case 'browser': {
      const globalSetup = './src/testing/browser-setup.ts';
      return { test: { globalSetup, maxWorkers: 2, projects: browser } };
    }
    case 'nightly':
      return {
        test: {
          ...onServers,
          projects: [
            inWorkerd('worker', [
              ...[...WORKER, ...LONG].filter(asksServers),
              ...NIGHTLY.filter((file) => !NIGHTLY_SERVICES.includes(file)),
            ]),
            onNode('node', NODE.filter(asksServers)),
            onNode('processes', PROCESSES.filter(asksServers)),
            // They measure times: nothing may run beside them.
            slow('measured', NIGHTLY_SERVICES, 1, 1),
          ],
        },
      };
    default:
      return {
        test: {
          globalSetup: STACK,
          maxWorkers,
          projects: [inWorkerd('worker', WORKER), onNode('node', NODE)],
        },
      };
  }
});
