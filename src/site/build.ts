import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocs } from './docs/build.ts';
import { openApiDocument } from './openapi/document.ts';
import { buildPages, nameAssets } from './pages.ts';

const BUILT = join(import.meta.dirname, '../../.site');

/** Writes the Worker's static files into the folder named in wrangler.toml. */
export function buildSite(built = BUILT): void {
  rmSync(built, { recursive: true, force: true });
  mkdirSync(built);
  const assets = buildPages(built);
  writeFileSync(join(built, 'openapi.json'), JSON.stringify(openApiDocument()));
  buildDocs(built, assets);
  nameAssets(built, assets);
}

if (import.meta.main) {
  const startedAt = Date.now();
  buildSite();
  process.stdout.write(`Pages: ${((Date.now() - startedAt) / 1_000).toFixed(1)} s\n`);
}
