import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { packPackage, writeChecksums } from './package.ts';

const FOLDER = join(import.meta.dirname, '../../.site/downloads');
const PACKAGE = 'race-results-api.tgz';

/** Adds the package of the client to the site's downloads, and the checksums of all. */
export async function buildDownloads(folder: string): Promise<void> {
  await rename(await packPackage(folder), join(folder, PACKAGE));
  await writeChecksums(folder, [PACKAGE, 'race-results.cjs']);
}

if (import.meta.main) await buildDownloads(FOLDER);
