import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleCommand, projectVersion } from '../site/command.ts';
import { packPackage, writeChecksums } from './package.ts';

const ROOT = join(import.meta.dirname, '../..');
const SITE = join(ROOT, '.site');

/** The packages of all releases, which every deployment serves. They never change. */
export const KEPT = join(ROOT, 'src/site/downloads');
const CHECKSUMS = 'SHA256SUMS';

const filesOf = (version: string) => ({
  'race-results-api.tgz': `race-results-api-${version}.tgz`,
  'race-results.cjs': `race-results-${version}.cjs`,
});

async function buildPackages(folder: string, version: string): Promise<void> {
  await packPackage(folder, version);
  bundleCommand(join(folder, filesOf(version)['race-results.cjs']), { version });
}

/** The names of the kept packages. @throws Error if one does not have the bytes of its release, or is gone */
async function readKept(kept: string): Promise<string[]> {
  const names = existsSync(kept) ? await readdir(kept) : [];
  const files = names.filter((name) => name !== CHECKSUMS).sort();
  const told = names.includes(CHECKSUMS) ? await readFile(join(kept, CHECKSUMS), 'utf8') : '';
  const found = files.map(async (name) => {
    const digest = createHash('sha256').update(await readFile(join(kept, name)));
    return `${digest.digest('hex')}  ${name}\n`;
  });
  if ((await Promise.all(found)).join('') !== told) {
    throw new Error(`A package in ${kept} is not the released one that ${CHECKSUMS} names.`);
  }
  return files;
}

const isReleased = (files: readonly string[], version: string): boolean =>
  Object.values(filesOf(version)).every((name) => files.includes(name));

/**
 * Keeps the client and the command as this version.
 * @throws Error if the version is kept already: a release never changes
 */
export async function keepPackages(version = projectVersion(), kept = KEPT): Promise<void> {
  if (isReleased(await readKept(kept), version)) {
    throw new Error(`Version ${version} is released. Raise the version in package.json first.`);
  }
  await mkdir(kept, { recursive: true });
  await buildPackages(kept, version);
  const files = (await readdir(kept)).filter((name) => name !== CHECKSUMS).sort();
  await writeChecksums(kept, files);
}

/** @throws Error unless this version is released */
export async function checkReleased(version = projectVersion(), kept = KEPT): Promise<void> {
  if (isReleased(await readKept(kept), version)) return;
  throw new Error(
    `Version ${version} is not released: npm run keep-release. Then commit and deploy.`,
  );
}

/**
 * Writes what `/downloads` serves: the packages of all releases, and those of the present version if it is not released
 * yet. An address without a version leads to the present one.
 */
export async function buildDownloads(
  site: string,
  version = projectVersion(),
  kept = KEPT,
): Promise<void> {
  const folder = join(site, 'downloads');
  const released = await readKept(kept);
  await mkdir(folder, { recursive: true });
  for (const name of released) await cp(join(kept, name), join(folder, name));
  if (!isReleased(released, version)) await buildPackages(folder, version);
  await writeChecksums(folder, (await readdir(folder)).sort());
  const redirects = Object.entries(filesOf(version)).map(
    ([name, file]) => `/downloads/${name} /downloads/${file} 302\n`,
  );
  await appendFile(join(site, '_redirects'), redirects.join(''));
}

if (import.meta.main) {
  if (process.argv.includes('--keep')) await keepPackages();
  else if (process.argv.includes('--check')) await checkReleased();
  else await buildDownloads(SITE);
}
