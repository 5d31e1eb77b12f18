import { TAGS } from '../openapi/operations.ts';

type Guide = {
  slug: string;
  label: string;
  /** The guide that this one belongs to. Only there the navigation shows it. */
  under?: string;
};

/** The guides in reading order. `guides/<slug>.md` becomes `/docs/<slug>`. */
export const GUIDES: readonly Guide[] = [
  { slug: 'quickstart', label: 'Quickstart' },
  { slug: 'keys', label: 'Keys and scopes' },
  { slug: 'event', label: 'Events and statistics' },
  { slug: 'crm', label: 'Participants' },
  { slug: 'results', label: 'Results and polling' },
  { slug: 'live-folder', label: 'Live from a folder' },
  { slug: 'race-result', label: 'RACE RESULT', under: 'live-folder' },
  { slug: 'chronotrack', label: 'ChronoTrack', under: 'live-folder' },
  { slug: 'orbits', label: 'Orbits', under: 'live-folder' },
  { slug: 'webscorer', label: 'Webscorer', under: 'live-folder' },
  { slug: 'excel', label: 'Excel', under: 'live-folder' },
  { slug: 'live-timing', label: 'Live timing' },
  { slug: 'csv', label: 'CSV files' },
  { slug: 'board', label: 'Live board' },
  { slug: 'errors', label: 'Errors and limits' },
  { slug: 'client', label: 'Client' },
  { slug: 'rehearsal', label: 'Rehearsal' },
  { slug: 'versioning', label: 'Versions' },
  { slug: 'changelog', label: 'Changelog' },
];

const BAR = [
  { path: '/docs', label: 'Documentation' },
  { path: '/docs/reference', label: 'Reference' },
  { path: '/docs/console', label: 'Console' },
  { path: '/panel', label: 'API keys' },
];

/** The page of the reference for a tag of the document. */
export const slugOf = (tag: string): string =>
  `reference/${tag.toLowerCase().replaceAll(' ', '-')}`;

/** The pages of the reference. */
const REFERENCE: readonly Guide[] = [
  { slug: 'reference', label: 'Reference' },
  ...Object.keys(TAGS).map((tag) => ({ slug: slugOf(tag), label: tag })),
];

/** The path of a page. The start page has the slug `index`. */
export const pathOf = (slug: string): string => (slug === 'index' ? '/docs' : `/docs/${slug}`);

/** The guides that the navigation shows on the page with this path. */
function guidesBeside(path: string): readonly Guide[] {
  if (REFERENCE.some((guide) => pathOf(guide.slug) === path)) return REFERENCE;
  const current = GUIDES.find((guide) => pathOf(guide.slug) === path);
  const open = current?.under ?? current?.slug;
  return GUIDES.filter(({ under }) => under === undefined || under === open);
}

type Page = {
  /** The path of the page. The navigation marks its link. */
  path: string;
  title: string;
  description: string;
  /** Links to style sheets and scripts, or the styles themselves. */
  head: string;
  /** The HTML after the bar. It contains `main` with the id `content`. */
  body: string;
  hasSearch?: boolean;
};

const SEARCH = `<search id="search" class="search">
        <input type="search" id="search-words" class="input" role="combobox" aria-expanded="false" aria-controls="search-results" placeholder="Search ( / )" aria-label="Search the documentation" autocomplete="off" spellcheck="false">
        <div id="search-results" class="card results" hidden></div>
      </search>`;

/** The style sheet and the script of every page except the console. */
export const STYLE_SHEET = 'docs/docs.css';
export const SCRIPT = '<script type="module" src="/docs/docs.js"></script>';
export const STYLES = `<link rel="stylesheet" href="/${STYLE_SHEET}">`;

/** Makes a page of the documentation with the bar above it. */
export const page = ({
  path,
  title,
  description,
  head,
  body,
  hasSearch = true,
}: Page): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="description" content="${description}">
    <title>${title} · Race Results API</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    ${head}
  </head>
  <body>
    <a class="skip" href="#content">Skip to the text</a>
    <header class="bar">
      <img src="/favicon.svg" alt="" width="24" height="24">
      <nav aria-label="Site">
        ${BAR.map((link) => navLink(link, path)).join('\n        ')}
      </nav>
      ${hasSearch ? SEARCH : ''}
    </header>
    ${body}
  </body>
</html>
`;

/** The list of all guides, for the side of a guide. */
export const guideList = (
  current: string,
): string => `<nav class="guides" aria-label="Documentation">
        ${guidesBeside(current)
          .map((guide) => navLink({ path: pathOf(guide.slug), label: guide.label }, current))
          .join('\n        ')}
      </nav>`;

const navLink = ({ path, label }: { path: string; label: string }, current: string): string =>
  `<a href="${path}"${path === current ? ' aria-current="page"' : ''}>${label}</a>`;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
