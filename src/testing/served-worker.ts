import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Demo, ensureDemo } from '../local/demo.ts';
import { listen } from '../local/listen.ts';
import { migrate } from '../local/migrate.ts';
import { FREE_PORTS, startStack } from '../local/stack.ts';
import { startWrangler, stopWrangler, untilItAnswers } from '../local/wrangler.ts';

/** The pages and the API as `wrangler dev` serves them, over a stack and a demo world of their own. */
export type ServedWorker = {
  origin: string;
  demo: Demo;
  /** The database itself. */
  pool: pg.Pool;
  stop(): Promise<void>;
};

/** @param panelSecret what sessions of the panel are signed with */
export async function serveWorker(panelSecret: string): Promise<ServedWorker> {
  const folder = mkdtempSync(join(tmpdir(), 'served-'));
  const stack = await startStack({ ports: FREE_PORTS });
  const pool = new pg.Pool({ connectionString: stack.postgresUrl, max: 1 });
  let wrangler: ChildProcess | undefined;
  const stop = async () => {
    if (wrangler) await stopWrangler(wrangler);
    await pool.end();
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await migrate(stack.postgresUrl);
    const demo = await ensureDemo(stack.postgresUrl, folder);
    const variables = { ...stack.workerEnv, PANEL_JWT_SECRET: panelSecret };
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(folder, 'vars'), lines.join(''), { mode: 0o600 });
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    wrangler = startWrangler(
      ['--port', String(port), '--inspector-port', '0'].concat(
        '--env-file',
        join(folder, 'vars'),
        '--persist-to',
        join(folder, 'state'),
      ),
      'ignore',
    );
    await untilItAnswers(`${origin}/healthz`, wrangler);
    return { origin, demo, pool, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, 0, 'the Worker');
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
