import { Marked, type Tokens } from 'marked';
import { type Facts, fill } from '../fill.ts';
import { highlight } from './highlight.ts';
import {
  escaped,
  GUIDES,
  guideList,
  LANGUAGE_SCRIPT,
  type Language,
  page,
  pathOf,
  SCRIPT,
  STYLES,
  WORDS,
} from './page.ts';
import { LANGUAGES, REQUEST_BLOCK, readRequest, samplesOf } from './request-samples.ts';
import { sampleForm } from './sample-form.ts';

/** A guide whose facts are filled in. */
export type Guide = {
  slug: string;
  title: string;
  /** The first paragraph, without markup. */
  about: string;
  markdown: string;
};

/** A part of a guide that the search can find. */
type Section = { href: string; guide: string; title: string; text: string };

/** Languages of blocks that a reader copies. Blocks of JSON are answers. */
const COPIED = ['csv', 'text', ...Object.keys(LANGUAGES)];

/** The parts of a sample that the page replaces with the reader's host, key and event. */
const SAMPLES: [sample: string, found: RegExp][] = [
  ['api', /\$API\b|(?<=^API=).+$/gm],
  ['key', /\$KEY\b|(?<=^KEY=).+$/gm],
  ['event', /\$EVENT\b|(?<=^EVENT=).+$/gm],
];

/**
 * Reads a guide.
 * @throws Error for an unknown fact, a missing title or a missing first paragraph
 */
export function readGuide(slug: string, markdown: string, facts: Facts): Guide {
  const text = fill(markdown, facts);
  const html = plain.parse(text, { async: false });
  const [, title] = /^<h1>(.+)<\/h1>/m.exec(html) ?? [];
  const [, about] = /<p>([\s\S]+?)<\/p>/.exec(html) ?? [];
  if (title === undefined) throw new Error(`The guide ${slug} has no title.`);
  if (about === undefined) throw new Error(`The guide ${slug} has no first paragraph.`);
  return { slug, title: textOf(title), about: textOf(about), markdown: text };
}

/**
 * Makes the page of a guide.
 * @param styles the styles of the page, or a link to them
 */
export function guidePage({ slug, title, about, markdown }: Guide, styles = STYLES): string {
  const lang = slug.startsWith('es/') ? 'es' : 'en';
  const html = toHtml(markdown, lang);
  const isReference = slug.startsWith('reference/');
  return page({
    lang,
    path: pathOf(slug),
    title: escaped(title),
    description: escaped(about).replaceAll('"', '&quot;'),
    head: `${styles}\n    ${html.includes('class="tabs"') ? LANGUAGE_SCRIPT : ''}${SCRIPT}`,
    body: `<div class="columns">
      ${guideList(pathOf(slug), lang)}
      ${contents(html, WORDS[lang].contents)}
      <main id="content" class="guide${isReference ? ' reference' : ''}">
${withForm(html, lang, isReference)}
${turn(slug)}
      </main>
    </div>`,
  });
}

/** The form for the reader's key stands before the first sample, or before the first operation of the reference. */
const withForm = (html: string, lang: Language, isReference: boolean): string =>
  html.replace(
    isReference ? /^<h2/m : /^<div class="block(?: sample)?">/m,
    (first) => sampleForm(html, lang) + first,
  );

/** The parts of a guide, each from one heading to the next. */
export function sectionsOf({ slug, title, markdown }: Guide): Section[] {
  const [, ...parts] = plain.parse(markdown, { async: false }).split(/<h[1-6]>/);
  return parts.map((part, at) => {
    const [heading = '', text = ''] = part.split(/<\/h[1-6]>/);
    const words = textOf(heading);
    const href = pathOf(slug) + (at === 0 ? '' : `#${anchorOf(words)}`);
    return { href, guide: title, title: words, text: textOf(text) };
  });
}

/** The id of a heading, for links. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/[\s_]+/g, '-');

/** Renders without samples, ids and colours. */
const plain = new Marked();

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The words for a reader. Elements within a line do not part words. */
const textOf = (html: string): string =>
  html
    .replace(/<\/?(?:a|code|em|strong|wbr)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(#?\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

/** Gives the tabs of each sample names of their own. */
let samples = 0;

/** A narrow page breaks a path between its parts. */
const pathOfParts = (path: string): string => escaped(path).replaceAll('/', '/<wbr>');

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth }: Tokens.Heading) {
      const html = this.parser.parseInline(tokens);
      return `<h${depth} id="${anchorOf(textOf(html))}">${html}</h${depth}>\n`;
    },
    code({ text, lang = '' }: Tokens.Code) {
      const [language = '', ...rest] = lang.split(' ');
      const info = rest.join(' ');
      if (language !== 'request') return blockOf(text, language, info);
      samples += 1;
      return sampleOf(text, info, samples);
    },
    codespan({ text }: Tokens.Codespan) {
      const [, method = '', path = ''] = /^(GET|POST|PUT|PATCH|DELETE) (\/.*)$/.exec(text) ?? [];
      if (!method)
        return `<code>${/^\/\S+$/.test(text) ? pathOfParts(text) : escaped(text)}</code>`;
      return `<code class="request"><b class="${method.toLowerCase()}">${method}</b> ${pathOfParts(path)}</code>`;
    },
    table({ header, rows }: Tokens.Table) {
      const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
      const head = header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('');
      // On a phone the cells are stacked, each with the name of its column.
      const cell = (of: Tokens.TableCell, at: number) =>
        `<td data-column="${header[at]?.text ?? ''}">${inline(of)}</td>`;
      const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n');
      return (
        `<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n` +
        `<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table></div>\n`
      );
    },
  },
});

/** The words around blocks and tables. */
const AROUND = [
  ['class="button copy">Copy<', 'class="button copy">Copiar<'],
  ['aria-label="Table"', 'aria-label="Tabla"'],
] as const;

function toHtml(text: string, lang: Language): string {
  const html = markdown.parse(text, { async: false });
  if (lang === 'en') return html;
  return AROUND.reduce((all, [english, spanish]) => all.replaceAll(english, spanish), html);
}

/** Code with colours. Each block scrolls alone, also with the keyboard. */
function codeOf(text: string, language: string): string {
  const coloured = highlight(text, language);
  const shown = language in LANGUAGES ? withPlaces(coloured) : coloured;
  return `<pre tabindex="0"><code>${shown}\n</code></pre>`;
}

/** The title over a block without a name. */
const TITLES: Record<string, string> = { sh: 'Shell', ts: 'TypeScript', json: 'Answer' };

const COPY = '<button type="button" class="button copy">Copy</button>';

/** Code below its title. A reader copies all blocks except answers. */
function blockOf(text: string, language: string, name: string): string {
  const code = codeOf(text, language);
  const isNamed = language === 'csv' || language === 'json';
  const title = (isNamed && name) || TITLES[language] || '';
  const isCopied = COPIED.includes(language);
  if (!isCopied && !title) return `${code}\n`;
  return (
    `<div class="block${isCopied ? '' : ' answer'}"><div class="head">` +
    `<span>${escaped(title)}</span>${isCopied ? COPY : ''}</div>${code}</div>\n`
  );
}

/** A request in all languages; the page shows a single language. Each has a tab, which works without scripts too. */
function sampleOf(request: string, info: string, id: number): string {
  const read = readRequest(request, info);
  const languages = Object.entries(LANGUAGES);
  const tabs = languages.map(
    ([name, { label }], at) =>
      `<label><input type="radio" name="language-${id}" value="${name}" autocomplete="off"${at === 0 ? ' checked' : ''}><span>${label}</span></label>`,
  );
  const codes = languages.map(
    ([name, { write }]) => `<div class="${name}">${codeOf(write(read), name)}</div>`,
  );
  return (
    '<div class="block sample"><div class="head"><fieldset class="tabs" aria-label="Language">' +
    `${tabs.join('')}</fieldset>${COPY}</div>${codes.join('')}</div>\n`
  );
}

/** Marks the replaceable parts of a sample. */
const withPlaces = (html: string): string =>
  SAMPLES.reduce(
    (text, [sample, found]) =>
      text.replace(found, (shown) => `<span data-sample="${sample}">${shown}</span>`),
    html,
  );

/** The Markdown with the samples of each request, for readers of Markdown. */
export const withSamples = (text: string): string =>
  text.replace(REQUEST_BLOCK, (_, info: string, request: string) =>
    samplesOf(readRequest(request, info)),
  );

/** The links to the parts of a guide. A guide without parts has none. */
function contents(html: string, title: string): string {
  const parts = [...html.matchAll(/<h2 id="([^"]+)">(.+?)<\/h2>/g)];
  if (parts.length < 2) return '';
  const links = parts.map(
    ([, id, heading = '']) => `<li><a href="#${id}">${heading.replace(/<[^>]+>/g, '')}</a></li>`,
  );
  return `<nav class="contents" aria-label="${title}">
        <p>${title}</p>
        <ul>${links.join('')}</ul>
      </nav>`;
}

/** The links to the previous and the next guide. */
function turn(slug: string): string {
  const at = GUIDES.findIndex((guide) => guide.slug === slug);
  if (at < 0) return '';
  const link = (rel: 'prev' | 'next', guide?: (typeof GUIDES)[number]) => {
    if (!guide) return '<span></span>';
    const text = rel === 'prev' ? `← ${guide.label}` : `${guide.label} →`;
    return `<a rel="${rel}" href="/docs/${guide.slug}">${text}</a>`;
  };
  return `<nav class="turn" aria-label="Guides before and after">
        ${link('prev', GUIDES[at - 1])}
        ${link('next', GUIDES[at + 1])}
      </nav>`;
}
