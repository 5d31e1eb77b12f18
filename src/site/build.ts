import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocs } from '../docs/build.ts';
import { openApiDocument } from '../openapi/document.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUILT = join(ROOT, '.site');

/** Each holds pages as they are served, and the `_headers` they are served with. */
const PARTS = ['src/panel/site', 'src/openapi/site', 'src/docs/site'];

/** Puts the static files that the Worker serves in one folder, the one wrangler.toml names. */
export function buildSite(): void {
  rmSync(BUILT, { recursive: true, force: true });
  mkdirSync(BUILT);
  for (const part of PARTS) {
    const filter = (path: string) => !path.endsWith('_headers');
    cpSync(join(ROOT, part), BUILT, { recursive: true, filter });
    appendFileSync(join(BUILT, '_headers'), `${readFileSync(join(ROOT, part, '_headers'))}\n`);
  }
  writeFileSync(join(BUILT, 'openapi.json'), JSON.stringify(openApiDocument()));
  buildDocs(BUILT);
}

if (import.meta.main) buildSite();
