import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, LOOPBACK, listen } from './listen.ts';
import { startWrangler, stopWrangler, untilItAnswers } from './wrangler.ts';

/** Stands for wrangler. */
function start(program: string, options: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'wrangler-'));
  writeFileSync(join(folder, 'program.mjs'), program);
  const wrangler = startWrangler(options, () => {}, join(folder, 'program.mjs'));
  onTestFinished(async () => {
    await stopWrangler(wrangler);
    rmSync(folder, { recursive: true });
  });
  return wrangler;
}

const SILENT = 'setInterval(() => {}, 60_000);';
const NOWHERE = 'http://127.0.0.1:1';

/** Answers as the Worker does, whose Redis is 3 s away. */
async function serve(): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/public/v1/events' ? 401 : 503).end();
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  return `http://${LOOPBACK}:${port}`;
}

test('waits for the Worker but not for the database and Redis', async () => {
  await untilItAnswers(await serve(), start(SILENT));
});

test('names the exit code of a wrangler that ends, and the signal that killed it', async () => {
  await expect(untilItAnswers(NOWHERE, start('process.exit(0)'))).rejects.toThrow(
    'wrangler ended with exit code 0.',
  );
  const killed = start(SILENT);
  process.kill(killed.process.pid ?? Number.NaN, 'SIGKILL');
  await once(killed.process, 'exit');
  await expect(untilItAnswers(NOWHERE, killed)).rejects.toThrow('ended by the signal SIGKILL.');
});

test('gives up a wrangler that neither prints nor works', async () => {
  const patience = { totalMs: 60_000, idleMs: 1_500 };
  await expect(untilItAnswers(NOWHERE, start(SILENT), patience)).rejects.toThrow(
    /did not answer at http:\S+ in \d+ s, and neither printed nor worked for 2 s/,
  );
});

/** Serves 401 on its `--port` after 9 s of the given work. */
const slowly = (something: string) => `
  import { createServer } from 'node:http';
  const until = Date.now() + 9_000;
  while (Date.now() < until) { ${something} }
  createServer((_, response) => response.writeHead(401).end()).listen(process.argv.at(-1), '127.0.0.1');`;

test.each([
  ['prints', 'console.log("step"); await new Promise((next) => setTimeout(next, 200));', 2_000],
  ['works', '', 7_000],
])('waits for a slow build that %s', async (_, something, idleMs) => {
  const port = `${await freePort()}`;
  const wrangler = start(slowly(something), ['--port', port]);
  await untilItAnswers(`http://${LOOPBACK}:${port}`, wrangler, { totalMs: 60_000, idleMs });
});

test('does not wait for ever for a wrangler that prints', async () => {
  const wrangler = start('setInterval(() => console.log("step"), 100);');
  const patience = { totalMs: 1_500, idleMs: 1_000 };
  await expect(untilItAnswers(NOWHERE, wrangler, patience)).rejects.toThrow(/in \d+ s\.$/);
  expect(wrangler.lastLines().at(-1)).toBe('step');
  expect(wrangler.lastLines().length).toBeLessThanOrEqual(30);
});
