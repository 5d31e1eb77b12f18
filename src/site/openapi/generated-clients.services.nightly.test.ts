import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packPackage } from '../../dev/package.ts';
import { LATER_ANSWERS } from '../../testing/later-answers.ts';
import { openApiDocument } from './document.ts';

const run = promisify(execFile);

/** The generators need a TypeScript with a compiler API, so they get separate packages and a separate folder. */
const PACKAGES = [
  ...['typescript@5.9.3', 'openapi-typescript@7.13.0'],
  ...['@hey-api/openapi-ts@0.99.0', 'zod@4.6.7'],
  ...['orval@8.38.0', 'axios@1.13.2', 'swagger-typescript-api@13.13.0'],
];

const folder = mkdtempSync(join(tmpdir(), 'generated-clients-'));
const inFolder = (command: string, ...flags: string[]) => run(command, flags, { cwd: folder });
const program = (path: string, ...flags: string[]) =>
  inFolder(process.execPath, join('node_modules', path), ...flags);
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

beforeAll(async () => {
  write('package.json', '{"private": true, "type": "module"}');
  const packages = [...PACKAGES, await packPackage(folder)];
  await inFolder('npm', 'install', '--no-save', '--no-audit', '--ignore-scripts', ...packages);
  write('openapi.json', JSON.stringify(openApiDocument()));
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiles answers against the types of openapi-typescript. `change` makes an answer of each. */
async function compile(change: (later: unknown) => unknown): Promise<string> {
  const lines = LATER_ANSWERS.flatMap(({ id, status, later }, at) => [
    `const answer${at} = ${JSON.stringify(change(later))};`,
    `answer${at} satisfies operations['${id}']['responses'][${status}]['content']['application/json'];`,
  ]);
  write('use.ts', ["import type { operations } from './types.js';", ...lines].join('\n'));
  return problemsOf('use.ts', '--module', 'nodenext');
}

/** The errors of the compiler in a file and its imports. */
const problemsOf = (file: string, ...flags: string[]): Promise<string> =>
  program('typescript/bin/tsc', file, '--noEmit', '--strict', '--skipLibCheck', ...flags).then(
    ({ stdout }) => stdout,
    (failure: { stdout: string }) => {
      if (!failure.stdout.includes('error TS')) throw failure;
      return failure.stdout;
    },
  );

/** As programs for a bundler are compiled. */
const BUNDLED = [
  ...['--module', 'esnext', '--moduleResolution', 'bundler'],
  ...['--target', 'es2022', '--lib', 'es2023,dom,dom.iterable'],
];

const ORVAL = 'orval/dist/bin/orval.mjs';

test('types of openapi-typescript accept one more field and one more value', async () => {
  await program('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'types.ts');
  expect(await compile((later) => later)).toBe('');
  expect((await compile(() => ({}))).match(/error TS/g)).toHaveLength(LATER_ANSWERS.length);
});

test('schemas of hey-api accept one more field and one more value', async () => {
  const generator = '@hey-api/openapi-ts/bin/run.js';
  await program(generator, '-i', 'openapi.json', '-o', 'schemas', '-p', 'zod');
  write('answers.json', JSON.stringify(LATER_ANSWERS));
  write(
    'parse.ts',
    `import answers from './answers.json' with { type: 'json' };
    import * as schemas from './schemas/zod.gen.ts';
    console.log(JSON.stringify(answers.map(({ id, later }) => {
      const schema = schemas['z' + id[0].toUpperCase() + id.slice(1) + 'Response'];
      const { success, error } = schema.safeParse(later);
      return { id, problem: success ? null : error.message, acceptsAll: schema.safeParse({}).success };
    })));`,
  );
  const { stdout } = await inFolder(process.execPath, '--experimental-strip-types', 'parse.ts');
  expect(JSON.parse(stdout)).toEqual(
    LATER_ANSWERS.map(({ id }) => ({ id, problem: null, acceptsAll: false })),
  );
});

test('compiles a client of hey-api, which sends a batch with a row that belongs into `failed`', async () => {
  const plugins = ['-p', 'zod', '@hey-api/client-fetch', '@hey-api/sdk'];
  await program('@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey', ...plugins);
  expect(await problemsOf('hey/index.ts', ...BUNDLED)).toBe('');
  write(
    'batch.ts',
    `import { zUploadEventResultsBody } from './hey/zod.gen.ts';
    const results = [{ bib_number: '17', chip_time: '1h28' }, { bib_number: '18', status: 'dnf' }];
    console.log(zUploadEventResultsBody.safeParse({ results }).success,
      zUploadEventResultsBody.safeParse({}).success);`,
  );
  const { stdout } = await inFolder(process.execPath, '--experimental-strip-types', 'batch.ts');
  expect(stdout.trim()).toBe('true false');
});

test('compiles a client of orval for axios', async () => {
  await program(ORVAL, '-i', 'openapi.json', '-o', 'axios.ts', '--client', 'axios');
  expect(await problemsOf('axios.ts', ...BUNDLED)).toBe('');
});

test('compiles a client of orval for fetch except files, which the client cannot send in one of several types', async () => {
  await program(ORVAL, '-i', 'openapi.json', '-o', 'fetch.ts', '--client', 'fetch');
  const problems = (await problemsOf('fetch.ts', ...BUNDLED)).match(/error TS\d+: .*/g) ?? [];
  expect(problems.filter((problem) => !/'Blob \| \w+FileBodyOne'/.test(problem))).toEqual([]);
});

test('compiles a client of swagger-typescript-api', async () => {
  const generator = 'swagger-typescript-api/dist/cli.mjs';
  await program(generator, 'generate', '-p', 'openapi.json', '-o', 'swagger', '-n', 'api.ts');
  expect(await problemsOf('swagger/api.ts', ...BUNDLED)).toBe('');
});

test('compiles our own client in a program whose TypeScript 5 has `module: commonjs`', async () => {
  write(
    'commonjs.cts',
    `import { RaceResultsClient } from 'race-results-api/client';
    export const client = new RaceResultsClient({ baseUrl: 'https://api.test', apiKey: 'synthetic' });
    // @ts-expect-error: no such field
    client.listEvents({ city: 'Lima' });`,
  );
  expect(await problemsOf('commonjs.cts', '--module', 'commonjs', '--target', 'es2022')).toBe('');
});
