import { describe, expect, test } from 'vitest';
import { ERROR_STATUS } from '../errors.ts';
import { FACTS } from './build.ts';
import { anchorOf, guidePage } from './guide.ts';
import { errorTable } from './tables.ts';

const mainOf = (markdown: string, facts = {}): string =>
  guidePage('csv', `# Title\n\n${markdown}`, facts);

describe('a guide', () => {
  test('says what the code decides', () => {
    expect(mainOf('Up to {{rows-per-csv-upload}} rows.', FACTS)).toContain('100\u202f000 rows');
    expect(() => mainOf('Up to {{rows}} rows.', FACTS)).toThrow('No fact is named rows.');
  });

  test('needs a title', () => {
    expect(() => guidePage('csv', 'No heading.', {})).toThrow('has no title');
  });

  test('shows code as it is written', () => {
    expect(mainOf('```sh\ncurl "$A" <b> &amp;\n```')).toContain(
      '<pre tabindex="0"><code>curl "$A" &lt;b&gt; &amp;amp;\n</code></pre>',
    );
  });

  test('names the column in every cell of a table', () => {
    const html = mainOf('| Code | What to do |\n|---|---|\n| `A` | [Wait](/docs/errors). |');
    expect(html).toContain('<td data-column="What to do"><a href="/docs/errors">Wait</a>.</td>');
  });

  test('can be linked to by its headings', () => {
    expect(anchorOf('What to do with `failed`')).toBe('what-to-do-with-failed');
    expect(mainOf('## Why a retry is safe')).toContain('<h2 id="why-a-retry-is-safe">');
  });

  test('leads to the one before and the one after', () => {
    const html = mainOf('');
    expect(html).toContain('<a rel="prev" href="/docs/live-timing">');
    expect(html).toContain('<a rel="next" href="/docs/errors">');
  });
});

test('the table of errors has each code with its status', () => {
  const rows = errorTable().split('\n');
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    expect(rows.filter((row) => row.startsWith(`| \`${code}\` | ${status} | `))).toHaveLength(1);
  }
});
