import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { buildErrorPages } from './error-pages/error-pages.ts';
import { modulesOf, preloadLinks } from './modules.ts';

/** The library that draws the QR codes of the panel: one module without imports. */
const QR_CODES = join(import.meta.dirname, '../../node_modules/uqr/dist/index.mjs');

/** The folders `public`: each has files to serve and their `_headers`. */
const PUBLIC = readdirSync(import.meta.dirname)
  .map((part) => join(import.meta.dirname, part, 'public'))
  .filter((folder) => existsSync(folder))
  .sort();

/** The style sheet of each page. It imports what it shares with others. */
const STYLE_SHEETS = ['board/board', 'docs/docs', 'panel/panel', 'shared/message'];

/** Writes the panel, the board and the error pages into an empty folder. */
export function buildPages(site: string): void {
  for (const folder of PUBLIC) {
    const filter = (path: string) => !path.endsWith('_headers');
    cpSync(folder, site, { recursive: true, filter });
    appendFileSync(join(site, '_headers'), `${readFileSync(join(folder, '_headers'))}\n`);
  }
  copyFileSync(QR_CODES, join(site, 'panel/uqr.js'));
  addPreloads(site, 'panel/index.html', 'panel/panel.js');
  addPreloads(site, 'pages/board.html', 'board/board.js');
  buildErrorPages(site);
  bundleStyles(site);
}

/** Puts what a style sheet imports into it, so that a page loads one small file. */
function bundleStyles(site: string): void {
  buildSync({
    entryPoints: STYLE_SHEETS.map((name) => join(site, `${name}.css`)),
    ...{ bundle: true, minify: true, outbase: site, outdir: site, allowOverwrite: true },
  });
}

/** @throws Error if the page has no place for the links */
function addPreloads(site: string, page: string, entry: string): void {
  const html = readFileSync(join(site, page), 'utf8');
  const [before, after] = html.split('<!-- modules -->');
  if (before === undefined || after === undefined) throw new Error(`${page} takes no modules.`);
  // The page loads the entry itself.
  const [, ...imported] = modulesOf(site, entry);
  writeFileSync(join(site, page), before + preloadLinks(imported) + after);
}
