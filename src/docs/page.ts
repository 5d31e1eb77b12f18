/** The guides, in the order in which they are read: `guides/<slug>.md` becomes `/docs/<slug>`. */
export const GUIDES = [
  { slug: 'quickstart', label: 'Quickstart' },
  { slug: 'live-timing', label: 'Live timing' },
  { slug: 'csv', label: 'CSV files' },
  { slug: 'errors', label: 'Errors and limits' },
  { slug: 'client', label: 'Client' },
  { slug: 'versioning', label: 'Versions' },
  { slug: 'changelog', label: 'Changelog' },
] as const;

const LINKS = [
  { path: '/docs', label: 'Reference' },
  ...GUIDES.map(({ slug, label }) => ({ path: `/docs/${slug}`, label })),
  { path: '/panel', label: 'API keys' },
];

type Page = {
  /** Where it is served; its link is marked as the current one. */
  path: string;
  title: string;
  head?: string;
  /** What follows the bar; holds the page's `main`, with the id `content`. */
  body: string;
};

/** A page of the documentation as HTML: the bar with all the others, and its own. */
export const page = ({ path, title, head = '', body }: Page): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} · Race Results API</title>
    <link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/docs/docs.css">
    ${head}
  </head>
  <body>
    <a class="skip" href="#content">Skip to the text</a>
    <header class="bar">
      <img src="/docs/icon.svg" alt="" width="24" height="24">
      <nav aria-label="Documentation">
        ${LINKS.map((link) => navLink(link, path)).join('\n        ')}
      </nav>
    </header>
    ${body}
  </body>
</html>
`;

const navLink = ({ path, label }: (typeof LINKS)[number], current: string): string =>
  `<a href="${path}"${path === current ? ' aria-current="page"' : ''}>${label}</a>`;
