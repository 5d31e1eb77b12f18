import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ERROR_STATUS } from '../../worker/errors.ts';
import { SCOPES } from '../../worker/scopes.ts';
import { errorTable } from '../error-codes.ts';
import { FACTS } from '../facts.ts';
import { anchorOf, guidePage, readGuide, sectionsOf } from './guide.ts';
import { GUIDES, pathOf, SPANISH } from './page.ts';
import { scopeTable } from './scope-table.ts';

const guideOf = (markdown: string, facts = {}) =>
  readGuide('csv', `# Title\n\nAbout it.\n\n${markdown}`, facts);

const mainOf = (markdown: string, facts = {}): string => guidePage(guideOf(markdown, facts));

describe('the page of a guide', () => {
  test('contains the facts of the code', () => {
    expect(mainOf('Up to {{rows-per-csv-upload}} rows.', FACTS)).toContain('100\u202f000 rows');
    expect(() => mainOf('Up to {{rows}} rows.', FACTS)).toThrow('No fact is named rows.');
  });

  test('refuses a guide without a title or a first paragraph', () => {
    expect(() => readGuide('csv', 'No heading.', {})).toThrow('has no title');
    expect(() => readGuide('csv', '# Only a title', {})).toThrow('has no first paragraph');
  });

  test('describes itself with its first paragraph', () => {
    const { about } = readGuide('csv', '# Title\n\nA `file` of\n"[results](/docs)".', {});
    expect(about).toBe('A file of "results".');
    expect(guidePage({ slug: 'csv', title: 'Title', about, markdown: '' })).toContain(
      '<meta name="description" content="A file of &quot;results&quot;.">',
    );
  });

  test('lists its parts', () => {
    expect(mainOf('## One `a`\n\n### Not this\n\n## Two & more')).toContain(
      '<ul><li><a href="#one-a">One a</a></li><li><a href="#two-more">Two &amp; more</a></li></ul>',
    );
    expect(mainOf('## Alone')).not.toContain('On this page');
  });

  test('marks what the page replaces in commands, and only there', () => {
    const command = 'API=http://localhost\nKEY=er_…\ncurl -H "X: $KEY" "$API/e/$EVENT"';
    expect(mainOf(`\`\`\`sh\n${command}\n\`\`\``)).toContain(
      '<pre tabindex="0"><code>API=<span data-sample="api">http://localhost</span>\n' +
        'KEY=<span data-sample="key">er_…</span>\n' +
        '<span class="k">curl</span> <span class="n">-H</span> ' +
        '<span class="s">"X: <span data-sample="key">$KEY</span>"</span> ' +
        '<span class="s">"<span data-sample="api">$API</span>/e/<span data-sample="event">$EVENT</span>"</span>\n</code>',
    );
    expect(mainOf('```json\n{"a": "$KEY"}\n```')).toContain(
      '<pre tabindex="0"><code>{<span class="k">"a"</span>: <span class="s">"$KEY"</span>}',
    );
  });

  test('escapes code', () => {
    expect(mainOf('```sh\ncurl "$A" <b> &amp;\n```')).toContain(
      '<div class="block"><div class="head"><span>Shell</span>' +
        '<button type="button" class="button copy">Copy</button></div>' +
        '<pre tabindex="0"><code><span class="k">curl</span> <span class="s">"$A"</span> &lt;b&gt; &amp;amp;\n</code></pre>',
    );
  });

  test('names the column in every cell of a table', () => {
    const html = mainOf('| Code | What to do |\n|---|---|\n| `A` | [Wait](/docs/errors). |');
    expect(html).toContain('<td data-column="What to do"><a href="/docs/errors">Wait</a>.</td>');
  });

  test('has an id for each heading', () => {
    expect(anchorOf('What to do with `failed`')).toBe('what-to-do-with-failed');
    expect(mainOf('## Why a retry is safe')).toContain('<h2 id="why-a-retry-is-safe">');
  });

  test('links to the previous and the next guide', () => {
    const html = mainOf('');
    expect(html).toContain('<a rel="prev" href="/docs/timing-software">');
    expect(html).toContain('<a rel="next" href="/docs/live-timing">');
  });
});

test('lists every error code with its status', () => {
  const rows = errorTable().split('\n');
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    expect(rows.filter((row) => row.startsWith(`| \`${code}\` | ${status} | `))).toHaveLength(1);
  }
});

test('finds every part of a guide with its words', () => {
  const guide = guideOf(
    '## A `table`\n\n| Code | Do |\n|---|---|\n| `A` | Wait |\n\n- one\n- **two**',
  );
  expect(sectionsOf(guide)).toEqual([
    { href: '/docs/csv', guide: 'Title', title: 'Title', text: 'About it.' },
    {
      href: '/docs/csv#a-table',
      guide: 'Title',
      title: 'A table',
      text: 'Code Do A Wait one two',
    },
  ]);
});

test('lists every scope with the operations that need it', () => {
  const rows = scopeTable().split('\n').slice(2);
  expect(rows).toHaveLength(SCOPES.length);
  expect(rows.find((row) => row.includes('`results:write`'))).toContain('`uploadEventResults`');
  const reserved = rows.filter((row) => row.includes('No operation needs it yet.'));
  expect(reserved.map((row) => row.split('`')[1])).toEqual(['payments:read']);
  for (const row of reserved) expect(row).toContain('| Reserved. |');
});

test('speaks Spanish around a Spanish guide', () => {
  const guide = readGuide(
    'es/organizing',
    '# Organizar una carrera\n\nTexto.\n\n```sh\ncurl "$KEY"\n```',
    {},
  );
  const html = guidePage(guide);
  expect(html).toContain('placeholder="Buscar ( / )" aria-label="Buscar en la documentación"');
  expect(html).toContain('<nav aria-label="Sitio">');
  expect(html).toContain('<a href="/docs/es">Guías</a>');
  expect(html).toContain('<a href="/docs/reference" hreflang="en">Referencia (en inglés)</a>');
  const [, list = ''] =
    /<nav class="guides" aria-label="Documentación">(.+?)<\/nav>/s.exec(html) ?? [];
  const [spanish = '', english = ''] = list.split('<p>En inglés</p>');
  expect(spanish).toContain('<p>En español</p>');
  expect([...spanish.matchAll(/<a.+<\/a>/g)].map(String)).toEqual([
    '<a href="/docs/es/organizing" aria-current="page">Organizar una carrera</a>',
  ]);
  const links = [...english.matchAll(/<a href="\/docs\/([^"]+)" hreflang="en" lang="en">/g)];
  expect(links.map(([, slug]) => slug)).toEqual(
    GUIDES.map(({ slug }) => slug).filter((slug) => !SPANISH.includes(slug)),
  );
  expect(html).toContain('>Copiar</button>');
  expect(html).toContain('Tu clave de API');
  expect(html).not.toMatch(/>(Documentation|Copy|Your API key)</);
});

test('names the parts of the panel in Spanish as the panel does', () => {
  const panel = join(import.meta.dirname, '../panel/public/panel');
  const texts = globSync('**/es.json', { cwd: panel }).flatMap((path) =>
    Object.values(
      JSON.parse(readFileSync(join(panel, path), 'utf8')) as Record<
        string,
        string | Record<string, string>
      >,
    ),
  );
  const known = texts.flatMap((text) => (typeof text === 'string' ? text : Object.values(text)));
  for (const slug of SPANISH) {
    const guide = readFileSync(join(import.meta.dirname, `guides/es/${slug}.md`), 'utf8');
    const named = [...guide.matchAll(/\*\*(.+?)\*\*/gs)].map(([, name = '']) =>
      name.replace(/\s+/g, ' '),
    );
    expect(named.filter((name) => !known.some((text) => text.startsWith(name)))).toEqual([]);
    const page = guidePage(readGuide(`es/${slug}`, guide, FACTS));
    expect(page).toContain('<html lang="es">');
    const [, title = ''] = /^# (.+)$/m.exec(guide) ?? [];
    if (slug !== 'index') expect(page).toContain(`aria-current="page">${title}</a>`);
    expect(page).toContain(`<a href="${pathOf(slug)}" hreflang="en" lang="en">English</a>`);
  }
});
