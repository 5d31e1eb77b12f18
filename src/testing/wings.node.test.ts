import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..');

const BASE = ['config', 'errors', 'in-time', 'json-brackets', 'later', 'log', 'scopes'].map(
  (name) => `worker/${name}.ts`,
);
const RESOURCE = [
  ...BASE,
  'worker/auth',
  'worker/db',
  'worker/events',
  'worker/gate',
  'worker/http',
  'worker/positions',
];

/** Each room and the rooms that its files may import from. A file may always import from its own room. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'timing-files/write': [],
  'timing-files/read': ['timing-files/write'],
  'timing-files/columns': ['timing-files/read'],
  'timing-files/judge': ['timing-files/read', 'timing-files/columns'],
  'timing-files/suggest': [
    'timing-files/write',
    'timing-files/read',
    'timing-files/columns',
    'timing-files/judge',
  ],
  // Pages contain this room too, so the room imports nothing.
  'timing-files/official': ['timing-files/write'],
  ...Object.fromEntries(BASE.map((file) => [file, []])),
  'worker/log.ts': ['worker/errors.ts'],
  'worker/positions': ['timing-files/read'],
  'worker/db': [...BASE, 'worker/positions', 'timing-files/read'],
  'worker/rate-limit': BASE,
  'worker/gate': BASE,
  'worker/http': [
    ...BASE,
    'timing-files/read',
    'timing-files/write',
    'worker/db',
    'worker/gate',
    'worker/rate-limit',
    'worker/services.ts',
  ],
  'worker/auth': [...BASE, 'worker/db', 'worker/http', 'worker/rate-limit'],
  'worker/events': [...RESOURCE, 'timing-files/read'],
  'worker/organizations': RESOURCE,
  'worker/participants': RESOURCE,
  'worker/stats': RESOURCE,
  'worker/api-keys': [...RESOURCE, 'worker/rate-limit/uses.ts'],
  // The journal of migrations.
  'worker/health': [...RESOURCE, '../migrations/meta'],
  'worker/results': [...RESOURCE, 'timing-files'],
  'worker/ranking': [...RESOURCE, 'worker/results', 'timing-files/read'],
  'worker/passings': [...RESOURCE, 'worker/results', 'timing-files'],
  'worker/course': [
    ...RESOURCE,
    'worker/passings',
    'worker/results',
    'timing-files/read',
    'timing-files/judge',
  ],
  'worker/board': [
    ...RESOURCE,
    'timing-files/read',
    'timing-files/write',
    'worker/results/batches/versions.ts',
    'worker/results/official',
    'worker/services.ts',
  ],
  'worker/services.ts': [
    ...RESOURCE,
    'worker/health',
    'worker/rate-limit',
    'worker/results',
    'worker/board',
  ],
  'worker/app.ts': ['worker'],
  // Programs outside and the panel use this room.
  client: [],
  site: ['worker', 'timing-files', 'client'],
  cli: ['client', 'timing-files'],
  dev: ['timing-files', 'worker', 'site', 'client', 'cli'],
  testing: ['timing-files', 'worker', 'site', 'client', 'cli', 'dev'],
  bench: ['timing-files', 'worker', 'site', 'client', 'cli', 'dev', 'testing'],
};

/** Packages that a single room of the Worker may import. */
const OWNER: Record<string, string> = {
  '@neondatabase/serverless': 'worker/db',
  '@upstash/ratelimit': 'worker/rate-limit',
  '@upstash/redis': 'worker/rate-limit',
  jose: 'worker/auth',
};

/** Schemas of answers, texts about operations, and tables: for documents and tools, not for the Worker. */
const isDocumentation = (path: string) =>
  /(answer-schemas|documentation|operations|\/schema)\.ts$/.test(path);

const within = (path: string, room: string) => path === room || path.startsWith(`${room}/`);

const roomOf = (path: string) => Object.keys(MAY_IMPORT).find((room) => within(path, room));

/** The package of a path: `@upstash/redis` of `@upstash/redis/cloudflare`. */
const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** The forbidden imports of a file. `path` is relative to `src`. */
function wrongImports(path: string, text: string): string[] {
  const room = roomOf(path);
  if (!room) return [`${path} stands in no wing`];
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, name = '']) => name,
  );
  return specifiers.flatMap((specifier) => {
    const wrong = [`${path} may not import ${specifier}`];
    if (!specifier.startsWith('.')) {
      const owner = OWNER[packageOf(specifier)];
      const isShut = path.startsWith('worker/') && owner !== undefined && owner !== room;
      return isShut ? wrong : [];
    }
    const target = join(path, '..', specifier);
    return [room, ...(MAY_IMPORT[room] ?? [])].some((other) => within(target, other)) ? [] : wrong;
  });
}

/**
 * Imports that would make the deployed bundle heavier: documentation, tables, and `zod`, which has three times the
 * weight of `zod/mini`. A type is not bundled.
 */
const heavyImports = (path: string, text: string): string[] =>
  isDocumentation(path)
    ? []
    : [...text.matchAll(/^(?:import|export) (?!type )[^;]*?'([^']+)';$/gm)]
        .map(([, specifier = '']) => specifier)
        .filter((specifier) => isDocumentation(specifier) || specifier === 'zod')
        .map((specifier) => `${path} may import only types from ${specifier}`);

const sources = globSync('**/*.{ts,tsx}', { cwd: SRC }).filter(
  (path) => !/\.(test|d)\.ts$/.test(path),
);

test('finds every source file', () => {
  expect(sources).toContain('worker/app.ts');
  expect(sources.length).toBeGreaterThan(150);
});

test('finds no source in another language than TypeScript', () => {
  expect(globSync('**/*.{js,mjs,cjs,jsx}', { cwd: SRC })).toEqual([]);
});

const isOfPages = (path: string) => /^site\/\w+\/public\//.test(path);

/** Node runs TypeScript without a build, but no JSX. */
const jsxIn = (path: string, text: string): string[] =>
  isOfPages(path) || !(path.endsWith('.tsx') || /(?:from|import)\s*\(?\s*'[^']+\.tsx'/.test(text))
    ? []
    : [`${path} has JSX, or imports JSX`];

test('finds JSX only in the scripts of pages', () => {
  const all = globSync('**/*.{ts,tsx}', { cwd: SRC });
  const read = (path: string) => readFileSync(join(SRC, path), 'utf8');
  expect(all).toContain('site/panel/public/panel/kit.tsx');
  expect(all.flatMap((path) => jsxIn(path, read(path)))).toEqual([]);
  const imports = `import { Figures } from './kit.${'tsx'}';`;
  expect(jsxIn('dev/intruder.ts', imports)).toHaveLength(1);
  expect(jsxIn('site/panel/intruder.node.test.ts', imports)).toHaveLength(1);
  expect(jsxIn('dev/intruder.tsx', '')).toHaveLength(1);
  expect(jsxIn('site/panel/public/panel/part.tsx', imports)).toEqual([]);
});

test('finds no file that imports what its wing may not', () => {
  const read = (path: string) => readFileSync(join(SRC, path), 'utf8');
  expect(sources.flatMap((path) => wrongImports(path, read(path)))).toEqual([]);
});

test.each([
  ['worker/events/intruder.ts', "import { boardRoutes } from '../board/routes.ts';"],
  ['worker/events/intruder.ts', "import { GUIDES } from '../../site/docs/page.ts';"],
  ['worker/stats/intruder.ts', "import { neon } from '@neondatabase/serverless';"],
  ['worker/http/intruder.ts', "import { Ratelimit } from '@upstash/ratelimit/dist/index.mjs';"],
  ['worker/http/intruder.ts', "import { jwtVerify } from 'jose/jwt/verify';"],
  ['worker/db/intruder.ts', "import type { AppEnv } from '../http/context.ts';"],
  ['client/intruder.ts', "import { SCOPES } from '../worker/scopes.ts';"],
  ['timing-files/read/intruder.ts', "const errors = await import('../../worker/errors.ts');"],
  ['timing-files/read/intruder.ts', "import { suggest } from '../suggest/suggestion.ts';"],
  ['timing-files/columns/intruder.ts', "import { createJudge } from '../judge/judge.ts';"],
  ['timing-files/judge/intruder.ts', "import { suggest } from '../suggest/suggestion.ts';"],
  ['timing-files/intruder.ts', ''],
  ['dev/intruder.ts', "import '../testing/harness.ts';"],
  ['utils/intruder.ts', ''],
])('refuses a misplaced import: %s', (path, text) => {
  expect(wrongImports(path, text)).toHaveLength(1);
});

test('finds no deployed file that makes the bundle heavier', () => {
  const deployed = sources.filter((path) => within(path, 'worker'));
  const read = (path: string) => readFileSync(join(SRC, path), 'utf8');
  expect(deployed.flatMap((path) => heavyImports(path, read(path)))).toEqual([]);
});

test('refuses documentation, tables and zod in the bundle', () => {
  for (const bundled of [
    "import { Event } from './answer-schemas.ts';",
    "import {\n  type Event,\n  OrganizationEvent,\n} from './panel-answer-schemas.ts';",
    "export { Event } from './answer-schemas.ts';",
    "import { eventProse } from '../events/operations.ts';",
    "import { events } from '../db/schema.ts';",
    "import * as z from 'zod';",
  ]) {
    expect(heavyImports('worker/events/routes.ts', bundled)).toHaveLength(1);
    const asType = bundled.replace(/^(import|export)/, '$1 type');
    expect(heavyImports('worker/events/routes.ts', asType)).toEqual([]);
    expect(heavyImports('worker/events/operations.ts', bundled)).toEqual([]);
  }
});

test('finds no deployed file that reads `c.var`, which copies all variables at each access', () => {
  const read = (path: string) => readFileSync(join(SRC, path), 'utf8');
  const deployed = sources.filter((path) => within(path, 'worker'));
  expect(deployed.filter((path) => /\bc\.var\b|\bvar:/.test(read(path)))).toEqual([]);
});

test('is described in DESIGN, wing by wing', () => {
  const design = readFileSync(join(SRC, '../.github/DESIGN.md'), 'utf8');
  const [table = ''] = /^\| wing .*?\n\n/ms.exec(design) ?? [];
  const described = Array.from(table.matchAll(/`([\w-]+)`/g), ([, name]) => name);
  const wings = globSync('*', { cwd: SRC });
  expect(described.filter((name) => wings.includes(name ?? '')).sort()).toEqual(wings.sort());
});
