import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { buildErrorPages } from './error-pages/error-pages.ts';

const PACKAGES = join(import.meta.dirname, '../../node_modules');

/** The folders `public`: each has files to serve and their `_headers`. */
const PUBLIC = readdirSync(import.meta.dirname)
  .map((part) => join(import.meta.dirname, part, 'public'))
  .filter((folder) => existsSync(folder))
  .sort();

/** What the page that verifies results shares with the command. */
const OFFICIAL = join(import.meta.dirname, '../timing-files/official');

/** The scripts and style sheets that pages name. */
const ENTRIES = [
  ...['board/board.ts', 'board/board.css', 'panel/panel.js', 'panel/panel.css', 'panel/start.js'],
  ...['docs/docs.js', 'docs/docs.css', 'docs/language.js', 'docs/verify.ts'],
  'shared/message.css',
];

/** The name under which the board preloads the font that its style sheet names. */
const FONT = 'shared/figures.woff2';

/** Where each script and style sheet is served, by the path that the pages are written with. */
export type Assets = ReadonlyMap<string, string>;

/** Writes the panel, the board and the error pages into an empty folder. */
export function buildPages(site: string): Assets {
  for (const folder of PUBLIC) {
    const filter = (path: string) => !path.endsWith('_headers');
    cpSync(folder, site, { recursive: true, filter });
    appendFileSync(join(site, '_headers'), `${readFileSync(join(folder, '_headers'))}\n`);
  }
  cpSync(OFFICIAL, join(site, 'official'), { recursive: true });
  buildErrorPages(site);
  const assets = bundle(site);
  nameAssets(site, assets);
  return assets;
}

/**
 * Makes one file of each entry and what it imports. Its name has a digest of its content, so that browsers
 * keep it forever.
 */
function bundle(site: string): Assets {
  const name = '[name]-[hash]';
  // Each entry is built alone: what two pages share would otherwise be a third file to load.
  const built = ENTRIES.flatMap((entry) => {
    const { metafile } = buildSync({
      absWorkingDir: site,
      entryPoints: [entry],
      bundle: true,
      minify: true,
      splitting: true,
      metafile: true,
      format: 'esm',
      outdir: 'assets',
      entryNames: name,
      chunkNames: name,
      assetNames: name,
      publicPath: '/assets',
      target: 'es2022',
      loader: { '.woff2': 'file' },
      nodePaths: [PACKAGES],
    });
    return Object.entries(metafile.outputs).filter(
      ([path, { entryPoint }]) => entryPoint === entry || path.endsWith('.woff2'),
    );
  });
  for (const path of globSync(
    ['board', 'panel', 'docs', 'official', 'shared'].map((part) => `${part}/**/*.{js,ts,css,json}`),
    { cwd: site },
  )) {
    rmSync(join(site, path));
  }
  return new Map(built.map(([path, { entryPoint }]) => [`/${entryPoint ?? FONT}`, `/${path}`]));
}

/** Replaces the path of each script and style sheet in the HTML files by the path where it is served. */
export function nameAssets(site: string, assets: Assets): void {
  for (const path of globSync('**/*.html', { cwd: site })) {
    const html = readFileSync(join(site, path), 'utf8');
    const named = html.replace(
      /(?<=(?:href|src)=")\/\w+\/\w+\.(?:js|ts|css|woff2)(?=")/g,
      (source) => {
        const served = assets.get(source);
        if (served === undefined) throw new Error(`${path} names ${source}, which is not built.`);
        return served;
      },
    );
    writeFileSync(join(site, path), named);
  }
}
