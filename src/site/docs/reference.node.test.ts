import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATIONS, TAGS } from '../openapi/operations.ts';
import { guidePage, sectionsOf } from './guide.ts';
import { referencePages } from './reference.ts';
import { samplesOf } from './request-samples.ts';

const PAGES = referencePages();
const [FIRST] = PAGES;
const PAGE_MAX = 60 * 1_024;

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

  test('has no fields without a meaning', () => {
    const lines = PAGES.flatMap(({ markdown }) => markdown.split('\n'));
    expect(lines.filter((line) => /undefined|\[object|\|\s+\|$/.test(line))).toEqual([]);
  });
});

describe('the samples of a request', () => {
  const JSON_BODY = { name: "O'Neill", active: true, until: null, rows: [{ bib: '17' }] };
  const blocksOf = (markdown: string) =>
    new Map(
      [...markdown.matchAll(/```(\w+)\n([\s\S]*?)\n```/g)].map(([, name, code = '']) => [
        name,
        code,
      ]),
    );
  const request = { method: 'POST', path: '/public/v1/events/$EVENT/results', isPanel: false };

  test('are programs in four languages', () => {
    for (const sent of [{ json: JSON_BODY, sendsFile: false }, { sendsFile: true }]) {
      const blocks = blocksOf(samplesOf({ ...request, ...sent }));
      expect([...blocks.keys()]).toEqual(['sh', 'js', 'python', 'php']);
      execFileSync('bash', ['-n', '-c', blocks.get('sh') ?? '']);
      const module = join(tmpdir(), `sample-${process.pid}.mjs`);
      writeFileSync(module, blocks.get('js') ?? '');
      execFileSync(process.execPath, ['--check', module]);
      execFileSync('python3', [
        '-c',
        `import ast, sys; ast.parse(sys.argv[1])`,
        blocks.get('python') ?? '',
      ]);
    }
  });

  test('send the body as it is', () => {
    const sh = blocksOf(samplesOf({ ...request, json: JSON_BODY, sendsFile: false })).get('sh');
    const said = execFileSync('bash', ['-c', `curl() { printf %s "\${@: -1}"; }; ${sh}`], {
      encoding: 'utf8',
    });
    expect(JSON.parse(said)).toEqual(JSON_BODY);
  });

  test('of the panel send a session', () => {
    const text = samplesOf({ method: 'GET', path: '/api', isPanel: true, sendsFile: false });
    expect(text.match(/Bearer/g)).toHaveLength(4);
    expect(text).not.toContain('KEY');
  });
});
