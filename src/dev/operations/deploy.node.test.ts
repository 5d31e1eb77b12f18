import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const OLD = 'aaaaaaaa-0000-4000-8000-000000000001';
const NEW = 'bbbbbbbb-0000-4000-8000-000000000002';

/** Stands for npm and npx. It writes down each call, and fails the one that FAILS names, FAILS_TIMES times. */
const STUB = `#!/usr/bin/env bash
call="$(basename "$0") $*"
echo "$call" >> "$CALLS"
if [[ -n "$FAILS" && "$call" == *"$FAILS"* ]]; then
  count=$(grep -cF -- "$FAILS" "$CALLS")
  [ "$count" -le "$FAILS_AFTER" ] || exit 1
fi
case "$call" in
  *'deployments status'*) echo '{"versions":[{"version_id":"${OLD}","percentage":100}]}' ;;
  *'deployments list'*) cat "$DEPLOYMENTS" ;;
  *'versions upload'*)
    echo '{"type":"wrangler-session","version":1}' >> "$WRANGLER_OUTPUT_FILE_PATH"
    echo '{"type":"version-upload","version_id":"${NEW}"}' >> "$WRANGLER_OUTPUT_FILE_PATH" ;;
esac
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  for (const name of ['npm', 'npx']) {
    writeFileSync(join(folder, name), STUB);
    chmodSync(join(folder, name), 0o755);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

type Failure = { fails?: string; after?: number };

/** Runs a script, and returns its exit code, its last line and the calls that it made. */
function run(script: string, args: string[], { fails = '', after = 0 }: Failure = {}) {
  const calls = join(folder, 'calls');
  const { status, stdout, stderr } = spawnSync(join(ROOT, '.ci', script), args, {
    encoding: 'utf8',
    env: {
      PATH: [folder, process.env['PATH']].join(delimiter),
      CALLS: calls,
      DEPLOYMENTS: join(folder, 'deployments.json'),
      FAILS: fails,
      FAILS_AFTER: String(after),
      API_URL: 'https://api.example',
      SMOKE_KEY: 'synthetic',
      SMOKE_PAUSE_SECONDS: '0',
    },
  });
  const made = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
  return { status, says: `${stdout}${stderr}`, calls: made.map(shortened) };
}

const shortened = (call: string): string =>
  call
    .replaceAll(OLD, 'OLD')
    .replaceAll(NEW, 'NEW')
    .replace(/ --tag \S+/, '')
    .replace(/^npx wrangler | --env staging| --api \S+| --yes/g, '');

const SMOKE = 'npm run smoke -- --worker race-results-api-staging --version NEW';
const TO_SMOKE = [
  'npm run check',
  'npm run migrate',
  'deployments status --json',
  'versions upload',
  'versions deploy OLD@100% NEW@0%',
  'triggers deploy',
];

test('checks, migrates, uploads a version, smokes it at 0 %, serves it, and smokes it again', () => {
  const { status, calls, says } = run('deploy', ['staging']);
  expect(calls).toEqual([...TO_SMOKE, SMOKE, 'versions deploy NEW@100%', SMOKE]);
  expect(status).toBe(0);
  expect(says).toContain(`Version ${NEW} serves staging.`);
});

test.each([
  ['npm run check', ['npm run check']],
  ['npm run migrate', ['npm run check', 'npm run migrate']],
  ['versions upload', TO_SMOKE.slice(0, 4)],
])('stops at a failing `%s`, before the new version serves anybody', (fails, expected) => {
  const { status, calls } = run('deploy', ['staging'], { fails });
  expect(calls).toEqual(expected);
  expect(status).not.toBe(0);
});

test('leaves the old version when the new one fails its smoke at 0 %', () => {
  const { status, calls, says } = run('deploy', ['staging'], { fails: 'npm run smoke' });
  expect(calls).toEqual([...TO_SMOKE, SMOKE, SMOKE, SMOKE, 'versions deploy OLD@100%']);
  expect([status, says]).toEqual([1, expect.stringContaining(`${OLD} serves, as before.`)]);
});

test('brings the old version back when the new one fails its smoke at 100 %', () => {
  const { status, calls, says } = run('deploy', ['staging'], { fails: 'npm run smoke', after: 1 });
  expect(calls.slice(TO_SMOKE.length)).toEqual([
    SMOKE,
    'versions deploy NEW@100%',
    ...[SMOKE, SMOKE, SMOKE],
    'versions deploy OLD@100%',
  ]);
  expect([status, says]).toEqual([1, expect.stringContaining(`${OLD} serves again.`)]);
});

test('does not roll back to a version that was taken back, and names pages that are there', () => {
  // NEW failed its smoke at 100 %, so OLD serves again.
  const served = ['before', OLD, NEW, OLD].map((id, day) => ({
    created_on: `2026-01-0${day + 1}T00:00:00Z`,
    versions: [{ version_id: id, percentage: 100 }],
  }));
  writeFileSync(join(folder, 'deployments.json'), JSON.stringify(served));
  expect(run('rollback', ['staging']).calls).toContain('versions deploy before@100%');
  writeFileSync(join(folder, 'deployments.json'), JSON.stringify(served.slice(1)));
  expect(run('rollback', ['staging'])).toMatchObject({
    status: 1,
    says: expect.stringContaining('No earlier version'),
  });
  const scripts = ['deploy', 'rollback', 'versions'].map((name) =>
    readFileSync(join(ROOT, '.ci', name), 'utf8'),
  );
  const pages = scripts.flatMap((text) => text.match(/\.github\/\S+\.md/g) ?? []);
  expect(pages.map((page) => [page, existsSync(join(ROOT, page))])).toEqual([
    ['.github/operations/bad-deployment.md', true],
  ]);
});

test('rolls back to the version that served before, or to the one that is named', () => {
  const deployment = (id: string, created_on: string, percentage = 100) => ({
    created_on,
    versions: [{ version_id: id, percentage }],
  });
  writeFileSync(
    join(folder, 'deployments.json'),
    JSON.stringify([
      deployment('ancient', '2026-01-01T00:00:00Z'),
      deployment('before', '2026-01-02T00:00:00Z'),
      deployment('half', '2026-01-03T00:00:00Z', 50),
      deployment(OLD, '2026-01-04T00:00:00Z'),
    ]),
  );
  expect(run('rollback', ['staging']).calls.slice(-2)).toEqual([
    'versions deploy before@100%',
    SMOKE.replace('NEW', 'before'),
  ]);
  const named = run('rollback', ['staging', 'ancient'], { fails: 'npm run smoke' });
  expect(named.calls).toContain('versions deploy ancient@100%');
  expect([named.status, named.says]).toEqual([1, expect.stringContaining('its smoke failed too')]);
});

test('calls nothing for an unknown environment', () => {
  for (const script of ['deploy', 'rollback']) {
    expect(run(script, ['live'])).toEqual({
      status: 64,
      says: expect.stringContaining('staging|production'),
      calls: [],
    });
  }
});
