import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleCommand } from '../site/command.ts';
import { packPackage, writeChecksums } from './package.ts';

const SITE = join(import.meta.dirname, '../../.site');
const CLIENT = 'race-results-api.tgz';
const COMMAND = 'race-results.cjs';

/** Writes the files of `/downloads`: the client, the command, and their checksums. */
export async function buildDownloads(site: string): Promise<void> {
  const folder = join(site, 'downloads');
  await rename(await packPackage(folder), join(folder, CLIENT));
  bundleCommand(join(folder, COMMAND));
  await writeChecksums(folder, [CLIENT, COMMAND]);
}

if (import.meta.main) await buildDownloads(SITE);
