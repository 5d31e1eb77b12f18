import { describe, expect, test } from 'vitest';
import { ROWS_PER_JSON_UPLOAD } from '../../worker/results/upload/schemas.ts';
import { OPERATIONS, TAGS } from '../openapi/operations.ts';
import { guidePage, sectionsOf } from './guide.ts';
import { referencePages } from './reference.ts';

const PAGES = referencePages();
const [FIRST] = PAGES;
const PAGE_MAX = 76 * 1_024;

describe('the reference', () => {
  test('has a page for each tag, none of them large', () => {
    expect(PAGES).toHaveLength(Object.keys(TAGS).length + 1);
    const large = PAGES.filter((page) => Buffer.byteLength(guidePage(page)) > PAGE_MAX);
    expect(large.map(({ slug }) => slug)).toEqual([]);
  });

  test('describes every operation, and its first page links to each of them', () => {
    const parts = new Map(PAGES.flatMap(sectionsOf).map((part) => [part.href, part]));
    const links = [...(FIRST?.markdown ?? '').matchAll(/\]\((\/docs\/reference\/[^)]+)\)/g)];
    const linked = links.map(([, href = '']) => parts.get(href)?.title);
    expect(linked.toSorted()).toEqual(OPERATIONS.map(({ summary }) => summary).toSorted());
    for (const { summary, method, path } of OPERATIONS) {
      const part = [...parts.values()].find(({ title }) => title === summary);
      expect(part?.text).toContain(`${method.toUpperCase()} ${path}`);
    }
  });

  test('lists the fields of fields, with their types', () => {
    const page = PAGES.find(({ slug }) => slug === 'reference/events');
    expect(page?.markdown).toContain('| `data[].id` | string (uuid) |');
    expect(page?.markdown).toContain('| `meta.total_pages` | integer |');
    expect(page?.markdown).toMatch(/\| `data\[\]\.status` \| `open`, `scheduled`/);
  });

  test('says the bounds, the default and a sample of a parameter', () => {
    const page = PAGES.find(({ slug }) => slug === 'reference/events');
    expect(page?.markdown).toContain(
      '- `page_size` *query · optional · integer · 1 to 100 · default 20*',
    );
    const lookup = PAGES.flatMap(({ markdown }) => markdown.split('\n- ')).find((item) =>
      item.startsWith('`bib` *query'),
    );
    expect(lookup).toMatch(/For example `.+`\./);
    const results = PAGES.flatMap(({ markdown }) => markdown.split('\n')).find((line) =>
      line.startsWith('| `results` | array of object, at most '),
    );
    expect(results).toContain(`object, at most ${ROWS_PER_JSON_UPLOAD} items |`);
  });

  test('has no fields without a meaning', () => {
    const lines = PAGES.flatMap(({ markdown }) => markdown.split('\n'));
    expect(lines.filter((line) => /undefined|\[object|\|\s+\|$/.test(line))).toEqual([]);
  });
});
