import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const READY_MS = 60_000;

/**
 * `wrangler dev` with these options, its output to ours.
 * Run by this very Node: the one on the PATH may be too old for it.
 */
export function startWrangler(options: string[], output: 'inherit' | 'ignore'): ChildProcess {
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
  const quiet = '--show-interactive-dev-session=false';
  return spawn(process.execPath, [wrangler, 'dev', quiet, ...options], {
    cwd: ROOT,
    // A group of its own, so that its own children end with it.
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

/** @throws when it ends, or does not answer in time; its own message then stands above. */
export async function untilItAnswers(url: string, wrangler: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (wrangler.exitCode === null && Date.now() < deadline) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`wrangler dev does not answer at ${url}; its own message is above.`);
}
