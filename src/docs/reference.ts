import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { page } from './page.ts';

const PACKAGE = join(import.meta.dirname, '../../node_modules/@scalar/api-reference');
const MODULES = join(PACKAGE, 'dist/browser');
const ENTRY = 'standalone.esm.js';

/** Its version is in its path: what is served there never changes. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')));
const SERVED = `/docs/scalar/${version}`;

/** The page `/docs`: Scalar's interactive reference, loaded as modules from this origin. */
export const referencePage = (): string =>
  page({
    path: '/docs',
    title: 'Reference',
    head: [
      ...firstModules().map((path) => `<link rel="modulepreload" href="${SERVED}/${path}">`),
      '<script type="module" src="/docs/reference.js"></script>',
    ].join('\n    '),
    body: `<noscript><p class="guide">The reference needs JavaScript. The guides do not, and the whole
      API is described in <a href="/openapi.json">openapi.json</a>.</p></noscript>
    <main id="content"><div id="reference" data-scalar="${SERVED}/${ENTRY}"></div></main>`,
  });

/** Copies Scalar's modules to where the page loads them from. */
export function copyScalar(site: string): void {
  const to = join(site, SERVED);
  mkdirSync(join(to, 'chunks'), { recursive: true });
  copyFileSync(join(MODULES, ENTRY), join(to, ENTRY));
  for (const name of readdirSync(join(MODULES, 'chunks'))) {
    if (name.endsWith('.js')) copyFileSync(join(MODULES, 'chunks', name), join(to, 'chunks', name));
  }
}

/** The modules that the page cannot start without, so that they are fetched all at once. */
function firstModules(): string[] {
  const found = new Set<string>();
  const follow = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    const source = readFileSync(join(MODULES, path), 'utf8');
    for (const [, imported = ''] of source.matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g)) {
      follow(join(dirname(path), imported));
    }
  };
  follow(ENTRY);
  return [...found];
}
