import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { openApiDocument } from './document.ts';

const PACKAGE = join(import.meta.dirname, '../../../package.json');

/** The folder of the documents of all releases. Later documents are compared with them. */
export const RELEASES = join(import.meta.dirname, 'releases');

/**
 * Keeps the document of the version in package.json.
 * @throws Error if that version has a document already: a release never changes
 */
function keepRelease(): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(PACKAGE, 'utf8')));
  const file = join(RELEASES, `${version}.json`);
  if (existsSync(file)) throw new Error(`${file} exists. Raise the version in package.json first.`);
  writeFileSync(file, `${JSON.stringify(openApiDocument())}\n`);
  return file;
}

if (import.meta.main) process.stdout.write(`Kept ${keepRelease()}\n`);
