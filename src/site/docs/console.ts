import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { page } from './page.ts';

const PACKAGE = join(import.meta.dirname, '../../../node_modules/@scalar/api-reference');
const MODULES = join(PACKAGE, 'dist/browser');
const ENTRY = 'standalone.esm.js';

/** The path contains the version, so caches may keep the files forever. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')));
const SERVED = `docs/scalar/${version}`;

/** The page `/docs/console`: Scalar, which sends requests from the page. Its modules come from this origin. */
export const consolePage = (): string =>
  page({
    path: '/docs/console',
    title: 'Console',
    description: 'Send requests to the API from the page.',
    head: `<link rel="stylesheet" href="/docs/console.css">
    <script type="module" src="/docs/console.js"></script>`,
    body: `<noscript><p>The console needs JavaScript. The <a href="/docs/reference">reference</a> does not.</p></noscript>
    <div id="content"><div id="console" data-scalar="/${SERVED}/${ENTRY}"><p role="status">Loading the console…</p></div></div>`,
    hasSearch: false,
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
