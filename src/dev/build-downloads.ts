import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage, packPackage } from './package.ts';

const FOLDER = join(import.meta.dirname, '../../.site/downloads');
const PACKAGE = 'race-results-api.tgz';
const COMMAND = 'race-results.cjs';

/** Adds the package of client and command to the site's downloads, and the checksums of all. */
async function buildDownloads(folder: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'package-'));
  try {
    await buildPackage(join(scratch, 'package'));
    await rename(await packPackage(join(scratch, 'package'), folder), join(folder, PACKAGE));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  const sums = [PACKAGE, COMMAND].map(async (name) => {
    const digest = createHash('sha256').update(await readFile(join(folder, name)));
    return `${digest.digest('hex')}  ${name}\n`;
  });
  await writeFile(join(folder, 'SHA256SUMS'), (await Promise.all(sums)).join(''));
}

await buildDownloads(FOLDER);
