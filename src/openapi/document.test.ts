import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { convertV2 } from 'openapi-to-postmanv2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { buildSite } from '../site/build.ts';
import { OPERATIONS } from './operations.ts';

const ROOT = join(import.meta.dirname, '../..');

let folder: string;
let built: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-'));
  buildSite(join(folder, 'site'));
  built = readFileSync(join(folder, 'site/openapi.json'), 'utf8');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the file', () => {
  test('is the same to the byte however often and wherever it is built', () => {
    const again = "import('./src/openapi/document.ts').then((m) => m.openApiDocument())";
    const printed = execFileSync(
      process.execPath,
      ['-e', `${again}.then((document) => process.stdout.write(JSON.stringify(document)))`],
      { cwd: ROOT, encoding: 'utf8', env: { ...process.env, TZ: 'Asia/Kathmandu', LANG: 'C' } },
    );
    expect(printed).toBe(built);
    buildSite(join(folder, 'again'));
    expect(readFileSync(join(folder, 'again/openapi.json'), 'utf8')).toBe(built);
  });

  test('may be read by tools that run in pages', () => {
    const headers = readFileSync(join(folder, 'site/_headers'), 'utf8');
    expect(headers).toMatch(/^\/openapi\.json\n {2}Access-Control-Allow-Origin: \*$/m);
    // For this one file, and for nothing that needs a key.
    expect(headers.match(/Access-Control/g)).toHaveLength(1);
  });
});

describe('the linter', () => {
  /** Every rule there is, but for what the contract or its reader knows better. */
  const OFF = {
    'info-contact': 'No address is the service’s own.',
    'operation-4xx-problem-details-rfc7807': 'The contract’s errors are {detail, code}.',
    'path-segment-plural': 'The contract’s paths have /public, /lookup and /file.',
    'request-mime-type': 'The contract takes CSV files in a form.',
    'required-string-property-missing-min-length': 'Answers hold whatever text is stored.',
    'tags-alphabetical': 'They stand in the order in which one reads about them.',
  };

  const lint = async (source: string) =>
    lintFromString({
      source,
      absoluteRef: 'openapi.json',
      config: await createConfig({
        extends: ['all'],
        rules: Object.fromEntries(Object.keys(OFF).map((rule) => [rule, 'off'])),
      }),
    });

  test('has nothing to say', async () => {
    const problems = await lint(built);
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('would have', async () => {
    const [first, ...others] = built.split('"summary":"List events",');
    expect(await lint([first, ...others].join(''))).not.toEqual([]);
  });
});

describe('Postman’s converter', () => {
  const Item = z.object({
    name: z.string(),
    request: z.object({
      method: z.string(),
      url: z.object({ path: z.array(z.string()) }),
      auth: z.object({ type: z.string() }),
    }),
  });
  type Folder = { item: (Folder | z.infer<typeof Item>)[] };
  const Folder: z.ZodType<Folder> = z.object({
    item: z.lazy(() => z.array(z.union([Folder, Item]))),
  });

  const requestsIn = ({ item }: Folder): z.infer<typeof Item>[] =>
    item.flatMap((child) => ('item' in child ? requestsIn(child) : [child]));

  test('makes a request of every operation, with the credentials that it takes', async () => {
    const converted = await new Promise((resolve, reject) => {
      const options = { parametersResolution: 'Example' } as const;
      convertV2({ type: 'string', data: built }, options, (error, result) =>
        error ? reject(error) : resolve(result),
      );
    });
    // A conversion that failed, or left something out, says why.
    expect(converted).toMatchObject({ result: true });
    expect(converted).not.toHaveProperty('reason');
    const { output } = z.object({ output: z.tuple([z.object({ data: Folder })]) }).parse(converted);
    const requests = requestsIn(output[0].data).map(({ name, request }) => ({
      name,
      method: request.method,
      path: `/${request.url.path.join('/')}`,
      auth: request.auth.type,
    }));
    const expected = OPERATIONS.map(({ summary, method, path, scope }) => ({
      name: summary,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      // A variable for each of the two: an API key, and the panel's token.
      auth: scope ? 'apikey' : 'bearer',
    }));
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    expect(requests.sort(byName)).toEqual(expected.sort(byName));
  });
});
