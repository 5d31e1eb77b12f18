import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage, bundleCommand, packPackage, readProject } from './package.ts';

const FOLDER = join(import.meta.dirname, '../../.site/downloads');
const PACKAGE = 'race-results-api.tgz';
const COMMAND = 'race-results.cjs';

/**
 * Writes what people install into the site: the package of client and command, and the command as one file.
 * `SHA256SUMS` has their checksums.
 */
async function buildDownloads(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { version } = await readProject();
  const scratch = await mkdtemp(join(tmpdir(), 'package-'));
  try {
    await buildPackage(join(scratch, 'package'));
    await rename(await packPackage(join(scratch, 'package'), folder), join(folder, PACKAGE));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  await bundleCommand(join(folder, COMMAND), 'cjs', version);
  const sums = [PACKAGE, COMMAND].map(async (name) => {
    const digest = createHash('sha256').update(await readFile(join(folder, name)));
    return `${digest.digest('hex')}  ${name}\n`;
  });
  await writeFile(join(folder, 'SHA256SUMS'), (await Promise.all(sums)).join(''));
}

await buildDownloads(FOLDER);
