import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const BUILT = join(ROOT, '.site');

/** Each holds pages as they are served, and the `_headers` they are served with. */
const PARTS = ['src/panel/site', 'src/board/site'];

/** Puts the static files that the Worker serves in one folder, the one wrangler.toml names. */
export function buildSite(): void {
  rmSync(BUILT, { recursive: true, force: true });
  mkdirSync(BUILT);
  for (const part of PARTS) {
    const filter = (path: string) => !path.endsWith('_headers');
    cpSync(join(ROOT, part), BUILT, { recursive: true, filter });
    appendFileSync(join(BUILT, '_headers'), `${readFileSync(join(ROOT, part, '_headers'))}\n`);
  }
}

if (import.meta.main) buildSite();
