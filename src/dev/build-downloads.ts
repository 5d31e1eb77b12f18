import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { packPackage, writeChecksums } from './package.ts';

const FOLDER = join(import.meta.dirname, '../../.site/downloads');
const PACKAGE = 'race-results-api.tgz';

// Adds the package of client and command to the site's downloads, and the checksums of all.
await rename(await packPackage(FOLDER), join(FOLDER, PACKAGE));
await writeChecksums(FOLDER, [PACKAGE, 'race-results.cjs']);
