import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { convertV2 } from 'openapi-to-postmanv2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { buildSite } from '../build.ts';
import { OPERATIONS } from './operations.ts';

const ROOT = join(import.meta.dirname, '../../..');

let folder: string;
let built: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-'));
  buildSite(join(folder, 'site'));
  built = readFileSync(join(folder, 'site/openapi.json'), 'utf8');
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('openapi.json', () => {
  test('has the same bytes in every build and time zone', () => {
    const again = "import('./src/site/openapi/document.ts').then((m) => m.openApiDocument())";
    const printed = execFileSync(
      process.execPath,
      ['-e', `${again}.then((document) => process.stdout.write(JSON.stringify(document)))`],
      { cwd: ROOT, encoding: 'utf8', env: { ...process.env, TZ: 'Asia/Kathmandu', LANG: 'C' } },
    );
    expect(printed).toBe(built);
    buildSite(join(folder, 'again'));
    expect(readFileSync(join(folder, 'again/openapi.json'), 'utf8')).toBe(built);
  });

  test('allows reads from other web pages', () => {
    const headers = readFileSync(join(folder, 'site/_headers'), 'utf8');
    expect(headers).toMatch(/^\/openapi\.json\n {2}Access-Control-Allow-Origin: \*$/m);
    // Only this file: nothing behind a key.
    expect(headers.match(/Access-Control/g)).toHaveLength(1);
  });
});

/** The patterns recommended by JSON Schema, readable in every language: no classes with a backslash. */
test('has patterns of characters, classes, repetitions and alternatives alone', () => {
  const patterns = new Set<string>();
  JSON.parse(built, (key, value) => {
    if (key === 'pattern') patterns.add(value);
    return value;
  });
  expect(patterns.size).toBeGreaterThan(5);
  expect([...patterns].filter((pattern) => /\\[^.*tnr]|\(\?|[^ -~]/.test(pattern))).toEqual([]);
});

describe('the linter', () => {
  /** The rules that are off, each with its reason. */
  const OFF = {
    'info-contact': 'The service has no contact address.',
    'info-license': 'The code is unlicensed. Scalar would show a badge about it.',
    'info-license-strict': 'The code is unlicensed. Scalar would show a badge about it.',
    'no-ambiguous-paths': 'A result of the bib `official` is found with the list.',
    'operation-4xx-problem-details-rfc7807': 'The contract defines errors as {detail, code}.',
    'path-segment-plural': 'The contract defines the paths /public, /lookup and /file.',
    'request-mime-type': 'The contract sends CSV files in a form.',
    'required-string-property-missing-min-length': 'Answers contain stored texts of any length.',
    'response-mime-type': 'An export is a CSV file or lines of JSON.',
    'tags-alphabetical': 'The tags have the order in which a reader needs them.',
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

  test('finds no problem', async () => {
    const problems = await lint(built);
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('finds a missing summary', async () => {
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
      // Without `auth`, a request needs no credentials.
      auth: z.nullable(z.object({ type: z.string() })),
    }),
  });
  type Folder = { item: (Folder | z.infer<typeof Item>)[] };
  const Folder: z.ZodType<Folder> = z.object({
    item: z.lazy(() => z.array(z.union([Folder, Item]))),
  });

  const requestsIn = ({ item }: Folder): z.infer<typeof Item>[] =>
    item.flatMap((child) => ('item' in child ? requestsIn(child) : [child]));

  test('makes a request with the right credentials for every operation', async () => {
    const converted = await new Promise((resolve, reject) => {
      const options = { parametersResolution: 'Example' } as const;
      convertV2({ type: 'string', data: built }, options, (error, result) =>
        error ? reject(error) : resolve(result),
      );
    });
    // A failed or incomplete conversion has a reason.
    expect(converted).toMatchObject({ result: true });
    expect(converted).not.toHaveProperty('reason');
    const { output } = z.object({ output: z.tuple([z.object({ data: Folder })]) }).parse(converted);
    const requests = requestsIn(output[0].data).map(({ name, request }) => ({
      name,
      method: request.method,
      path: `/${request.url.path.join('/')}`,
      auth: request.auth?.type ?? 'noauth',
    }));
    const expected = OPERATIONS.map(({ summary, method, path, scope, isOpen }) => ({
      name: summary,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      // The collection has two variables: the API key and the panel's token.
      auth: isOpen ? 'noauth' : scope ? 'apikey' : 'bearer',
    }));
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    expect(requests.sort(byName)).toEqual(expected.sort(byName));
  });
});
