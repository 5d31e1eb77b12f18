import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../dev/stack/listen.ts';
import { isForNeon, RUNBOOKS, vendorCommandsOf } from './runbooks.ts';

const run = promisify(execFile);

/** Neon's command brings more than 100 packages, so the command gets a separate folder. */
const NEONCTL = 'neonctl@5.0.1';

const folder = mkdtempSync(join(tmpdir(), 'neon-'));
const MAIN = { id: 'br-main-123456', name: 'main', default: true, current_state: 'ready' };

/** Stands for Neon as far as Neon's command needs answers: a project with a single branch. */
const asked: { path: string; body: unknown }[] = [];
const neon = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  if (request.method !== 'GET') asked.push({ path: request.url ?? '', body: JSON.parse(body) });
  response.setHeader('Content-Type', 'application/json');
  response.end(
    JSON.stringify({
      branches: [MAIN],
      branch: MAIN,
      pagination: {},
      endpoints: [],
      operations: [],
    }),
  );
});

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  const quiet = ['--no-save', '--no-audit', '--ignore-scripts'];
  await run('npm', ['install', ...quiet, NEONCTL], { cwd: folder });
}, 300_000);

afterAll(() => {
  neon.close();
  rmSync(folder, { recursive: true, force: true });
});

test('sends the requests of the page to Neon with each command', async () => {
  const program = join(folder, 'node_modules/.bin/neonctl');
  const stand = `--api-host http://127.0.0.1:${await listen(neon)} --project-id p --no-analytics`;
  const commands = RUNBOOKS.flatMap(vendorCommandsOf).filter(isForNeon);
  for (const command of commands) {
    const words = command.replace(/^neonctl/, `"${process.execPath}" "${program}" ${stand}`);
    const env = {
      ...process.env,
      NEON_API_KEY: 'synthetic',
      NEON_CONFIG_DIR: folder,
      PROJECT: 'p',
      ENDPOINT: 'ep',
    };
    await run('bash', ['-euo', 'pipefail', '-c', words], { cwd: folder, env });
  }
  const at = '2026-11-22T11:55:00Z';
  const branches = '/projects/p/branches';
  expect(asked).toEqual([
    {
      path: '/projects/p/endpoints/ep',
      body: {
        endpoint: {
          autoscaling_limit_min_cu: 1,
          autoscaling_limit_max_cu: 8,
          suspend_timeout_seconds: -1,
        },
      },
    },
    {
      path: branches,
      body: expect.objectContaining({
        branch: { name: 'before-restore', parent_id: MAIN.id },
      }),
    },
    {
      path: branches,
      body: expect.objectContaining({ branch: { name: 'past', parent_timestamp: at } }),
    },
    {
      path: `${branches}/${MAIN.id}/restore`,
      body: {
        source_branch_id: MAIN.id,
        preserve_under_name: 'broken',
        source_timestamp: at,
      },
    },
  ]);
}, 120_000);
