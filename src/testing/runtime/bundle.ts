import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleOf } from './workerd.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
const ENTRY = 'functions/worker.ts';

/** A build of the Worker in its deployed form. */
export type Build = {
  /** The folder of the bundle. */
  folder: string;
  /** The path of esbuild's list of the bundled files. */
  metafile: string;
  /** The compressed size printed by wrangler. */
  gzipKib: number;
};

/**
 * Builds the Worker alone. The pages are not built: another test may be serving `.site` at this moment.
 * @param folder an empty folder
 * @param entry the file of the Worker, by default the deployed file
 */
export async function buildWorker(folder: string, entry = ENTRY): Promise<Build> {
  const metafile = join(folder, 'metafile.json');
  const config = join(folder, 'wrangler.toml');
  const sections = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8').split(/^(?=\[)/m);
  const kept = sections.filter((section) => !/^\[(build|assets)\]/.test(section));
  writeFileSync(config, kept.join('').replace(/^main = .*$/m, ''));
  const options = ['--config', config, '--outdir', bundleOf(folder), '--metafile', metafile];
  const command = [WRANGLER, 'deploy', entry, '--dry-run', ...options];
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: ROOT, env });
  const gzip = /gzip: ([\d.]+) KiB/.exec(stdout)?.[1];
  if (gzip === undefined) throw new Error(`wrangler printed no size of the bundle:\n${stdout}`);
  return { folder, metafile, gzipKib: Number(gzip) };
}
