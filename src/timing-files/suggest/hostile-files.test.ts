import { describe, expect, test } from 'vitest';
import { withoutPauses } from '../../testing/no-pauses.ts';
import { previewBlocks } from '../../testing/results-judge.ts';

withoutPauses();

const preview = (lines: readonly string[], query = '') =>
  previewBlocks([new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))], query);

const range = (length: number) => [...Array(length).keys()];

describe('preview of a file that costs much', () => {
  test('asks which of 21 columns named like a result is the time', async () => {
    const { suggestion, warnings } = await preview([
      ['Bib', ...range(21).map(() => 'Time')].join(),
      ['41', ...range(21).map((at) => `1:28:${10 + at}`)].join(),
    ]);
    expect(suggestion).toBeNull();
    const doubt = warnings.find(({ code }) => code === 'time_column_unclear');
    expect(doubt?.detail).toContain('unclear which column has the times');
    expect(doubt?.choices?.[0]?.query).toContain('chip_time=%232');
  });

  test('says that none of 1 000 unnamed columns has times', async () => {
    const row = (at: number) =>
      range(1_000)
        .map((column) => (at * 37 + column * 11) % 1_000)
        .join();
    const { suggestion, warnings } = await preview(range(20).map(row));
    expect(suggestion).toBeNull();
    const doubt = warnings.find(({ code }) => code === 'time_column_unclear');
    expect(doubt?.detail).toContain('No column has the times that the race took');
    expect(doubt?.choices).toEqual([]);
  });
});

test('refuses a header of 70 000 characters as a row that does not end', async () => {
  const header = ['bib', ...range(35_000).map(() => 'x')].join();
  await expect(preview([header, '41,1:28:03'])).rejects.toThrow(/The row on line 1 does not end/);
});

test('suggests the time column between columns with long cells', async () => {
  const { suggestion } = await preview([
    'Nota,Bib,Tempo,Texto',
    `${'A'.repeat(30_000)},41,1:28:03,${' '.repeat(3_000)}x`,
    `${'b'.repeat(101)},52,1:29:10,y`,
  ]);
  expect(suggestion?.query).toBe('chip_time=Tempo');
});

describe('preview of long texts', () => {
  test('shows a sample cut inside an emoji as a well-formed text', async () => {
    const { columns } = await preview(['bib,time,note', `41,1:28:03,${'x'.repeat(99)}🏁`]);
    expect(columns[2]?.samples).toEqual([`${'x'.repeat(99)}\uFFFD`]);
  });

  test('shows an unknown status with a quote in full', async () => {
    const { warnings } = await preview(['bib,time,status', '41,,out "late"']);
    const unknown = warnings.find(({ code }) => code === 'unknown_status_words');
    expect(unknown?.detail).toContain('"out \\"late\\""');
  });
});

describe('a condition of where', () => {
  const lines = [
    'Bib,Point: Name,Zeit',
    '41,Gate: A,0:30:00',
    '41,Gate: B,1:28:03',
    '52,Gate: A,0:31:00',
    '52,Gate: B,1:29:10',
  ];

  test('is split at the first colon after a column name, as in an upload', async () => {
    const query = 'where=Point: Name:Gate: B';
    const { suggestion } = await preview(lines, query);
    const params = new URLSearchParams(suggestion?.query);
    expect(params.get('where')).toBe('Point: Name:Gate: B');
    expect(params.get('chip_time')).toBe('Zeit');
    expect((await preview(lines, suggestion?.query)).shown).toMatchObject({ total: 2, errors: 0 });
  });

  test('names a column with a colon by its number', async () => {
    const named = [
      'Bib,Point,Point:Name,Zeit',
      '41,x,Start,0:30:00',
      '41,x,Ziel,1:28:03',
      '52,x,Start,0:31:00',
      '52,x,Ziel,1:29:10',
    ];
    const { suggestion } = await preview(named);
    expect(new URLSearchParams(suggestion?.query).get('where')).toBe('#3:Ziel');
    expect((await preview(named, suggestion?.query)).shown?.total).toBe(2);
  });

  test('accepts two values of one column', async () => {
    const { shown } = await preview(lines, 'chip_time=Zeit&where=%232:Gate: A&where=%232:Gate: B');
    expect(shown?.total).toBe(4);
  });
});
