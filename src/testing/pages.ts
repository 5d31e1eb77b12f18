import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPages } from '../site/pages.ts';

/** Builds the pages into a folder of their own: `npm run dev` may be serving `.site` at this moment. */
export function buildPagesOfRun(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  buildPages(folder);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
