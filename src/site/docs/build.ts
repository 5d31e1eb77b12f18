import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FACTS } from '../facts.ts';
import type { Assets } from '../pages.ts';
import { consolePage, copyScalar } from './console.ts';
import { guidePage, readGuide, sectionsOf, withSamples } from './guide.ts';
import { llmsText } from './llms.ts';
import { GUIDES, STYLE_SHEET } from './page.ts';
import { referencePages } from './reference.ts';
import { startPage } from './start.ts';

/** Writes the documentation into the folder that the Worker serves, beside the files of `public`. */
export function buildDocs(site: string, assets: Assets): void {
  const folder = join(site, 'docs');
  mkdirSync(join(folder, 'reference'), { recursive: true });
  const guides = GUIDES.map(({ slug }) => {
    const markdown = readFileSync(join(import.meta.dirname, `guides/${slug}.md`), 'utf8');
    return readGuide(slug, markdown, FACTS);
  });
  const reference = referencePages();
  for (const page of [...guides, ...reference]) {
    writeFileSync(join(folder, `${page.slug}.html`), guidePage(page));
  }
  for (const { slug, markdown } of guides) {
    writeFileSync(join(folder, `${slug}.md`), withSamples(markdown));
  }
  const whole = reference.map(({ markdown }) => withSamples(markdown)).join('\n\n');
  writeFileSync(join(folder, 'reference.md'), whole);
  const index = [...guides, ...reference]
    .flatMap(sectionsOf)
    .map(({ href, guide, title, text }) => [href, guide, title, text]);
  writeFileSync(join(folder, 'search.json'), JSON.stringify(index));
  writeFileSync(join(folder, 'console.html'), consolePage());
  writeFileSync(join(site, 'llms.txt'), llmsText(guides));
  const styles = readFileSync(join(site, assets.get(`/${STYLE_SHEET}`) ?? ''), 'utf8');
  writeFileSync(join(folder, 'index.html'), startPage(guides, styles));
  allowStartStyles(join(site, '_headers'), styles);
  copyScalar(site);
}

/** The policy of the start page allows its own styles by their digest. */
function allowStartStyles(headers: string, styles: string): void {
  const digest = createHash('sha256').update(styles).digest('base64');
  const policies = readFileSync(headers, 'utf8');
  writeFileSync(headers, policies.replace('{{start-styles}}', digest));
}
