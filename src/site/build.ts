import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocs } from '../docs/build.ts';
import { openApiDocument } from '../openapi/document.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUILT = join(ROOT, '.site');

/** Each holds pages as they are served, and the `_headers` they are served with. */
const PARTS = ['src/panel/site', 'src/board/site', 'src/openapi/site', 'src/docs/site'];

/** Puts the static files that the Worker serves in one folder, the one wrangler.toml names. */
export function buildSite(built = BUILT): void {
  rmSync(built, { recursive: true, force: true });
  mkdirSync(built);
  for (const part of PARTS) {
    const filter = (path: string) => !path.endsWith('_headers');
    cpSync(join(ROOT, part), built, { recursive: true, filter });
    appendFileSync(join(built, '_headers'), `${readFileSync(join(ROOT, part, '_headers'))}\n`);
  }
  writeFileSync(join(built, 'openapi.json'), JSON.stringify(openApiDocument()));
  buildDocs(built);
}

if (import.meta.main) buildSite();
