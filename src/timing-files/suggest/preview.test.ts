import { describe, expect, test } from 'vitest';
import { encodeLatin1 } from '../../testing/csv.ts';
import { withoutPauses } from '../../testing/no-pauses.ts';
import { previewBlocks } from '../../testing/results-judge.ts';
import { bytesOf } from '../../testing/uploads.ts';
import { formatRaceTime } from '../read/race-time.ts';
import { byStatus } from '../read/result-status.ts';

withoutPauses();

const preview = (lines: readonly string[], query = '') =>
  previewBlocks([bytesOf([lines.map((line) => `${line}\n`).join('')])], query);

const codesOf = async (lines: readonly string[], query = '') =>
  (await preview(lines, query)).warnings.map(({ code }) => code);

test('shows what an upload with these parameters would read', async () => {
  const lines = [
    'Stnr;Name;Zeit;Km 5;Tempo',
    '7;Eva Uno;1:28:03;20:52;4:10',
    '7;Eva Uno;1:28:04;20:52;4:10',
    '8;Teo Dos;DNF;21:10;',
    ';Ada Tres;1:41:27;;4:49',
  ];
  const query = 'bib=Stnr&chip_time=Zeit&split=Km 5&status_word=dnf:DNF';
  expect(await preview(lines, query)).toEqual({
    encoding: 'utf-8',
    delimiter: ';',
    header_line: 1,
    columns: [
      { name: 'Stnr', meaning: 'bib', why: 'a parameter names it', samples: ['7', '7', '8'] },
      {
        name: 'Name',
        meaning: null,
        why: 'it is not read',
        samples: ['Eva Uno', 'Eva Uno', 'Teo Dos'],
      },
      {
        name: 'Zeit',
        meaning: 'chip_time',
        why: 'a parameter names it',
        samples: ['1:28:03', '1:28:04', 'DNF'],
      },
      {
        name: 'Km 5',
        meaning: 'split',
        why: 'a parameter names it',
        samples: ['20:52', '20:52', '21:10'],
      },
      expect.objectContaining({ name: 'Tempo', meaning: null }),
    ],
    statuses: { ...byStatus(() => 0), FINISHED: 2, DNF: 1 },
    rows: [
      expect.objectContaining({ row: 2, bib_number: '7', chip_time: '01:28:03.000' }),
      expect.objectContaining({ row: 3 }),
      {
        row: 4,
        replaced_by: null,
        bib_number: '8',
        status: 'DNF',
        chip_time: null,
        gun_time: null,
        splits: { 'Km 5': '00:21:10.000' },
      },
    ],
    warnings: [
      expect.objectContaining({ code: 'repeated_bibs' }),
      expect.objectContaining({
        code: 'column_not_read',
        detail: 'The column "Tempo" is not read: its name is that of another time of the race.',
      }),
    ],
    suggestion: { query: expect.stringContaining('bib=Stnr'), why: expect.any(String) },
    shown: expect.objectContaining({ total: 4, errors: 1, duplicates: 1 }),
    suggested: undefined,
  });
});

describe('reads the whole file', () => {
  const many = (last: string) => [
    'Bib,Name,Time',
    ...Array.from(
      { length: 20_000 },
      (_, at) => `${at + 7},Eva Uno,1:${String(10 + (at % 50))}:03`,
    ),
    last,
  ];

  test('to find a status in its last row', async () => {
    const { suggestion } = await preview(many('90001,Teo Dos,DNF'));
    expect(suggestion?.query).toBe('status_word=dnf:DNF');
  });

  test('to find its encoding', async () => {
    const text = bytesOf([
      `${many('90001,Teo Dos,1:00:03').join('\n')},`,
      Uint8Array.of(0xf1, 0x0a),
    ]);
    const { encoding } = await previewBlocks([text]);
    expect(encoding).toBe('windows-1252');
  });
});

test('shows the rows in the encoding of the upload, and compares the suggestion in its own', async () => {
  // "Иван" in windows-1251 is "Èâàí" in latin-1.
  const bytes = encodeLatin1('bib,name,time\n7,Èâàí,1:28:03\n8,Èâàí,1:29:10\n');
  const { suggestion, shown, suggested } = await previewBlocks([bytes]);
  expect(suggestion?.query).toBe('encoding=windows-1251');
  const firstName = (batch: typeof shown) =>
    Array.from(batch?.sentAgain() ?? [])
      .find((row) => row)
      ?.echo()?.['name'];
  expect([firstName(shown), firstName(suggested)]).toEqual(['Èâàí', 'Иван']);
});

describe('warnings', () => {
  test.each<[string, string, readonly string[], string?]>([
    ['zero_time', 'a time of zero', ['Bib,Time,Gun', '7,0:00:00,1:28:41', '8,1:28:03,1:28:40']],
    ['over_24_hours', 'more than a day', ['Bib,Time', '7,41:50:10', '8,1:28:03']],
    ['gun_below_chip', 'a gun time below the chip time', ['Bib,Time,Gun', '7,1:28:03,1:28:00']],
    [
      'split_after_finish',
      'a split later than the finish',
      ['Bib,Time,Km 5', '7,20:00,21:00', '8,20:00,10:00'],
    ],
    [
      'split_same_for_all',
      'a split that is the same for everybody',
      ['Bib,Time,Km 5', '7,20:00,9:00', '8,20:01,9:00', '9,20:02,9:00'],
    ],
    ['repeated_bibs', 'repeated bibs', ['Bib,Time', '7,20:00', '7,21:00', '8,22:00']],
    [
      'bibs_unlikely',
      'bibs that are places',
      ['Pos,Time', ...[1, 2, 3, 4, 5].map((bib) => `${bib},20:0${bib}`)],
      'bib=Pos',
    ],
    [
      'bibs_unlikely',
      'bibs that are years',
      ['Year,Time', ...[1, 2, 3, 4, 5].map((bib) => `199${bib},20:0${bib}`)],
      'bib=Year',
    ],
    ['gaps_unlikely', 'gaps to the winner', ['Bib,Time', '7,3:04:59', '8,0:55', '9,1:14']],
    ['no_rows', 'a header without rows', ['Bib,Time']],
    ['whole_minutes', 'times without seconds', ['Bib,Time', '7,1:28:00', '8,1:29:00']],
    ['short_times', 'times under ten minutes', ['Bib,Time', '7,1:28', '8,1:29']],
    ['time_of_day', 'times of day', ['Bib,Time', '7,14:03:22', '8,14:05:10']],
    ['unknown_status_words', 'an unknown status', ['Bib,Time,Status', '7,20:00,', '8,,gone']],
    ['rows_fail_alike', 'all rows failing', ['Bib,Time', '7,x', '8,y']],
    ['last_line_cut', 'a last line with fewer cells', ['Bib,Time,Club', '7,20:00,A', '8,20:0']],
    [
      'second_header',
      'a second table with other columns',
      ['Bib,Time,5K', '7,20:00,9:00', 'Bib,Time,10K', '8,50:00,21:00'],
    ],
    ['splits_unlikely', 'paces among the splits', ['Bib,Time,Pace', '7,20:00,4:00']],
    ['file_refused', 'a file that an upload refuses', ['Stnr,Time', '7,20:00']],
  ])('gives %s for %s', async (code, _what, lines, query) => {
    expect(await codesOf(lines, query)).toContain(code);
  });

  test.each([
    ['110K', '10:31:10', '10:53:40', false],
    ['110K', '18:31:10', '18:53:40', true],
    ['21K', '10:31:10', '10:53:40', true],
    [null, '10:31:10', '10:53:40', true],
  ])('of runners of %s from %s to %s has time_of_day: %s', async (distance, first, last, isSo) => {
    const file = { bibs: ['7', '8'], distance };
    const { warnings } = await previewBlocks(
      [bytesOf([`Bib,Time\n7,${first}\n8,${last}\n`])],
      '',
      file,
    );
    expect(warnings.some(({ code }) => code === 'time_of_day')).toBe(isSo);
  });

  test('gives last_line_cut for a last line without an end', async () => {
    const bytes = bytesOf(['Bib,Time\n7,1:28:03\n8,1:2']);
    const { warnings } = await previewBlocks([bytes]);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'last_line_cut', rows: [3] }));
  });

  test('gives no warning for bibs that count 1, 2, 3 in a column called bib', async () => {
    const rows = [1, 2, 3, 4, 5].map((bib) => `${bib},20:0${bib}`);
    expect(await codesOf(['Bib,Time', ...rows])).toEqual([]);
  });

  test('gives no warning for a file without faults', async () => {
    expect(await codesOf(['Bib,Time,Km 5', '7,1:28:03,20:52', '8,1:29:10,21:10'])).toEqual([]);
  });
});

describe('a file that cannot be read', () => {
  test.each<[string, readonly string[], string, RegExp]>([
    [
      'text with columns lined up by blanks',
      ['Place  Num  Name      Time', '====== ==== ========= =====', '   1    12  Eva Uno   20:00'],
      '',
      /lined up by blanks.*export it as CSV/,
    ],
    ['lines of one cell', ['12 Eva 20:00', '13 Teo 21:00'], '', /one cell each/],
    ['an empty file', [''], '', /empty/],
    [
      'a parameter that names no column',
      ['Bib,Time', '7,20:00'],
      'bib=x',
      /The file has no column "x" \(parameter bib\)/,
    ],
  ])('refuses %s', async (_what, lines, query, message) => {
    await expect(preview(lines, query)).rejects.toThrow(message);
  });
});

describe('the event', () => {
  const lines = [
    'Rank,Code,Chip ID,Age,Elapsed',
    '1,171,AB1001,31,0:40:01',
    '2,58,AB1002,44,0:41:10',
    '3,203,AB1003,29,0:42:30',
  ];
  const bytes = bytesOf([lines.map((line) => `${line}\n`).join('')]);

  test('asks for the bib, whatever bibs it has, if no name says it', async () => {
    const ages = ['31', '44', '29', '1', '2', '3'];
    for (const bibs of [['171', '58', '203', ...ages], ages, []]) {
      const { suggestion, warnings } = await previewBlocks([bytes], '', { bibs });
      expect(suggestion).toBeNull();
      const [doubt] = warnings;
      expect(doubt?.code).toBe('bib_column_unclear');
      expect(doubt?.choices).toContainEqual(
        expect.objectContaining({ query: expect.stringContaining('bib=Code') }),
      );
    }
  });

  test('asks whether a column that is named like a bib and has none of its bibs is the bib', async () => {
    const named = ['Bib,Alt,Time', '9001,171,0:40:01', '9002,58,0:41:10', '9003,203,0:42:30'];
    const bytes = bytesOf([named.join('\n')]);
    const { suggestion, warnings } = await previewBlocks([bytes], '', {
      bibs: ['171', '58', '203'],
    });
    expect(suggestion).toBeNull();
    const [doubt] = warnings;
    expect(doubt?.choices?.map(({ query }) => query)).toEqual(['bib=Bib', 'bib=Alt']);
  });
});

describe('a question', () => {
  test('has a query for each reading of an unknown status', async () => {
    const { warnings } = await preview(['Bib,Time,Status', '7,20:00,OK', '8,21:00,MP']);
    const doubt = warnings.find(({ code }) => code === 'status_unclear');
    expect(doubt?.choices?.map(({ query }) => query)).toEqual([
      'status=Status&status_word=ok:FINISHED&status_word=mp:DSQ',
      'status=Status&status_word=ok:FINISHED&status_word=mp:DNF',
      'status=Status&status_word=ok:FINISHED&status_word=mp:FINISHED',
      'status=&ignore=Status',
    ]);
  });

  test('has a part of the parameters where another question follows', async () => {
    const columns = Array.from({ length: 6 }, (_, at) => `C${at}`);
    const row = (at: number) => columns.map((_, column) => 100 + at * 37 + column * 7).join();
    const lines = [
      `${columns.join()},x,y`,
      ...[0, 1, 2, 3].map((at) => `${row(at)},1:2${at},1:3${at}`),
    ];
    const { suggestion, warnings } = await preview(lines);
    expect(suggestion).toBeNull();
    for (const { query } of warnings[0]?.choices ?? []) {
      expect((await preview(lines, query)).warnings[0]?.code).not.toBe('bib_column_unclear');
    }
    expect(warnings[0]?.choices).not.toEqual([]);
  });
});

test('asks if a row behind the sample speaks against the suggestion, and not again', async () => {
  const rows = Array.from({ length: 3_000 }, (_, at) => `${at + 10_000},1:28:03,Remark ${at}`);
  const lines = ['bib,time,Note', ...rows.with(2_000, '12000,0:52:10,DNF knee')];
  const { suggestion, warnings } = await preview(lines);
  expect(suggestion).toBeNull();
  const [doubt] = warnings;
  expect(doubt).toMatchObject({
    code: 'finished_despite_mark',
    rows: [2_002],
    choices: [{ query: 'header_line=1', why: expect.stringContaining('as it stands, although') }],
  });
  const again = await preview(lines, doubt?.choices?.[0]?.query);
  expect(again.suggestion?.query).toBe('header_line=1');
});

/** The blocks of a file, and the number of readings of the last block. */
function countedBlocks(text: string) {
  const bytes = new TextEncoder().encode(text);
  const blocks: Uint8Array[] = [bytes.subarray(0, 70_000), bytes.subarray(70_000)];
  const counted = { blocks, readings: 0 };
  blocks[Symbol.iterator] = function* (): ArrayIterator<Uint8Array> {
    for (let at = 0; at < this.length; at += 1) {
      if (at === this.length - 1) counted.readings += 1;
      yield this[at] ?? new Uint8Array();
    }
  };
  return counted;
}

test.each([
  ['once if it is read as suggested', 'Dorsal,Tiempo', ''],
  ['once if it is refused without the suggestion', 'Startnr,Netto', 'bib=Startnr&chip_time=Netto'],
  ['twice if it is read otherwise', 'Dorsal,Tiempo,Oficial', 'gun_time=Oficial'],
])('reads the rows of a file %s', async (times, header, query) => {
  const rows = Array.from({ length: 9_000 }, (_, at) => {
    const chipMs = 2_000_000 + at * 100;
    return [at + 1, ...[chipMs, chipMs + 5_000 + ((at * 37) % 20_000)].map(formatRaceTime)].join();
  });
  const width = header.split(',').length;
  const lines = rows.map((row) => row.split(',').slice(0, width).join());
  const counted = countedBlocks(`${[header, ...lines].join('\n')}\n`);
  const { suggestion } = await previewBlocks(counted.blocks);
  expect(suggestion?.query).toBe(query);
  // The encoding is decided by a look at all bytes.
  expect(counted.readings - 1).toBe(times.startsWith('once') ? 1 : 2);
});
