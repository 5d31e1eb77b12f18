import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from './document.ts';

const run = promisify(execFile);

/** Spectral brings more than 200 packages, so Spectral gets a separate folder. */
const SPECTRAL = '@stoplight/spectral-cli@6.16.3';

/** The rules that are off, each with its reason. */
const OFF = {
  'info-contact': 'The service has no contact address.',
  'info-license': 'The code is unlicensed. Scalar would show a badge about it.',
  'license-url': 'The code is unlicensed. Scalar would show a badge about it.',
  'openapi-tags-alphabetical': 'The tags have the order in which a reader needs them.',
  'oas3-operation-security-defined':
    'OpenAPI 3.1 lets an operation name the scopes that its API key needs; the rule knows those of OAuth alone.',
};

const folder = mkdtempSync(join(tmpdir(), 'spectral-'));
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

beforeAll(async () => {
  write('package.json', '{"private": true}');
  const quiet = ['--no-save', '--no-audit', '--ignore-scripts'];
  await run('npm', ['install', ...quiet, SPECTRAL], { cwd: folder });
  const rules = Object.fromEntries(Object.keys(OFF).map((rule) => [rule, 'off']));
  write('rules.json', JSON.stringify({ extends: [['spectral:oas', 'all']], rules }));
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Spectral's problems with a document, a problem on each line. */
async function problemsOf(document: unknown): Promise<string> {
  write('openapi.json', JSON.stringify(document));
  const program = join(folder, 'node_modules/@stoplight/spectral-cli/dist/index.js');
  const flags = ['--ruleset', 'rules.json', '--fail-severity', 'hint', '--format', 'text'];
  return run(process.execPath, [program, 'lint', 'openapi.json', '--quiet', ...flags], {
    cwd: folder,
  }).then(
    ({ stdout }) => stdout,
    (failure: { stdout: string }) => {
      if (!failure.stdout.includes('openapi.json:')) throw failure;
      return failure.stdout;
    },
  );
}

test('passes every rule of spectral', async () => {
  expect((await problemsOf(openApiDocument())).trim()).toBe('');
});

test('fails on an operation without a description', async () => {
  const document = JSON.parse(JSON.stringify(openApiDocument()));
  delete document.paths['/public/v1/events'].get.description;
  expect(await problemsOf(document)).toContain('operation-description');
});
