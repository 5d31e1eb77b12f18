import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unstable_startWorker } from 'wrangler';
import type { Stack } from '../local/stack.ts';
import { endGroupAtExit } from './at-exit.ts';

const ROOT = join(import.meta.dirname, '../..');
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
const ENTRY = 'functions/worker.ts';
const CONFIG = 'wrangler.toml';
const SITE = join(ROOT, '.site');

/** No telemetry, no look-up of where this machine is, no store of traces written at each request. */
const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
};

/** The Worker as it would be deployed. */
export type Build = {
  /** Holds the bundle and the project's wrangler.toml, and no .dev.vars. */
  folder: string;
  /** What esbuild put into it. */
  metafile: string;
  /** As wrangler prints it. */
  gzipKib: number;
};

/**
 * @param folder an empty one, for the build alone
 * @param entry a Worker of the bench's own, in place of the one that is deployed
 */
export async function buildWorker(folder: string, entry = ENTRY): Promise<Build> {
  const metafile = join(folder, 'metafile.json');
  const options = ['--dry-run', '--outdir', bundleOf(folder), '--metafile', metafile];
  const child = spawn(process.execPath, [WRANGLER, 'deploy', entry, ...options], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...QUIET, NO_COLOR: '1' },
  });
  endGroupAtExit(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  await once(child, 'close');
  const gzip = /gzip: ([\d.]+) KiB/.exec(printed)?.[1];
  if (child.exitCode !== 0 || gzip === undefined) {
    throw new Error(`wrangler deploy --dry-run did not build the Worker:\n${printed}`);
  }
  // Its relative paths would be looked for beside the copy; and the site is built by now.
  const config = readFileSync(join(ROOT, CONFIG), 'utf8').replace(/^\[build\][^[]*/m, '');
  writeFileSync(join(folder, CONFIG), config.replace('".site"', JSON.stringify(SITE)));
  return { folder, metafile, gzipKib: Number(gzip) };
}

export type RunningWorker = { origin: string; stop(): Promise<void> };

/**
 * Runs a build in workerd on a free port: as `wrangler dev` does, less what it does beside the
 * Worker (bundling, watching the sources, tracing). Not wrangler's createTestHarness, which passes
 * every request that the Worker makes through this process.
 */
export async function startWorker(build: Build, stack: Stack): Promise<RunningWorker> {
  Object.assign(process.env, QUIET);
  const variables = {
    ...stack.workerEnv,
    PANEL_JWT_SECRET: randomBytes(32).toString('base64url'),
  };
  const worker = await unstable_startWorker({
    config: join(build.folder, CONFIG),
    entrypoint: join(bundleOf(build.folder), 'worker.js'),
    bindings: Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        { type: 'plain_text' as const, value },
      ]),
    ),
    build: { bundle: false },
    dev: {
      server: { hostname: '127.0.0.1', port: 0 },
      inspector: false,
      logLevel: 'none',
      persist: false,
      watch: false,
    },
  });
  const stop = () => worker.dispose();
  try {
    await worker.ready;
    return { origin: (await worker.url).origin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export const bundleOf = (folder: string): string => join(folder, 'bundle');
