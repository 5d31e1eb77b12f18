import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isForCloudflare, RUNBOOKS, vendorCommandsOf } from '../../testing/runbooks.ts';
import { newSigningKeys } from '../stack/signing-keys.ts';

const ROOT = join(import.meta.dirname, '../../..');

// Each test starts up to a hundred processes.
vi.setConfig({ testTimeout: 300_000 });

const TOKEN = 'UPSTASH_REDIS_REST_TOKEN';

/** The secrets of the deployed Worker, with accepted values. */
const VALUES: Record<string, string> = {
  DATABASE_URL: 'postgres://race_results_api:synthetic@db.example/races',
  UPSTASH_REDIS_REST_URL: 'https://redis.example',
  [TOKEN]: 'first',
  PANEL_JWT_SECRET: 'synthetic secret of thirty-two characters',
  SIGNING_KEYS: newSigningKeys(),
};
const MORE: Record<string, string> = {
  PANEL_JWT_SECRET_BEFORE: 'synthetic secret of thirty-two characters',
  COPIES_GENERATION: '2027-01-01',
};

/** The platform as seen by wrangler: the uploaded versions and the deployments, each list with the newest last. */
type Platform = {
  versions: { id: string; tag?: string; secrets: Record<string, string> }[];
  deployments: { shares: Record<string, number> }[];
};

/**
 * Stands for npm, npx and git. The stub keeps the rules of Cloudflare that wrangler 4.156 reports: an upload has the
 * secrets of the version before, `secret bulk` is refused (10214) unless the newest version serves, `versions deploy`
 * is refused (10220) for secrets different from the serving secrets, and `rollback` is not, without a terminal.
 */
const STUB = `#!/usr/bin/env node
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const { basename } = require('node:path');
const { CALLS, FAILS, PASSES, HANGS, PLATFORM, DIRTY, HEAD } = process.env;
const platform = JSON.parse(readFileSync(PLATFORM, 'utf8'));
const words = process.argv.slice(2);
const call = [basename(process.argv[1]), ...words].join(' ');
appendFileSync(CALLS, call + '\\n');
const calls = readFileSync(CALLS, 'utf8').trim().split('\\n');
const keep = () => writeFileSync(PLATFORM, JSON.stringify(platform));
const fail = (reason) => { console.error(reason); process.exit(1); };
if (FAILS && call.includes(FAILS)) {
  const count = calls.filter((made) => made.includes(FAILS)).length;
  if (count > Number(PASSES)) fail('FAILS');
}
const idAt = (at) => 'version-' + at;
const dayOf = (at) => '2026-01-' + String(at + 1).padStart(2, '0') + 'T00:00:00Z';
const latest = platform.versions.at(-1);
const sharesNow = platform.deployments.at(-1)?.shares ?? {};
const serving = Object.keys(sharesNow).find((id) => sharesNow[id] === 100);
const secretsOf = (wanted) => {
  const found = platform.versions.find(({ id }) => id === wanted);
  return JSON.stringify(found ? found.secrets : fail('no version ' + wanted));
};
const tagAfter = (flag) => words[words.indexOf(flag) + 1];
const is = (...start) => start.every((word, at) => words[at + 1] === word);
if (call.startsWith('git status')) console.log(DIRTY);
else if (call.startsWith('git rev-parse')) {
  // A separate folder has the commit checked out for the folder.
  const asked = calls.filter((made) => made.startsWith('git worktree add')).at(-1);
  console.log(process.cwd() === ${JSON.stringify(ROOT)} ? HEAD : asked.split(' ').at(-1));
} else if (call.startsWith('npm run --silent bootstrap')) {
  console.log(['Organization  synthetic', 'Test event    synthetic', 'Key           er_live_synthetic'].join('\\n'));
} else if (is('deployments', 'status')) {
  if (!latest) fail('this Worker does not exist');
  console.log(JSON.stringify({
    versions: Object.entries(sharesNow).map(([version_id, percentage]) => ({ version_id, percentage })),
  }));
} else if (is('deployments', 'list')) {
  console.log(JSON.stringify(platform.deployments.map(({ shares }, at) => ({
    created_on: dayOf(at),
    versions: Object.entries(shares).map(([version_id, percentage]) => ({ version_id, percentage })),
  }))));
} else if (is('versions', 'list')) {
  console.log(JSON.stringify(platform.versions.map(({ id, tag }, at) => ({
    id, metadata: { created_on: dayOf(at) }, annotations: tag && { 'workers/tag': tag },
  }))));
} else if (is('versions', 'upload')) {
  const id = idAt(platform.versions.length);
  platform.versions.push({ id, tag: tagAfter('--tag'), secrets: latest.secrets });
  keep();
  appendFileSync(process.env.WRANGLER_OUTPUT_FILE_PATH,
    '{"type":"wrangler-session","version":1}\\n{"type":"version-upload","version_id":"' + id + '"}\\n');
} else if (is('versions', 'deploy')) {
  const shares = Object.fromEntries(words.filter((word) => word.includes('@'))
    .map((word) => word.split('@')).map(([id, share]) => [id, parseInt(share)]));
  const full = Object.keys(shares).find((id) => shares[id] === 100);
  const isOlder = platform.versions.findIndex(({ id }) => id === full) < platform.versions.findIndex(({ id }) => id === serving);
  if (isOlder && secretsOf(full) !== secretsOf(serving)) fail('secrets have changed [code: 10220]');
  platform.deployments.push({ shares });
  keep();
} else if (is('rollback')) {
  if (process.stdin.isTTY) fail('asks about changed secrets');
  secretsOf(words[2]);
  platform.deployments.push({ shares: { [words[2]]: 100 } });
  keep();
} else if (is('tail')) {
  console.log(JSON.stringify({ logs: [{ message: ['{"level":"info"}'], level: 'log' }] }));
} else if (is('deploy')) {
  const id = idAt(platform.versions.length);
  const secrets = JSON.parse(readFileSync(tagAfter('--secrets-file'), 'utf8'));
  platform.versions.push({ id, tag: tagAfter('--tag'), secrets });
  platform.deployments.push({ shares: { [id]: 100 } });
  keep();
} else if (is('secret', 'list')) {
  console.log(JSON.stringify(Object.keys(latest.secrets).map((name) => ({ name, type: 'secret_text' }))));
} else if (is('secret', 'bulk')) {
  if (serving !== latest.id) fail('the latest version is not deployed [code: 10214]');
  const id = idAt(platform.versions.length);
  platform.versions.push({ id, secrets: { ...latest.secrets, ...JSON.parse(readFileSync(words[3], 'utf8')) } });
  platform.deployments.push({ shares: { [id]: 100 } });
  keep();
}
if (HANGS && call.includes(HANGS)) setInterval(() => {}, 1_000);
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  for (const name of ['npm', 'npx', 'git', 'curl']) {
    writeFileSync(join(folder, name), STUB);
    chmodSync(join(folder, name), 0o755);
  }
  const secrets = VALUES;
  keep({
    versions: [
      { id: 'version-0', tag: 'aaa', secrets },
      { id: 'version-1', tag: 'bbb', secrets },
    ],
    deployments: [{ shares: { 'version-0': 100 } }, { shares: { 'version-1': 100 } }],
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

const keep = (platform: Platform) =>
  writeFileSync(join(folder, 'platform.json'), JSON.stringify(platform));
/** The calls of npm, npx and git. */
const callsMade = (): string[] =>
  existsSync(join(folder, 'calls'))
    ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
    : [];
const platform = (): Platform => JSON.parse(readFileSync(join(folder, 'platform.json'), 'utf8'));

type Circumstances = {
  head?: string;
  dirty?: string;
  /** Of the calls with this text, all but the first `passes` fail. */
  fails?: string;
  passes?: number;
  hangs?: string;
  input?: string;
  tries?: string;
};

const environmentOf = ({
  head = 'ccc',
  dirty = '',
  fails = '',
  passes = 0,
  hangs = '',
  tries = '3',
}: Circumstances) => ({
  PATH: [folder, process.env['PATH']].join(delimiter),
  PLATFORM: join(folder, 'platform.json'),
  CALLS: join(folder, 'calls'),
  HEAD: head,
  DIRTY: dirty,
  FAILS: fails,
  PASSES: String(passes),
  HANGS: hangs,
  API_URL: 'https://api.example',
  DATABASE_URL: 'postgres://owner:synthetic@db.example/races',
  SMOKE_KEY: 'synthetic',
  SUB: 'operator',
  SMOKE_PAUSE_SECONDS: '0',
  SMOKE_TRIES: tries,
});

/** Runs a script, or npx, and returns its exit code, output and calls. */
function run(command: string, args: string[], circumstances: Circumstances = {}) {
  const before = callsMade().length;
  const path = command === 'npx' ? join(folder, 'npx') : join(ROOT, '.ci', command);
  const { status, stdout, stderr } = spawnSync(path, args, {
    encoding: 'utf8',
    cwd: ROOT,
    input: circumstances.input ?? '',
    env: environmentOf(circumstances),
  });
  const calls = callsMade().slice(before).map(shortened);
  return { status, says: `${stdout}${stderr}`, calls: calls.filter((call) => !isQuestion(call)) };
}

/** Writes a file with a value, and returns its path. */
function fileOf(value: string, name = 'value'): string {
  writeFileSync(join(folder, name), value);
  return join(folder, name);
}

const setSecret = (value: string, circumstances: Circumstances = {}) =>
  run('secret', ['staging', `${TOKEN}=${fileOf(value)}`], circumstances);

/** Runs a command in a terminal, where somebody types these lines. */
function typed(command: string, lines: readonly string[], circumstances: Circumstances = {}) {
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    encoding: 'utf8',
    cwd: ROOT,
    input: lines.map((line) => `${line}\n`).join(''),
    env: { ...environmentOf(circumstances), SHELL: '/bin/bash' },
  });
  return { status, says: stdout };
}

const isQuestion = (call: string) =>
  /^(git (status|rev-parse)|deployments|versions list|secret list)/.test(call);

const shortened = (call: string): string =>
  call
    .replace(/^npx wrangler | --env staging| --api \S+| --yes| --message \S+| --json/g, '')
    .replace(/ --worker race-results-api-staging/, '')
    .replaceAll(tmpdir(), 'TMP');

/** The serving version, with its commit and its secret, and whether this version was uploaded last. */
function state() {
  const { versions, deployments } = platform();
  const [serving] =
    Object.entries(deployments.at(-1)?.shares ?? {}).find(([, share]) => share === 100) ?? [];
  const at = versions.findIndex(({ id }) => id === serving);
  const tag = versions.slice(0, at + 1).findLast((version) => version.tag)?.tag;
  return { tag, secret: versions[at]?.secrets[TOKEN], isLatest: at === versions.length - 1 };
}

/** The text of a version's smoke in its call. */
const smokeFails = (version: number) => `--version version-${version}`;
const smokeOf = (version: number) => `npm run smoke -- --version version-${version}`;
const TO_UPLOAD = ['npm ci', 'npm run check', 'npm run migrate'];
const TO_SMOKE = [
  ...TO_UPLOAD,
  'versions upload --tag ccc',
  'versions deploy version-1@100% version-2@0%',
  'triggers deploy',
];

/** Serves version 1, then uploads its commit again as version 3. */
const BRING_BACK = [
  'rollback version-1',
  smokeOf(1),
  expect.stringMatching(/^git worktree add --quiet --detach TMP\S+ bbb$/),
  'npm ci',
  'versions upload --tag bbb',
  expect.stringContaining('git worktree remove'),
  'versions deploy version-3@100%',
  smokeOf(3),
];

test('checks, migrates, uploads a version, smokes it at 0 %, serves it, and smokes it again', () => {
  const { status, calls, says } = run('deploy', ['staging']);
  expect(calls).toEqual([...TO_SMOKE, smokeOf(2), 'versions deploy version-2@100%', smokeOf(2)]);
  expect(status).toBe(0);
  expect(says).toContain('Version version-2 serves staging.');
  expect(state()).toEqual({ tag: 'ccc', secret: 'first', isLatest: true });
});

test.each([
  ['npm ci', TO_UPLOAD.slice(0, 1)],
  ['npm run check', TO_UPLOAD.slice(0, 2)],
  ['npm run migrate', TO_UPLOAD],
  ['versions upload', TO_SMOKE.slice(0, 4)],
])('stops at a failing `%s`, before the new version serves anybody', (fails, expected) => {
  const { status, calls } = run('deploy', ['staging'], { fails });
  expect(calls).toEqual(expected);
  expect(status).not.toBe(0);
  expect(state()).toMatchObject({ tag: 'bbb' });
});

test('refuses to deploy what is not committed', () => {
  const refused = run('deploy', ['staging'], { dirty: ' M src/worker/app.ts' });
  expect(refused).toMatchObject({ status: 1, calls: [], says: expect.stringContaining('app.ts') });
});

test('serves the old version, and uploads it again, when the new one fails its smoke at 0 %', () => {
  const { status, calls, says } = run('deploy', ['staging'], { fails: smokeFails(2) });
  expect(calls).toEqual([...TO_SMOKE, smokeOf(2), smokeOf(2), smokeOf(2), ...BRING_BACK]);
  expect([status, says]).toEqual([1, expect.stringContaining('failed its smoke at 0 %')]);
  expect(state()).toEqual({ tag: 'bbb', secret: 'first', isLatest: true });
});

test('serves the old version, and uploads it again, when the new one fails its smoke at 100 %', () => {
  const { status, calls, says } = run('deploy', ['staging'], { fails: smokeFails(2), passes: 1 });
  const smokes = [smokeOf(2), smokeOf(2), smokeOf(2)];
  expect(calls).toEqual([
    ...TO_SMOKE,
    smokeOf(2),
    'versions deploy version-2@100%',
    ...smokes,
    ...BRING_BACK,
  ]);
  expect([status, says]).toEqual([1, expect.stringContaining('failed its smoke at 100 %')]);
  expect(state()).toEqual({ tag: 'bbb', secret: 'first', isLatest: true });
});

test('serves the old version if the new one cannot be served', () => {
  const { status, calls } = run('deploy', ['staging'], { fails: 'version-2@100%' });
  expect(status).toBe(1);
  expect(calls.at(-1)).toBe('rollback version-1');
});

test('changes nothing more if somebody else has deployed meanwhile', () => {
  const somebody = `#!/usr/bin/env bash\n"${join(folder, 'real-npm')}" "$@" || exit\n[ "$2" != migrate ] || npx wrangler secret bulk "${fileOf('{}', 'none.json')}"`;
  writeFileSync(join(folder, 'real-npm'), STUB);
  chmodSync(join(folder, 'real-npm'), 0o755);
  writeFileSync(join(folder, 'npm'), somebody);
  const { status, says } = run('deploy', ['staging']);
  expect([status, says]).toEqual([1, expect.stringContaining('version-2 serves staging now')]);
  expect(platform().deployments.at(-1)).toEqual({ shares: { 'version-2': 100 } });
});

test('serves the version before when a deployment is interrupted', async () => {
  const running = spawn(join(ROOT, '.ci/deploy'), ['staging'], {
    cwd: ROOT,
    detached: true,
    stdio: 'ignore',
    env: environmentOf({ hangs: 'npm run smoke' }),
  });
  const ended = new Promise<number | null>((resolve) => running.on('exit', resolve));
  await expect
    .poll(() => callsMade().some((call) => call.startsWith('npm run smoke')), {
      timeout: 20_000,
    })
    .toBe(true);
  process.kill(-(running.pid ?? Number.NaN), 'SIGINT');
  expect(await ended).toBe(130);
  expect(platform().deployments.at(-1)).toEqual({ shares: { 'version-1': 100 } });
});

describe('a secret', () => {
  test.each<[string, () => unknown]>([
    ['after a deployment', () => run('deploy', ['staging'])],
    ['after a failed smoke', () => run('deploy', ['staging'], { fails: smokeFails(2) })],
    ['after a rollback', () => run('rollback', ['staging'])],
    [
      'after a deployment and a rollback',
      () => [run('deploy', ['staging']), run('rollback', ['staging'])],
    ],
    ['after another secret', () => setSecret('second')],
  ])('can be set %s', (_, prepare) => {
    prepare();
    const { tag } = state();
    expect(setSecret('third').status).toBe(0);
    expect(state()).toEqual({ tag, secret: 'third', isLatest: true });
  });

  test('that changed does not stop a rollback, which ends with the new one', () => {
    run('deploy', ['staging']);
    setSecret('second');
    const { status, calls } = run('rollback', ['staging']);
    expect(calls[0]).toBe('rollback version-1');
    expect(status).toBe(0);
    expect(state()).toEqual({ tag: 'bbb', secret: 'second', isLatest: true });
  });

  test('can be changed, a version deployed, and both taken back, in any order', () => {
    setSecret('second');
    run('deploy', ['staging'], { head: 'ccc' });
    run('rollback', ['staging']);
    expect(state()).toEqual({ tag: 'bbb', secret: 'second', isLatest: true });
    run('deploy', ['staging'], { head: 'ddd', fails: smokeFails(5) });
    expect(state()).toEqual({ tag: 'bbb', secret: 'second', isLatest: true });
    setSecret('third');
    run('deploy', ['staging'], { head: 'eee' });
    expect(state()).toEqual({ tag: 'eee', secret: 'third', isLatest: true });
    run('rollback', ['staging']);
    expect(state()).toEqual({ tag: 'bbb', secret: 'third', isLatest: true });
    run('rollback', ['staging']);
    expect(state()).toEqual({ tag: 'aaa', secret: 'third', isLatest: true });
  });
});

describe('.ci/secret', () => {
  test('sets a value from a file and smokes, without the line end of an editor', () => {
    const { status, calls, says } = setSecret('second\n');
    expect(calls).toEqual([expect.stringMatching(/^secret bulk TMP/), smokeOf(2)]);
    expect([status, says]).toEqual([0, expect.stringContaining('The smoke passed.')]);
    expect(state()).toEqual({ tag: 'bbb', secret: 'second', isLatest: true });
    expect(says).not.toContain('second');
  });

  test.each([
    ['an empty value', TOKEN, '', `${TOKEN}: expected a text`],
    ['a value that the Worker refuses', 'SIGNING_KEYS', '{"keys":[]}', 'SIGNING_KEYS: expected'],
    ['another name', 'UPSTASH_TOKEN', 'x', 'UPSTASH_TOKEN: the Worker has no variable'],
    ['a second way in', 'PANEL_JWKS_URL', 'https://a.example/', 'set beside PANEL_JWT_SECRET'],
  ])('refuses %s, and sets nothing', (_, name, value, reason) => {
    const refused = run('secret', ['staging', `${name}=${fileOf(value)}`]);
    expect(refused).toEqual({ status: 1, calls: [], says: expect.stringContaining(reason) });
    expect(state()).toMatchObject({ secret: 'first' });
  });

  test('refuses a file that is not there, and a value from a pipe', () => {
    expect(run('secret', ['staging', `${TOKEN}=${join(folder, 'none')}`]).status).not.toBe(0);
    const piped = run('secret', ['staging', TOKEN], { input: 'second' });
    expect(piped).toMatchObject({ status: 64, says: expect.stringContaining('no terminal') });
    expect(state()).toMatchObject({ secret: 'first' });
  });

  test('sets several values together', () => {
    const url = `UPSTASH_REDIS_REST_URL=${fileOf('https://other.example', 'url')}`;
    const { status, calls } = run('secret', ['staging', url, `${TOKEN}=${fileOf('second')}`]);
    expect([status, calls.length]).toEqual([0, 2]);
    expect(platform().versions.at(-1)?.secrets).toMatchObject({
      UPSTASH_REDIS_REST_URL: 'https://other.example',
      [TOKEN]: 'second',
    });
  });

  test('asks for the value before if the smoke fails, and sets it', () => {
    const command = `.ci/secret staging ${TOKEN}`;
    const { status, says } = typed(command, ['second', 'first'], { fails: smokeFails(2) });
    expect([status, says]).toEqual([1, expect.stringContaining('to what was there before')]);
    expect(state()).toEqual({ tag: 'bbb', secret: 'first', isLatest: true });
  });

  test('names what the Worker lacks, which a later call sets', () => {
    const { SIGNING_KEYS: _, ...secrets } = VALUES;
    keep({ ...platform(), versions: platform().versions.map((each) => ({ ...each, secrets })) });
    const lacking = setSecret('second');
    expect([lacking.status, lacking.says]).toEqual([
      1,
      expect.stringContaining('still lacks SIGNING_KEYS'),
    ]);
    const refused = run('deploy', ['staging']);
    expect(refused).toMatchObject({ status: 1, calls: [], says: expect.stringContaining('lacks') });
    const keys = fileOf(newSigningKeys(), 'keys.json');
    expect(run('secret', ['staging', `SIGNING_KEYS=${keys}`]).status).toBe(0);
    expect(state()).toMatchObject({ secret: 'second' });
  });
});

describe('the first deployment', () => {
  const lines = Object.entries(VALUES).map(([name, value]) => `${name}=${value}\n`);
  const firstly = (text = lines.join(''), circumstances: Circumstances = {}) =>
    run('deploy', ['staging', '--first', fileOf(text, 'first')], {
      ...circumstances,
      tries: '2',
    });
  beforeEach(() => keep({ versions: [], deployments: [] }));

  test('checks, migrates, makes the organization of the smoke, deploys and smokes', () => {
    const { status, calls, says } = firstly();
    expect(calls).toEqual([
      ...TO_UPLOAD,
      expect.stringMatching(/^npm run worker-role -- TMP\S+first$/),
      'npm run --silent bootstrap -- --organization Smoke test --owner operator --test-event',
      expect.stringMatching(/^deploy --secrets-file TMP\S+ --tag ccc$/),
      smokeOf(0),
    ]);
    expect([status, says]).toEqual([0, expect.stringContaining('serves staging')]);
    // The address of the owner, from the environment, is not the Worker's.
    expect(platform().versions).toEqual([{ id: 'version-0', tag: 'ccc', secrets: VALUES }]);
    const key = join(folder, 'first.smoke-key');
    expect([readFileSync(key, 'utf8'), statSync(key).mode & 0o777]).toEqual([
      'er_live_synthetic\n',
      0o600,
    ]);
    expect(run('deploy', ['staging'], { head: 'ddd' }).status).toBe(0);
    expect(firstly()).toMatchObject({
      status: 1,
      calls: [],
      says: expect.stringContaining('already'),
    });
  });

  test('names everything that is missing or malformed, before anything runs', () => {
    const malformed = firstly(lines.join('').replace('https://redis', 'redis'));
    expect(malformed).toMatchObject({
      status: 1,
      calls: [],
      says: expect.stringContaining('REST_URL'),
    });
    const lacking = firstly(lines.slice(0, 3).join(''));
    expect(lacking).toMatchObject({
      status: 1,
      calls: [],
      says: expect.stringContaining('lacks SIGNING_KEYS PANEL_JWT_SECRET'),
    });
    const { status, stderr } = spawnSync(join(ROOT, '.ci/deploy'), ['staging', '--first', 'x'], {
      encoding: 'utf8',
      env: { ...environmentOf({}), DATABASE_URL: '', SUB: '' },
    });
    expect([status, stderr]).toEqual([64, expect.stringContaining('Set DATABASE_URL SUB first')]);
  });

  test('says how to remove a Worker that fails its smoke, and begins again with the same key', () => {
    const failed = firstly(undefined, { fails: 'npm run smoke' });
    expect([failed.status, failed.says]).toEqual([
      1,
      expect.stringContaining('npx wrangler delete --env staging'),
    ]);
    keep({ versions: [], deployments: [] });
    const again = firstly();
    expect(again.status).toBe(0);
    expect(again.calls.filter((call) => call.includes('bootstrap'))).toEqual([]);
  });
});

/** The commands for Cloudflare on the pages for operators, by page. */
const COMMANDS = RUNBOOKS.flatMap((runbook) => {
  const commands = vendorCommandsOf(runbook).filter(isForCloudflare);
  return commands.length > 0 ? [{ page: runbook.page, commands }] : [];
});

test.each<[string, () => unknown]>([
  ['nothing', () => {}],
  ['a deployment', () => run('deploy', ['production'])],
  ['a failed smoke', () => run('deploy', ['production'], { fails: smokeFails(2) })],
  ['a rollback', () => [run('deploy', ['production']), run('rollback', ['production'])]],
])('each command of the pages for operators works after %s', (_, prepare) => {
  expect(COMMANDS.map(({ page }) => page.replace(/.*\//, ''))).toEqual(
    expect.arrayContaining(['bad-deployment.md', 'deploy.md', 'rotate-secrets.md']),
  );
  prepare();
  const serving = () => Object.keys(platform().deployments.at(-1)?.shares ?? {})[0];
  for (const { page, commands } of COMMANDS) {
    for (const command of commands) {
      if (command.startsWith('.ci/secret') && !command.includes('=')) {
        const names = command.split(' ').slice(2);
        const { status, says } = typed(
          command,
          names.map((name) => ({ ...VALUES, ...MORE })[name] ?? ''),
        );
        expect(status, `${page}: ${command}\n${says}`).toBe(0);
        continue;
      }
      if (command.includes('--first')) continue;
      const { status, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', command], {
        encoding: 'utf8',
        cwd: ROOT,
        env: {
          ...environmentOf({}),
          ...Object.fromEntries(
            [...command.matchAll(/\$(\w+)/g)].map(([, name = '']) => [name, 'synthetic']),
          ),
          VERSION: serving(),
          KEYS: fileOf(newSigningKeys(), 'keys.json'),
        },
      });
      expect(status, `${page}: ${command}\n${stderr}`).toBe(0);
    }
  }
});

test('uses only commands and options of wrangler on the pages for operators', () => {
  const wrangler = join(ROOT, 'node_modules/.bin/wrangler');
  const used = COMMANDS.flatMap(({ commands }) => commands).flatMap((command) =>
    Array.from(command.matchAll(/npx wrangler ([^|<]+)/g), ([, words = '']) => words.split(' ')),
  );
  const optionsBy = new Map<string, string>();
  const unknown = used.flatMap((words) => {
    const name = words
      .slice(
        0,
        words.findIndex((word) => /[^a-z]/.test(word)),
      )
      .join(' ');
    if (!optionsBy.has(name)) {
      const flags = [...name.split(' '), '--help'];
      const { stdout } = spawnSync(wrangler, flags, { encoding: 'utf8', cwd: ROOT });
      optionsBy.set(name, stdout.startsWith(`wrangler ${name}`) ? stdout : '');
    }
    const known = optionsBy.get(name) ?? '';
    const options = words.filter((word) => word.startsWith('--'));
    return known ? options.filter((option) => !known.includes(`${option} `)) : [name];
  });
  expect([...optionsBy.keys()]).toEqual(expect.arrayContaining(['secret delete', 'rollback']));
  expect(unknown).toEqual([]);
});

test('mends an interrupted version with the command of the page', async () => {
  keep({
    ...platform(),
    versions: [...platform().versions, { id: 'version-2', tag: 'ccc', secrets: VALUES }],
  });
  expect(setSecret('second').says).toContain('10214');
  expect(run('rollback', ['staging', 'version-1']).status).toBe(0);
  expect(setSecret('second').status).toBe(0);
});

test('does not roll back to a version that was taken back', () => {
  run('deploy', ['staging'], { fails: smokeFails(2) });
  expect(state().tag).toBe('bbb');
  run('rollback', ['staging']);
  expect(state().tag).toBe('aaa');
  expect(run('rollback', ['staging'])).toMatchObject({
    status: 1,
    says: expect.stringContaining('No earlier version'),
  });
});

test('rolls back to the version that is named, and says when its smoke fails too', () => {
  expect(run('rollback', ['staging', 'version-0']).status).toBe(0);
  expect(state().tag).toBe('aaa');
  const failed = run('rollback', ['staging', 'version-1'], { fails: smokeFails(1) });
  expect([failed.status, failed.says]).toEqual([
    1,
    expect.stringContaining('its smoke failed too'),
  ]);
});

test('serves the old version also if its commit cannot be uploaded again', () => {
  const { status, says } = run('rollback', ['staging'], { fails: 'versions upload' });
  expect([status, says]).toEqual([
    1,
    expect.stringContaining('.ci/rollback staging version-0 COMMIT'),
  ]);
  expect(state()).toMatchObject({ tag: 'aaa', isLatest: false });
  expect(run('rollback', ['staging', 'version-0', 'aaa']).status).toBe(0);
  expect(state()).toMatchObject({ tag: 'aaa', isLatest: true });
});

test('names pages that are there', () => {
  const scripts = ['deploy', 'rollback', 'secret', 'versions'].map((name) =>
    readFileSync(join(ROOT, '.ci', name), 'utf8'),
  );
  const pages = scripts.flatMap((text) => text.match(/\.github\/\S+\.md/g) ?? []);
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.filter((page) => !existsSync(join(ROOT, page)))).toEqual([]);
});

test('calls nothing for an unknown environment', () => {
  for (const script of ['deploy', 'rollback', 'secret']) {
    expect(run(script, ['live'])).toEqual({
      status: 64,
      says: expect.stringContaining('staging|production'),
      calls: [],
    });
  }
});
