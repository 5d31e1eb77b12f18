import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const READY_MS = 60_000;

/** Starts `wrangler dev` with the Node that runs this process. The Node on the PATH may be too old. */
export function startWrangler(options: string[], output: 'inherit' | 'ignore'): ChildProcess {
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
  const quiet = '--show-interactive-dev-session=false';
  return spawn(process.execPath, [wrangler, 'dev', quiet, ...options], {
    cwd: ROOT,
    // A new process group, so that its children end with it.
    detached: true,
    stdio: ['ignore', output, 'inherit'],
    env: {
      ...process.env,
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    },
  });
}

export async function stopWrangler(wrangler: ChildProcess): Promise<void> {
  const { pid, exitCode, signalCode } = wrangler;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  const ended = new Promise((resolve) => wrangler.once('exit', resolve));
  process.kill(-pid, 'SIGTERM');
  await ended;
}

/**
 * Waits until the Worker answers. The request needs no database and no Redis, because both may have a delay.
 * @throws Error if wrangler ends or does not answer in time. Wrangler prints the reason
 */
export async function untilItAnswers(origin: string, wrangler: ChildProcess): Promise<void> {
  const url = `${origin}/public/v1/events`;
  const deadline = Date.now() + READY_MS;
  while (wrangler.exitCode === null && Date.now() < deadline) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.status === 401) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`wrangler dev does not answer at ${url}. Its own message is above.`);
}
