import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { newSigningKeys } from './src/dev/stack/signing-keys.ts';

const SECRETS = {
  PANEL_JWT_SECRET: 'synthetic secret that signs the sessions of tests',
  SIGNING_KEYS: newSigningKeys(),
};

// A test file's name says where it runs: `x.test.ts` in workerd, `x.node.test.ts` on Node, and so on.
const filesNamed = (end: string) => globSync(`src/**/*${end}`);
const NODE = filesNamed('.node.test.ts');
const SERVICES = filesNamed('.services.test.ts');
const BROWSER = filesNamed('.browser.test.ts');
const elsewhere = new Set([...NODE, ...SERVICES, ...BROWSER]);
const WORKER = filesNamed('.test.ts').filter((file) => !elsewhere.has(file));

/**
 * Whether a file asks Postgres or Redis: it imports what starts the application or fills the database, or
 * takes the servers' addresses. The other files run in `npm test` alone.
 */
const asksServers = (file: string): boolean =>
  /\/(harness|factories|documented-world)\.ts'|\binject\('(servers|workerEnv)'/.test(
    readFileSync(file, 'utf8'),
  );

// Files of one worker share their modules (`isolate: false`): importing the application takes seconds, and
// each test makes an organization of its own.
const suite = (isIncluded: (file: string) => boolean) => [
  {
    // The Workers runtime, which the API is deployed to.
    plugins: [
      cloudflareTest(({ inject }) => ({
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          bindings: { ...inject('workerEnv'), ...SECRETS },
          assets: { directory: inject('pages'), binding: 'ASSETS' },
        },
      })),
    ],
    test: {
      name: 'worker',
      isolate: false,
      include: WORKER.filter(isIncluded),
      testTimeout: 30_000,
    },
  },
  { test: { name: 'node', isolate: false, include: NODE.filter(isIncluded), testTimeout: 30_000 } },
];

/** Half of a run's time is waiting: for deadlines, for windows of the rate limit, for a network that is away. */
const maxWorkers = availableParallelism() + 1;

/** Tests of what one sender costs others, and of how late a board is, measure times: nothing may run beside them. */
const isMeasured = (file: string): boolean =>
  file.startsWith('src/testing/stress/neighbours/') || file.endsWith('/on-course.services.test.ts');

/** Real servers, or minutes of work. */
const services = [
  { name: 'services', include: SERVICES.filter((file) => !isMeasured(file)), maxWorkers },
  { name: 'neighbours', include: SERVICES.filter(isMeasured), maxWorkers: 1 },
].map((project, at) => ({
  test: {
    ...project,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    sequence: { groupOrder: 1 + at },
  },
}));

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
const shared = { globalSetup: './src/testing/global-setup.ts', maxWorkers };

const {
  DATABASE_URL: databaseUrl = 'postgres://postgres@127.0.0.1:5432/postgres',
  REDIS_URL: redisUrl = 'redis://127.0.0.1:6379',
} = process.env;

export default defineConfig(({ mode }) => {
  if (mode === 'browser') {
    const globalSetup = './src/testing/browser-setup.ts';
    return { test: { globalSetup, maxWorkers: 2, projects: browser } };
  }
  if (mode === 'services') {
    const projects = [...suite(asksServers), ...services];
    return { test: { ...shared, provide: { servers: { databaseUrl, redisUrl } }, projects } };
  }
  return { test: { ...shared, projects: suite(() => true) } };
});
