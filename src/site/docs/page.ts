import { TAGS } from '../openapi/operations.ts';

type Guide = { slug: string; label: string };

export type Language = 'en' | 'es';

/**
 * A link of the bar or of the list at the side. `hreflang` and `lang` are set if the language of the page or of the
 * label differs.
 */
type Link = { path: string; label: string; hreflang?: Language; lang?: Language };

/** The guides in reading order, under the headings of the navigation. `guides/<slug>.md` becomes `/docs/<slug>`. */
export const GUIDE_GROUPS = [
  {
    title: 'Start',
    guides: [
      { slug: 'quickstart', label: 'Quickstart', about: 'From a key to results on the board.' },
      { slug: 'keys', label: 'Keys and scopes', about: 'Create, replace and revoke API keys.' },
      {
        slug: 'errors',
        label: 'Errors and limits',
        about: 'Error codes, limits, and what to do about each.',
      },
    ],
  },
  {
    title: 'Timing',
    guides: [
      {
        slug: 'live-folder',
        label: 'Live from a folder',
        about: 'The command that sends what timing software writes.',
      },
      {
        slug: 'timing-software',
        label: 'Your timing software',
        about: 'RACE RESULT, ChronoTrack, Orbits, Webscorer, Excel.',
      },
      {
        slug: 'csv',
        label: 'Results files',
        about: 'Columns and times of CSV files and workbooks, and what to change in an export.',
      },
      {
        slug: 'live-timing',
        label: 'Live timing',
        about: 'Send arrivals every few seconds over a bad network.',
      },
      {
        slug: 'on-the-course',
        label: 'On the course',
        about: 'Send what timing points before the finish see.',
      },
    ],
  },
  {
    title: 'Integrating',
    guides: [
      {
        slug: 'results',
        label: 'Results and polling',
        about: 'Read results with their positions, whole or by page.',
      },
      {
        slug: 'crm',
        label: 'Participants',
        about: 'Keep another system in step with the registrations.',
      },
      {
        slug: 'event',
        label: 'Events and statistics',
        about: 'The states of an event, its counts, and how times are written.',
      },
      { slug: 'client', label: 'Client', about: 'The typed client for JavaScript and TypeScript.' },
      { slug: 'versioning', label: 'Versions', about: 'What may change, and what never does.' },
      { slug: 'changelog', label: 'Changelog', about: 'What each version has.' },
    ],
  },
  {
    title: 'Organizing',
    guides: [
      {
        slug: 'organizing',
        label: 'The panel',
        about: 'Send a file, correct a result, hide a runner, download the results.',
      },
      {
        slug: 'board',
        label: 'Live board',
        about: 'Show the results during the race, on phones and on a wall.',
      },
      {
        slug: 'own-site',
        label: 'Results on your own site',
        about: 'Read what the live board shows from a page of your own.',
      },
      {
        slug: 'official',
        label: 'Official results',
        about: 'Sign the results, and check them offline.',
      },
    ],
  },
] as const satisfies { title: string; guides: (Guide & { about: string })[] }[];

/** All guides in reading order. */
export const GUIDES = GUIDE_GROUPS.flatMap(({ guides }): (Guide & { about: string })[] => [
  ...guides,
]);

/** The page of the reference for a tag of the document. */
export const slugOf = (tag: string): string =>
  `reference/${tag.toLowerCase().replaceAll(' ', '-')}`;

/** The pages of the reference. */
const REFERENCE: readonly Guide[] = [
  { slug: 'reference', label: 'Reference' },
  ...Object.keys(TAGS).map((tag) => ({ slug: slugOf(tag), label: tag })),
];

/** The path of a page. The start page has the slug `index`. */
export const pathOf = (slug: string): string => `/docs/${slug}`.replace(/\/index$/, '');

/** The guides with a Spanish translation, at `/docs/es/<slug>`: the panel links to these guides. */
const SPANISH_GUIDES: readonly Guide[] = [{ slug: 'organizing', label: 'Organizar una carrera' }];

/** The pages with a Spanish translation. */
export const SPANISH = ['index', ...SPANISH_GUIDES.map(({ slug }) => slug)];

/** The page that verifies official results, in each language. */
export const VERIFY = 'verify';

/** The words around a guide. */
type Words = {
  skip: string;
  contents: string;
  site: string;
  guides: string;
  searchHint: string;
  search: string;
  bar: readonly Link[];
};

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    skip: 'Skip to the text',
    contents: 'On this page',
    site: 'Site',
    guides: 'Documentation',
    searchHint: 'Search ( / )',
    search: 'Search the documentation',
    bar: [
      { path: '/docs', label: 'Documentation' },
      { path: '/docs/reference', label: 'Reference' },
      { path: '/panel', label: 'Panel' },
    ],
  },
  es: {
    skip: 'Ir al texto',
    contents: 'En esta página',
    site: 'Sitio',
    guides: 'Documentación',
    searchHint: 'Buscar ( / )',
    search: 'Buscar en la documentación',
    bar: [
      { path: '/docs/es', label: 'Guías' },
      { path: '/docs/reference', label: 'Referencia (en inglés)', hreflang: 'en' },
      { path: '/panel', label: 'Panel' },
    ],
  },
};

/** The link to a page in the second language, if translated. */
function otherLanguage(path: string, lang: Language): string {
  const slug = [...SPANISH, VERIFY].find(
    (one) => path === pathOf(lang === 'es' ? `es/${one}` : one),
  );
  if (slug === undefined) return '';
  return lang === 'es'
    ? navLink({ path: pathOf(slug), label: 'English', hreflang: 'en', lang: 'en' }, path)
    : navLink({ path: pathOf(`es/${slug}`), label: 'Español', hreflang: 'es', lang: 'es' }, path);
}

type Page = {
  lang?: Language;
  /** The path of the page. The navigation marks its link. */
  path: string;
  title: string;
  description: string;
  /** Links to style sheets and scripts, or the styles themselves. */
  head: string;
  /** The HTML after the bar. The body contains `main` with the id `content`. */
  body: string;
  hasSearch?: boolean;
};

const searchIn = ({ searchHint, search }: Words): string => `<search id="search" class="search">
        <input type="search" id="search-words" class="input" role="combobox" aria-expanded="false" aria-controls="search-results" placeholder="${searchHint}" aria-label="${search}" autocomplete="off" spellcheck="false">
        <div id="search-results" class="card results" hidden></div>
      </search>`;

/** The style sheet and the script of every page. */
export const STYLE_SHEET = 'docs/docs.css';
/** This script runs before the samples are shown. */
export const LANGUAGE_SCRIPT = '<script src="/docs/language.ts"></script>\n    ';
export const SCRIPT = '<script type="module" src="/docs/docs.ts"></script>';
export const STYLES = `<link rel="stylesheet" href="/${STYLE_SHEET}">`;

/** Makes a page of the documentation, with the bar above the text. */
export const page = ({
  lang = 'en',
  path,
  title,
  description,
  head,
  body,
  hasSearch = true,
}: Page): string => `<!doctype html>
<html lang="${lang}">
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
    <a class="skip" href="#content">${WORDS[lang].skip}</a>
    <header class="bar">
      <img src="/favicon.svg" alt="" width="24" height="24">
      <nav aria-label="${WORDS[lang].site}">
        ${navLinks(WORDS[lang].bar, path)}
      </nav>
      ${hasSearch ? searchIn(WORDS[lang]) : ''}
      ${otherLanguage(path, lang)}
    </header>
    ${body}
  </body>
</html>
`;

type Group = { title: string; links: readonly Link[] };

const linkTo = ({ slug, label }: Guide): Link => ({ path: pathOf(slug), label });

/** The links at the side of a page: all guides under their headings, or all pages of the reference. */
export function guideList(current: string, lang: Language = 'en'): string {
  const lists = groupsFor(current, lang).map(
    ({ title, links }) => `${title && `<p>${title}</p>`}\n        ${navLinks(links, current)}`,
  );
  return `<nav class="guides" aria-label="${WORDS[lang].guides}">${lists.join('\n        ')}</nav>`;
}

function groupsFor(current: string, lang: Language): Group[] {
  if (lang === 'es') return SPANISH_GROUPS;
  const isReference = REFERENCE.some(({ slug }) => pathOf(slug) === current);
  if (isReference) return [{ title: '', links: REFERENCE.map(linkTo) }];
  return GUIDE_GROUPS.map(({ title, guides }) => ({ title, links: guides.map(linkTo) }));
}

/** Beside a Spanish page, untranslated guides have their English names. */
const SPANISH_GROUPS: Group[] = [
  {
    title: 'En español',
    links: SPANISH_GUIDES.map(({ slug, label }) => linkTo({ slug: `es/${slug}`, label })),
  },
  {
    title: 'En inglés',
    links: GUIDES.filter(({ slug }) => !SPANISH.includes(slug)).map((guide) => ({
      ...linkTo(guide),
      hreflang: 'en',
      lang: 'en',
    })),
  },
];

const navLinks = (links: readonly Link[], current: string): string =>
  links.map((link) => navLink(link, current)).join('\n        ');

function navLink({ path, label, hreflang, lang }: Link, current: string): string {
  const attributes = [
    `href="${path}"`,
    hreflang && `hreflang="${hreflang}"`,
    lang && `lang="${lang}"`,
    path === current && 'aria-current="page"',
  ];
  return `<a ${attributes.filter(Boolean).join(' ')}>${label}</a>`;
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
