import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { develop } from './dev.ts';
import { freePort } from './listen.ts';

const DEV = join(import.meta.dirname, 'dev.ts');

/** Starts the stack with a program in place of wrangler, and returns the output and the exit code. */
async function start(program: string, prepare = (_state: string) => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'dev-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const state = join(folder, 'state');
  mkdirSync(state);
  prepare(state);
  const wrangler = join(folder, 'wrangler.mjs');
  writeFileSync(wrangler, program);
  const places: Parameters<typeof develop>[0] = {
    state,
    devVars: join(folder, 'vars'),
    wrangler,
    patience: { totalMs: 60_000, idleMs: 2_000 },
  };
  const call = `import { develop } from ${JSON.stringify(DEV)};
    await develop(${JSON.stringify(places)}, {});`;
  const { DATABASE_URL: _, REDIS_URL: __, ...env } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', call], {
    env: { ...env, PORT: `${await freePort()}` },
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, says, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, says, code };
}

const KILLED = `console.log('Bundling'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200);`;
const SILENT = `console.log('Bundling'); setInterval(() => {}, 60_000);`;
const FULL = `import { writeFileSync } from 'node:fs'; writeFileSync('/dev/full', 'bundle');`;
/** Answers, then ends as if no work were left. */
const ENDS = `import { createServer } from 'node:http';
  createServer((_, response) => response.writeHead(401).end(() => setTimeout(() => process.exit(0), 2_000)))
    .listen(process.argv.at(-1), 'localhost');`;

test.each([
  ['was killed', KILLED, ['by the signal SIGKILL.', '    Bundling', 'memory is short']],
  ['never answers', SILENT, ['neither printed nor worked', '    Bundling', 'npm run stack']],
  ['finds the disk full', FULL, ['with exit code 1.', 'ENOSPC', 'free space on the disk']],
  ['ends later', ENDS, ['with exit code 0.', 'start again']],
])(
  'a start whose wrangler %s tells the reason and what to do',
  async (_, program, expected) => {
    const { out, says, code } = await start(program);
    expect(code).toBe(1);
    for (const words of ['The start failed: wrangler', ...expected]) expect(says).toContain(words);
    for (const step of ['Redis', 'Postgres', 'Migrations and the demo race']) {
      expect(out).toMatch(new RegExp(`^${step}: \\d+\\.\\d s$`, 'm'));
    }
    expect(out).toContain('Build and Worker …');
  },
  120_000,
);

test('prints the reason and the next step if Postgres cannot start', async () => {
  const { says, code } = await start('', (state) => writeFileSync(join(state, 'postgres'), ''));
  expect([code, says]).toEqual([
    1,
    expect.stringMatching(/The start failed: .*state\/postgres.*\nWhat to do: .*--reset/),
  ]);
}, 120_000);
