import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FACTS } from '../facts.ts';
import { type Facts, fill } from '../fill.ts';
import { type Assets, allowByDigest } from '../pages.ts';
import { boardPicture } from './board-picture.ts';
import { type Guide, guidePage, readGuide, sectionsOf, withSamples } from './guide.ts';
import { GUIDE_GROUPS, GUIDES, SPANISH, STYLE_SHEET, STYLES } from './page.ts';
import { referencePages } from './reference.ts';
import { verifyPage } from './verify-page.ts';

/** Writes the documentation into the folder that the Worker serves, beside the files of `public`. */
export function buildDocs(site: string, assets: Assets): void {
  const folder = join(site, 'docs');
  for (const part of ['reference', 'es']) mkdirSync(join(folder, part), { recursive: true });
  const guides = GUIDES.map(({ slug }) => read(slug, FACTS));
  const spanish = SPANISH.map((slug) => read(`es/${slug}`, FACTS));
  const start = read('index', { guides: linksTo((slug) => slug), board: boardPicture() });
  const reference = referencePages();
  const styles = readFileSync(join(site, assets.get(`/${STYLE_SHEET}`)?.served ?? ''), 'utf8');
  allowByDigest(join(site, '_headers'), 'start-styles', styles);
  for (const page of [start, ...guides, ...spanish, ...reference]) {
    // The start page contains its styles, so that a single round trip makes the page readable.
    const html = guidePage(page, page === start ? `<style>${styles}</style>` : STYLES);
    writeFileSync(join(folder, `${page.slug}.html`), html);
  }
  for (const { slug, markdown } of [...guides, ...spanish]) {
    writeFileSync(join(folder, `${slug}.md`), withSamples(markdown));
  }
  writeFileSync(join(folder, 'verify.html'), verifyPage('en'));
  writeFileSync(join(folder, 'es/verify.html'), verifyPage('es'));
  const whole = reference.map(({ markdown }) => withSamples(markdown)).join('\n\n');
  writeFileSync(join(folder, 'reference.md'), whole);
  const english = [start, ...guides, ...reference];
  // The search of a Spanish page also finds English pages without a Spanish translation.
  const untranslated = english.filter(({ slug }) => !SPANISH.includes(slug));
  writeFileSync(join(folder, 'search.json'), indexOf(english));
  writeFileSync(join(folder, 'es/search.json'), indexOf([...spanish, ...untranslated]));
  const llms = join(site, 'llms.txt');
  writeFileSync(
    llms,
    fill(readFileSync(llms, 'utf8'), { guides: linksTo((slug) => `${slug}.md`) }),
  );
}

/** The index of the search: the parts of the pages. */
const indexOf = (pages: Guide[]): string =>
  JSON.stringify(
    pages.flatMap(sectionsOf).map(({ href, guide, title, text }) => [href, guide, title, text]),
  );

const read = (slug: string, facts: Facts): Guide =>
  readGuide(slug, readFileSync(join(import.meta.dirname, `guides/${slug}.md`), 'utf8'), facts);

/** The guides in Markdown, a list under each heading. */
const linksTo = (fileOf: (slug: string) => string): string =>
  GUIDE_GROUPS.map(({ title, guides }) => {
    const links = guides.map(
      ({ slug, label, about }) => `- [${label}](/docs/${fileOf(slug)}): ${about}`,
    );
    return [`### ${title}`, '', ...links].join('\n');
  }).join('\n\n');
