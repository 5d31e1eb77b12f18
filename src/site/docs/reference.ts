import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { modulesOf, preloadLinks } from '../modules.ts';
import { page, STYLES } from './page.ts';

const PACKAGE = join(import.meta.dirname, '../../../node_modules/@scalar/api-reference');
const MODULES = join(PACKAGE, 'dist/browser');
const ENTRY = 'standalone.esm.js';

/** The path contains the version, so caches may keep the files forever. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')));
const SERVED = `docs/scalar/${version}`;

/** The page `/docs/reference`: Scalar's interactive reference. Its modules come from this origin. */
export const referencePage = (): string =>
  page({
    path: '/docs/reference',
    title: 'Reference',
    description: 'Every operation of the API, to be tried from the page.',
    head: [
      STYLES,
      preloadLinks(modulesOf(MODULES, ENTRY).map((path) => `${SERVED}/${path}`)),
      '<script type="module" src="/docs/reference.js"></script>',
    ].join('\n    '),
    body: `<noscript><p class="guide">The reference needs JavaScript. You can read the
      <a href="/docs">guides</a> and <a href="/openapi.json">openapi.json</a> without it.</p></noscript>
    <div id="content"><div id="reference" data-scalar="/${SERVED}/${ENTRY}"></div></div>`,
  });

/** Copies Scalar's modules into the folder that the Worker serves. */
export function copyScalar(site: string): void {
  const to = join(site, SERVED);
  mkdirSync(join(to, 'chunks'), { recursive: true });
  copyFileSync(join(MODULES, ENTRY), join(to, ENTRY));
  for (const name of readdirSync(join(MODULES, 'chunks'))) {
    if (name.endsWith('.js')) copyFileSync(join(MODULES, 'chunks', name), join(to, 'chunks', name));
  }
}
