import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endGroupAtExit } from './at-exit.ts';
import { bundleOf } from './workerd.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
const ENTRY = 'functions/worker.ts';

/** A build of the Worker, as it is deployed. */
export type Build = {
  /** The folder of the bundle. */
  folder: string;
  /** The path of esbuild's list of the bundled files. */
  metafile: string;
  /** The compressed size that wrangler prints. */
  gzipKib: number;
};

/**
 * Builds the Worker alone. The pages are not built: another test may be serving `.site` at this moment.
 * @param folder an empty folder
 * @param entry the file of the Worker, by default the deployed one
 */
export async function buildWorker(folder: string, entry = ENTRY): Promise<Build> {
  const metafile = join(folder, 'metafile.json');
  const config = join(folder, 'wrangler.toml');
  const sections = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8').split(/^(?=\[)/m);
  const kept = sections.filter((section) => !/^\[(build|assets)\]/.test(section));
  writeFileSync(config, kept.join('').replace(/^main = .*$/m, ''));
  const options = ['--config', config, '--outdir', bundleOf(folder), '--metafile', metafile];
  const child = spawn(process.execPath, [WRANGLER, 'deploy', entry, '--dry-run', ...options], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' },
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
  return { folder, metafile, gzipKib: Number(gzip) };
}
