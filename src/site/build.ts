import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildDocs } from './docs/build.ts';
import { modulesOf, preloadLinks } from './modules.ts';
import { writeNeonDriver } from './neon-driver.ts';
import { openApiDocument } from './openapi/document.ts';

const BUILT = join(import.meta.dirname, '../../.site');

/** The library that draws the QR codes of the panel: one module without imports. */
const QR_CODES = join(import.meta.dirname, '../../node_modules/uqr/dist/index.mjs');

/** The folders `public`: each has files to serve and their `_headers`. */
const PUBLIC = readdirSync(import.meta.dirname)
  .map((part) => join(import.meta.dirname, part, 'public'))
  .filter((folder) => existsSync(folder))
  .sort();

/** Writes the static files that the Worker serves into the folder that wrangler.toml names. */
export function buildSite(built = BUILT): void {
  rmSync(built, { recursive: true, force: true });
  mkdirSync(built);
  for (const folder of PUBLIC) {
    const filter = (path: string) => !path.endsWith('_headers');
    cpSync(folder, built, { recursive: true, filter });
    appendFileSync(join(built, '_headers'), `${readFileSync(join(folder, '_headers'))}\n`);
  }
  copyFileSync(QR_CODES, join(built, 'panel/uqr.js'));
  addPreloads(built, 'panel/index.html', 'panel/panel.js');
  writeFileSync(join(built, 'openapi.json'), JSON.stringify(openApiDocument()));
  buildDocs(built);
}

/** @throws Error if the page has no place for the links */
function addPreloads(built: string, page: string, entry: string): void {
  const html = readFileSync(join(built, page), 'utf8');
  const [before, after] = html.split('<!-- modules -->');
  if (before === undefined || after === undefined) throw new Error(`${page} takes no modules.`);
  writeFileSync(join(built, page), before + preloadLinks(modulesOf(built, entry)) + after);
}

if (import.meta.main) {
  buildSite();
  await writeNeonDriver();
}
