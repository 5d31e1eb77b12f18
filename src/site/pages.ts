import { createHash } from 'node:crypto';
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
import { basename, dirname, join, relative } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { POINT_LENGTH_MAX } from '../timing-files/read/parameters.ts';
import { CODES, LANGUAGES, type Language } from '../timing-files/write/languages.ts';
import { KEY_NAME_MAX, REASON_MAX } from '../worker/db/sql.ts';
import { escaped } from './docs/page.ts';
import { buildErrorPages } from './error-pages/error-pages.ts';
import type { Facts } from './fill.ts';

const PACKAGES = join(import.meta.dirname, '../../node_modules');

/** The folders `public`: each has files to serve and their `_headers`. */
const PUBLIC = readdirSync(import.meta.dirname)
  .map((part) => join(import.meta.dirname, part, 'public'))
  .filter((folder) => existsSync(folder))
  .sort();

/** Pages share these folders with the Worker and other programs. A file without an import in a page is in no bundle. */
const SHARED = [
  'timing-files/judge',
  'timing-files/official',
  'timing-files/read',
  'timing-files/write',
  'client',
];

const BOARD = 'board/board.ts';
const PANEL = 'panel/panel.tsx';
/** The script that shows the frame of the panel. */
const FRAME = 'globalThis.showFrame?.()';

/** The scripts and style sheets named in pages. */
const ENTRIES = [
  ...[BOARD, 'board/board.css', 'board/wall.css', 'board/paper.css', 'board/start.ts'],
  ...[PANEL, 'panel/panel.css', 'panel/later.css', 'panel/poster.css'],
  // The reader of files is as large as the panel, and few readers of the panel need it.
  ...['panel/start.ts', 'panel/send-file/rows-of-file.ts'],
  ...['docs/docs.ts', 'docs/docs.css', 'docs/language.ts', 'docs/verify.ts'],
  'shared/message.css',
];

/** The name in the board's styles under which the board preloads its font. */
const FONT = 'shared/figures.woff2';
/** The file with the letters of most names. Browsers find further files in the styles, if a page needs their letters. */
const IS_FONT = /-latin-600-normal-\w+\.woff2$/;

/** The address never changes, because browsers look for changes at this address. */
const WORKER = 'board/service-worker.ts';

/** The limits named in the forms of the panel. */
const LIMITS: Facts = {
  'key-name-max': String(KEY_NAME_MAX),
  'point-length-max': String(POINT_LENGTH_MAX),
  'reason-max': String(REASON_MAX),
};

/**
 * The served address of each script and style sheet, and the imports of a script, by the path in the pages' sources.
 */
export type Assets = ReadonlyMap<string, { served: string; imports: readonly string[] }>;

/** Writes the panel, the board and the error pages into an empty folder. */
export function buildPages(site: string): Assets {
  for (const folder of PUBLIC) {
    const filter = (path: string) => !path.endsWith('_headers');
    cpSync(folder, site, { recursive: true, filter });
    appendFileSync(join(site, '_headers'), `${readFileSync(join(folder, '_headers'))}\n`);
  }
  for (const path of SHARED) {
    const filter = (source: string) => !source.endsWith('.json');
    cpSync(join(import.meta.dirname, '..', path), join(site, basename(path)), {
      recursive: true,
      filter,
    });
  }
  for (const path of globSync('*/**/*.{ts,tsx}', { cwd: site })) shortenImports(join(site, path));
  for (const page of [BOARD, PANEL]) keepInOneScript(site, page);
  buildErrorPages(site);
  for (const page of ['panel/index.html', 'pages/board.html']) inEachLanguage(join(site, page));
  const panel = join(site, 'panel/index.html');
  writeFileSync(panel, withFirstTexts(site, readFileSync(panel, 'utf8')));
  const worker = buildWorker(site);
  const assets = bundle(site);
  writeFileSync(join(site, WORKER.replace(/ts$/, 'js')), worker);
  inlinePanel(site, assets);
  for (const page of ['panel/index.html', 'pages/board.html']) {
    inlineStart(site, page, assets);
    inlineStyles(site, page, assets);
  }
  nameAssets(site, assets);
  return assets;
}

/**
 * A script imports a shared file by the file's path in the project. In the folder of the site, the file is three
 * folders nearer.
 */
function shortenImports(path: string): void {
  const source = readFileSync(path, 'utf8');
  const shortened = source.replaceAll(/'(?:\.\.\/){3}((?:\.\.\/)+)timing-files\//g, "'$1");
  writeFileSync(path, shortened);
}

/**
 * Scripts loaded later by a page import the page's script, so that the page's script is a single file: a shared part
 * would otherwise be a second file at the start. Texts share no part.
 */
function keepInOneScript(site: string, page: string): void {
  const importing = globSync(`${dirname(page)}/**/*.{ts,tsx}`, { cwd: site });
  const scripts = importing.flatMap((path) =>
    [...readFileSync(join(site, path), 'utf8').matchAll(LATER_IMPORT)].map(([, script = '']) =>
      join(dirname(path), script),
    ),
  );
  for (const path of new Set(scripts)) {
    const script = `./${relative(dirname(path), page)}`;
    appendFileSync(join(site, path), `import ${JSON.stringify(script)};\n`);
  }
}

const LATER_IMPORT = /(?<!typeof )import\('(?!\.\/texts\/)([^']+\.tsx?)'\)/g;

const NO_SCRIPT: Record<Language, string> = {
  en: 'This page needs JavaScript.',
  es: 'Esta página necesita JavaScript.',
};

/** Fills in the buttons of the languages, and the text for a browser without JavaScript. */
function inEachLanguage(page: string): void {
  const buttons = Object.entries(LANGUAGES).map(([code, name]) => {
    const short = code.toUpperCase();
    return `<button type="button" lang="${code}" data-language="${code}" aria-label="${short}, ${name}">${short}</button>`;
  });
  const sentences = CODES.map((code) => `<span lang="${code}">${NO_SCRIPT[code]}</span>`);
  const html = readFileSync(page, 'utf8')
    .replace('{{language-buttons}}', buttons.join('\n'))
    .replace('{{no-script}}', sentences.join(' '));
  writeFileSync(page, html);
}

/** The panel shows some texts before its scripts arrive. The page contains the texts, in each language. */
function withFirstTexts(site: string, page: string): string {
  const textsOf = (language: string): Record<string, string> =>
    JSON.parse(readFileSync(join(site, `panel/texts/page/${language}.json`), 'utf8'));
  const known = CODES.map((language) => [language, textsOf(language)] as const);
  return page.replace(/data-first="(\w+)"/g, (_, name: string) =>
    known
      .map(
        ([language, texts]) =>
          `data-${language}="${escaped(texts[name] ?? '').replaceAll('"', '&quot;')}"`,
      )
      .join(' '),
  );
}

/**
 * This script sends the first requests of a page. The page contains the script, which saves a round trip. The script is
 * no module: a module would wait for the whole page.
 */
function inlineStart(site: string, page: string, assets: Assets): void {
  const path = join(site, page);
  const html = readFileSync(path, 'utf8');
  const [attribute = '', source = '', name = ''] = / src="(\/(\w+)\/start\.ts)"/.exec(html) ?? [];
  const built = join(site, assets.get(source)?.served ?? '');
  const script = `{${readFileSync(built, 'utf8').trim()}}`;
  rmSync(built);
  writeFileSync(
    path,
    html.replace(attribute, '').replace(/(?<=<script>)(?=<\/script>)/, () => script),
  );
  allowByDigest(join(site, '_headers'), `${name}-start`, script);
}

/**
 * The panel's page contains its script, which saves a round trip before the first view. The name and the lead of the
 * view come before the script, and a script of a line shows them. Later scripts find the exports of the page's script
 * in `panel`, because nothing can import a script inside a page.
 */
function inlinePanel(site: string, assets: Assets): void {
  const { served = '' } = assets.get(`/${PANEL}`) ?? {};
  for (const path of globSync('assets/*.js', { cwd: site })) {
    const code = readFileSync(join(site, path), 'utf8');
    const changed = code
      .replace(`import"${served}";`, '')
      .replace(new RegExp(`import\\{([^}]*)\\}from"${served}";`), (_, names: string) => {
        return `const{${names.replaceAll(' as ', ':')}}=panel;`;
      });
    writeFileSync(join(site, path), changed);
  }
  const script = readFileSync(join(site, served), 'utf8')
    .trim()
    .replace(/export\{([^}]*)\};$/, (_, names: string) => {
      return `globalThis.panel={${names.replaceAll(/([\w$]+) as ([\w$]+)/g, '$2:$1')}};`;
    });
  rmSync(join(site, served));
  const page = join(site, 'panel/index.html');
  const html = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    html.replace(/ src="\/panel\/panel.tsx">(?=<\/script>)/, () => `>${script}`),
  );
  for (const [name, text] of [
    ['panel-frame', FRAME],
    ['panel-page', script],
  ] as const) {
    allowByDigest(join(site, '_headers'), name, text);
  }
}

/** Styles inside the page save a round trip: the head is visible once the page arrives. Indents go. */
function inlineStyles(site: string, page: string, assets: Assets): void {
  const path = join(site, page);
  const html = readFileSync(path, 'utf8');
  const links = [...html.matchAll(/<link rel="stylesheet" href="(\/(\w+)\/\w+\.css)">\s*/g)];
  const styles = links
    .map(([, source = '']) => readFileSync(join(site, assets.get(source)?.served ?? ''), 'utf8'))
    .map((css) => css.trim())
    .join('');
  const [[first = '', , name = ''] = []] = links;
  const without = links.slice(1).reduce((rest, [link]) => rest.replace(link, ''), html);
  writeFileSync(
    path,
    without.replaceAll(/\n +/g, '\n').replace(first.trim(), () => `<style>${styles}</style>`),
  );
  allowByDigest(join(site, '_headers'), `${name}-styles`, styles);
}

/** Puts the digest of a text inside a page into the policy of the page. */
export function allowByDigest(headers: string, name: string, text: string): void {
  const digest = createHash('sha256').update(text).digest('base64');
  writeFileSync(headers, readFileSync(headers, 'utf8').replace(`{{${name}}}`, digest));
}

const buildWorker = (site: string): string =>
  buildSync({
    entryPoints: [join(site, WORKER)],
    minify: true,
    target: 'es2022',
    write: false,
    format: 'esm',
  })
    .outputFiles.map(({ text }) => text)
    .join('');

/**
 * Bundles each entry and its imports into a file. The file name contains a content hash, so browsers may cache the file
 * forever.
 */
function bundle(site: string): Assets {
  const name = '[name]-[hash]';
  // Each entry is built alone: shared code would otherwise be a third file to load.
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
      jsx: 'automatic',
      jsxImportSource: 'preact',
      define: Object.fromEntries(
        Object.entries(LIMITS).map(([name, limit]) => [
          name.toUpperCase().replaceAll('-', '_'),
          limit,
        ]),
      ),
      loader: { '.woff2': 'file' },
      nodePaths: [PACKAGES],
    });
    const { outputs } = metafile;
    return Object.entries(outputs)
      .filter(([path, { entryPoint }]) => entryPoint !== undefined || IS_FONT.test(path))
      .map(([path, { entryPoint, imports, inputs }]) => {
        // esbuild moves a shared entry into a chunk, and the entry only loads the chunk: the chunk is served.
        const [chunk] = imports;
        const isChunk =
          entryPoint === entry && chunk !== undefined && Object.keys(inputs).length === 0;
        const served = isChunk ? chunk.path : path;
        if (isChunk) rmSync(join(site, path));
        const asset = { served: `/${served}`, imports: [...importsOf(outputs, served)] };
        return [`/${entryPoint ?? FONT}`, asset] as const;
      });
  });
  for (const path of SHARED) rmSync(join(site, basename(path)), { recursive: true });
  for (const path of globSync(
    ['board', 'panel', 'docs', 'shared'].map((part) => `${part}/**/*.{ts,tsx,css,json}`),
    { cwd: site },
  )) {
    rmSync(join(site, path));
  }
  return new Map(built);
}

/** The files that a script imports, and the imports of these files. */
function importsOf(outputs: Metafile['outputs'], script: string): Set<string> {
  const imports = outputs[script]?.imports.filter(({ kind }) => kind === 'import-statement') ?? [];
  return new Set(imports.flatMap(({ path }) => [`/${path}`, ...importsOf(outputs, path)]));
}

/**
 * Replaces the path of each script and style sheet in the HTML files by the served path. Imports of a script are
 * preloaded: a browser learns of imports too late otherwise. Imports of a later script are linked beside the script.
 */
export function nameAssets(site: string, assets: Assets): void {
  for (const path of globSync('**/*.html', { cwd: site })) {
    const html = readFileSync(join(site, path), 'utf8');
    const assetOf = (source: string) => {
      const asset = assets.get(source);
      if (asset === undefined) throw new Error(`${path} names ${source}, which is not built.`);
      return asset;
    };
    const named = html
      .replace(
        /(<link class="later-script" data-part="\w+" href=")([/\w-]+\.tsx?)(">)/g,
        (...parts) => {
          const [, start, source, end] = parts;
          const { served, imports } = assetOf(source);
          return [served, ...imports]
            .filter((file) => existsSync(join(site, file)))
            .map((file) => start + file + end)
            .join('');
        },
      )
      .replace(
        /<script type="module" src="(\/\w+\/\w+\.tsx?)"/g,
        (script, source: string) =>
          assetOf(source)
            .imports.map((imported) => `<link rel="modulepreload" href="${imported}">`)
            .join('') + script,
      )
      .replace(
        /(?<=(?:href|src)=")\/\w+\/\w+\.(?:tsx?|css|woff2)(?=")/g,
        (source) => assetOf(source).served,
      );
    writeFileSync(join(site, path), named);
  }
}
