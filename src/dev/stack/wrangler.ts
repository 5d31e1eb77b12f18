import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../../..');
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
const KEPT_LINES = 30;
/** How long wrangler may take to stop. */
const STOP_MS = 10_000;

/** How long a start may take, and how long wrangler may neither print nor work. */
const PATIENCE = { totalMs: 300_000, idleMs: 60_000 };

/** The processor time that counts as work. Answering the requests of `untilItAnswers` takes less. */
const WORK_SECONDS = 1;

export type Wrangler = {
  process: ChildProcess;
  /** The last lines of wrangler's output. */
  lastLines(): string[];
  /** How many chunks wrangler has printed. */
  printed(): number;
};

/**
 * Starts `wrangler dev` with the Node of this process. The Node on the PATH may be too old.
 * @param print receives wrangler's output
 * @param program stands for wrangler in tests
 */
export function startWrangler(
  options: string[],
  print: (output: string) => void,
  program = WRANGLER,
): Wrangler {
  const quiet = '--show-interactive-dev-session=false';
  const child = spawn(process.execPath, [program, 'dev', quiet, ...options], {
    cwd: ROOT,
    // A new process group, so that the children end with wrangler.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    },
  });
  let last = '';
  let chunks = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (output: string) => {
      chunks++;
      last = `${last}${output}`.split('\n').slice(-KEPT_LINES).join('\n');
      print(output);
    });
  }
  return {
    process: child,
    lastLines: () => last.split('\n').filter((line) => line.trim() !== ''),
    printed: () => chunks,
  };
}

/** Ends wrangler and its children, even children that outlived wrangler. */
export async function stopWrangler({ process: child }: Wrangler): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const ended = hasEnded(child) || new Promise((resolve) => child.once('exit', resolve));
  signalGroup(pid, 'SIGTERM');
  const killer = setTimeout(() => signalGroup(pid, 'SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(killer);
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // The whole group has ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;

/** Describes the end of a process that ended alone. */
export const describeEnd = ({ exitCode, signalCode }: ChildProcess): string =>
  signalCode === null
    ? `wrangler ended with exit code ${exitCode}.`
    : `wrangler was ended by the signal ${signalCode}.`;

/**
 * Waits until the Worker answers, while wrangler prints or its processes work. The request needs no database and no
 * Redis, because both may have a delay.
 * @throws Error with a single line if wrangler ends, stands still or takes too long
 */
export async function untilItAnswers(
  origin: string,
  wrangler: Wrangler,
  { totalMs, idleMs } = PATIENCE,
): Promise<void> {
  const url = `${origin}/public/v1/events`;
  const startedAt = Date.now();
  let activeAt = startedAt;
  let printed = wrangler.printed();
  let worked = secondsOfGroup(wrangler.process.pid);
  for (;;) {
    const signal = AbortSignal.timeout(idleMs);
    const response = await fetch(url, { signal }).catch(() => undefined);
    if (response?.status === 401) return;
    if (hasEnded(wrangler.process)) throw new Error(describeEnd(wrangler.process));
    const work = secondsOfGroup(wrangler.process.pid);
    const hasWorked = Math.abs(work - worked) >= WORK_SECONDS;
    if (wrangler.printed() !== printed || hasWorked) {
      activeAt = Date.now();
      printed = wrangler.printed();
      worked = work;
    }
    const now = Date.now();
    if (now - activeAt >= idleMs || now - startedAt >= totalMs) {
      const seconds = Math.round((now - startedAt) / 1_000);
      throw new Error(
        now - activeAt >= idleMs
          ? `wrangler did not answer at ${url} in ${seconds} s, and neither printed nor worked for ${Math.round(idleMs / 1_000)} s.`
          : `wrangler did not answer at ${url} in ${seconds} s.`,
      );
    }
    await sleep(500);
  }
}

/** The processor time of a process group. 0 on a system without ps. */
function secondsOfGroup(group: number | undefined): number {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pgid=,time='], { encoding: 'utf8' });
  return (stdout ?? '')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([pgid]) => Number(pgid) === group)
    .map(([, time = '']) => time.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0))
    .reduce((sum, seconds) => sum + seconds, 0);
}
