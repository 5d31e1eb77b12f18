import { Marked, type Tokens } from 'marked';
import { GUIDES, page } from './page.ts';

/** What `{{name}}` in a guide stands for, as Markdown. */
export type Facts = Record<string, string>;

/**
 * A guide as a page of its own.
 * @throws where it names a fact that there is not, or has no title.
 */
export function guidePage(slug: string, markdown: string, facts: Facts): string {
  const text = fill(markdown, facts);
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`The guide ${slug} has no title.`);
  return page({
    path: `/docs/${slug}`,
    title,
    body: `<main id="content" class="guide">
${toHtml(text)}
${turn(slug)}
    </main>`,
  });
}

export const fill = (markdown: string, facts: Facts): string =>
  markdown.replace(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const fact = facts[name];
    if (fact === undefined) throw new Error(`No fact is named ${name}.`);
    return fact;
  });

/** The id of a heading: what a link to it ends with. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/[\s_]+/g, '-');

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading) {
      const anchor = anchorOf(text);
      return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    // What may be wider than a phone is scrolled by itself, also with the keyboard.
    code({ text }: Tokens.Code) {
      return `<pre tabindex="0"><code>${escaped(text)}\n</code></pre>\n`;
    },
    table({ header, rows }: Tokens.Table) {
      const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
      const head = header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('');
      // On a phone the cells stand one below the other, each after the name of its column.
      const cell = (of: Tokens.TableCell, at: number) =>
        `<td data-column="${header[at]?.text ?? ''}">${inline(of)}</td>`;
      const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n');
      return (
        `<div class="table" role="region" aria-label="Table" tabindex="0"><table>\n` +
        `<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table></div>\n`
      );
    },
  },
});

const toHtml = (text: string): string => markdown.parse(text, { async: false });

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The way to the guides before and after. */
function turn(slug: string): string {
  const at = GUIDES.findIndex((guide) => guide.slug === slug);
  const link = (guide: (typeof GUIDES)[number] | undefined, rel: string, arrow: string) =>
    guide
      ? `<a rel="${rel}" href="/docs/${guide.slug}">${arrow} ${guide.label}</a>`
      : '<span></span>';
  return `<nav class="turn" aria-label="Guides before and after">
        ${link(GUIDES[at - 1], 'prev', '←')}
        ${link(GUIDES[at + 1], 'next', '→')}
      </nav>`;
}
