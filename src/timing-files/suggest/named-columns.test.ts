import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { encodeLatin1 } from '../../testing/csv.ts';
import { withoutPauses } from '../../testing/no-pauses.ts';
import type { ResultsFile } from '../../testing/results-files.ts';
import { previewBlocks } from '../../testing/results-judge.ts';
import { anyVariant, faultOf } from '../../testing/results-variants.ts';
import { formatRaceTime } from '../read/race-time.ts';

withoutPauses();

const FILES: ResultsFile[] = JSON.parse(inject('resultsFiles'));
const BIBS = Array.from({ length: 300 }, (_, at) => String(at + 1));

const bytesOf = (lines: readonly string[]): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));

const ask = async (lines: readonly string[], bibs: readonly string[] = BIBS, sent = '') => {
  const { suggestion, warnings } = await previewBlocks([bytesOf(lines)], sent, { bibs });
  const offered = warnings.flatMap(({ choices = [] }) => choices.map(({ query }) => query));
  return { query: suggestion?.query, offered };
};

test('takes the column of bibs with late entries, beside any numbers and in short files', async () => {
  await fc.assert(
    fc.asyncProperty(anyVariant(FILES), async (variant) => {
      expect(await faultOf(await variant)).toBeUndefined();
    }),
    { numRuns: 15, seed: 65 },
  );
});

describe('a column with a name that can mean nothing else', () => {
  test.each([
    [
      'Place,Bib,Name,Time,Points',
      '1,11,Ana,0:38:12,120',
      '2,16,Eva,0:39:01,118',
      '3,13,Iva,0:40:20,116',
    ],
    ['dorsal,tiempo,puntos', '11,0:38:12,120', '16,0:39:01,118', '13,0:40:20,116'],
    ['bib_number,chip_time,points', '11,0:38:12,120', '16,0:39:01,118', '13,0:40:20,116'],
  ])('is the bib beside points that are bibs of the event: %s', async (...lines) => {
    const { query } = await ask(lines);
    expect(query).not.toBeUndefined();
    expect(query).not.toContain('bib=');
  });

  test('stays the bib in another event, and the numbers beside it are no bibs', async () => {
    const rows = ['1,1011,0:38:12,120', '2,1016,0:39:01,118', '3,1013,0:40:20,116'];
    const { query } = await ask(['Place,Bib,Time,Points', ...rows]);
    expect(query).toBe('');
  });

  test('is asked for if it is empty', async () => {
    const rows = ['1,,0:38:12,120', '2,,0:39:01,118', '3,,0:40:20,116'];
    const { query, offered } = await ask(['Place,Bib,Time,Points', ...rows]);
    expect(query).toBeUndefined();
    expect(offered.join()).not.toContain('Points');
  });

  test('is an answer if other columns explain the places', async () => {
    const { query, offered } = await ask([
      'Place,Bib,Chip Time,Penalty,Total',
      '1,11,0:38:12,0:00:00,0:38:12',
      '2,16,0:39:01,0:00:00,0:39:01',
      '3,13,0:38:20,0:02:00,0:40:20',
      '4,14,0:41:20,0:00:00,0:41:20',
    ]);
    expect(query).toBeUndefined();
    expect(offered.some((one) => one.includes('chip_time=Chip%20Time'))).toBe(true);
    expect(offered.some((one) => one.includes('chip_time=Total'))).toBe(true);
  });
});

describe('a file without a column of bibs', () => {
  test.each(['Points', 'Age', 'Lane', 'HR', 'Poäng', 'Puntaje', 'Carril', 'Leeftijd', 'ポイント'])(
    'is asked about, without the answer %s',
    async (name) => {
      const rows = ['1,120,0:38:12', '2,118,0:39:01', '3,116,0:40:20', '4,101,0:41:00'];
      expect(await ask([`Place,${name},Time`, ...rows])).toEqual({ query: undefined, offered: [] });
    },
  );
});

describe('a question', () => {
  test('has the answer that a column has remarks alone', async () => {
    const { query, offered } = await ask([
      'Place,Bib,Time,Estado',
      '1,11,0:38:12,OK',
      '2,16,0:39:01,OK',
      '3,13,0:40:20,OK',
      ',14,0:41:20,visto',
    ]);
    expect(query).toBeUndefined();
    expect(offered.some((one) => one.includes('ignore=Estado'))).toBe(true);
  });

  test('has the answer that rows without a place are no results', async () => {
    const { query, offered } = await ask([
      'Place,Bib,Time',
      '1,11,0:38:12',
      '2,16,0:39:01',
      '3,13,0:40:20',
      ',14,0:37:20',
    ]);
    expect(query).toBeUndefined();
    expect(offered.some((one) => one.includes('where_not=Place:'))).toBe(true);
    expect(offered.some((one) => one.includes('status=Place&status_word=:DNF'))).toBe(true);
  });
});

describe('two columns whose names may be swapped', () => {
  const rows = [...Array(12).keys()];
  const clock = (seconds: number) => formatRaceTime(seconds * 1_000);
  test.each([
    [
      'the net time and the gun time',
      'Place,Bib,Chip time,Gun time',
      (at: number) => [
        at + 1,
        11 + at,
        clock(2_405 + 61 * at + ((at * 7) % 11)),
        clock(2_400 + 61 * at),
      ],
      'chip_time=Gun%20time&gun_time=Chip%20time',
      'chip_time=Chip%20time',
    ],
    [
      'the bib and the place',
      'Bib,Place,Time',
      (at: number) => [at + 1, ((at * 37) % 300) + 1, clock(2_400 + 61 * at)],
      'bib=Place',
      'bib=Bib',
    ],
    [
      'a point and the finish',
      'Place,Bib,Km 5,Time',
      (at: number) => [at + 1, 111 + at, clock(2_400 + 61 * at), clock(1_200 + 35 * at)],
      'chip_time=Km%205',
      'chip_time=Time',
    ],
    [
      'the bib and the time',
      'Place,Time,Bib',
      (at: number) => [at + 1, 111 + at, clock(2_400 + 61 * at)],
      'bib=Time&chip_time=Bib',
      '',
    ],
  ])('are asked about: %s', async (_, header, cellsOf, swapped, named) => {
    const { query, offered } = await ask([header, ...rows.map((at) => cellsOf(at).join())]);
    expect(query).toBeUndefined();
    for (const answer of [swapped, named]) {
      expect(offered.some((one) => one.includes(answer))).toBe(true);
    }
  });
});

describe('remarks', () => {
  const rows = [
    '1,11,0:38:12,',
    '2,16,0:39:01,DNF in another race',
    '3,13,0:40:20,seen twice by us',
  ];
  test('of finishers with a place are no statuses, whatever their words are', async () => {
    expect((await ask(['Place,Bib,Time,Remarks', ...rows])).query).toBe('');
  });

  test('are an answer where no place says that the runners finished', async () => {
    const unplaced = rows.map((row) => row.slice(2));
    const { query, offered } = await ask(['Bib,Time,Remarks', ...unplaced]);
    expect(query).toBeUndefined();
    expect(offered.some((one) => one.includes('ignore=Remarks'))).toBe(true);
  });

  test('of finishers are no statuses beside reasons why a runner has no result', async () => {
    const reasons = [...rows, '4,17,0:41:02,', ',14,,DNF knee', ',15,,did not start'];
    const { query } = await ask(['Place,Bib,Time,Remarks', ...reasons]);
    expect(query).toContain('status_word=seen%20twice%20by%20us:FINISHED');
    expect(query).toContain('status_word=dnf%20in%20another%20race:FINISHED');
  });

  test('are a status if a person says so', async () => {
    const words = ['1,11,0:38:12,strong', '2,16,0:39:01,tired', '3,13,0:40:20,happy'];
    const { query } = await ask(['Place,Bib,Time,Remarks', ...words], BIBS, 'status=Remarks');
    expect(query).toBe(
      'status=Remarks&status_word=strong:FINISHED&status_word=tired:FINISHED&status_word=happy:FINISHED',
    );
  });
});

test('a bib that stands twice shows both rows, and which one counts', async () => {
  const rows = [...Array(30).keys()].map((at) => `${at === 25 ? 17 : at + 11},0:38:${10 + at}`);
  const bytes = new TextEncoder().encode(['Bib,Time', ...rows].join('\n'));
  const { rows: shown, warnings } = await previewBlocks([bytes], '', { bibs: BIBS });
  expect(shown.filter(({ bib_number }) => bib_number === '17')).toMatchObject([
    { row: 8, chip_time: '00:38:16.000', replaced_by: 27 },
    { row: 27, chip_time: '00:38:35.000', replaced_by: null },
  ]);
  expect(warnings).toMatchObject([
    { code: 'repeated_bibs', detail: expect.stringContaining('line 27, not 8'), rows: [8, 27] },
    { code: 'last_line_cut' },
  ]);
});

test('says that finishers without times all fail', async () => {
  const lines = ['Place,Bib,Status', '1,11,FINISHED', '2,16,FINISHED'];
  const { suggestion, warnings } = await previewBlocks([bytesOf(lines)]);
  expect(suggestion).toBeNull();
  expect(warnings).toContainEqual(
    expect.objectContaining({
      code: 'rows_fail_alike',
      detail: expect.stringContaining('All 2 rows'),
    }),
  );
});

test('takes a star among the places for no status beside a status', async () => {
  const rows = ['1,11,0:38:12,', '2,16,0:39:01,', '*,13,0:41:00,DNF'];
  expect((await ask(['Place,Bib,Time,Status', ...rows])).query).toBe('');
});

test.each([
  ['a time of a DNF', ['Bib,Time,Status', '11,0:38:12,', '16,0:39:01,DNF'], 'times_left_out'],
  [
    'legs in seconds',
    ['Bib,Time,Swim,Bike', '11,0:38:12,800,1492', '16,0:39:01,801,1540'],
    'column_not_read',
  ],
])('names what is not stored: %s', async (_, lines, code) => {
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
  const { suggestion, warnings } = await previewBlocks([bytes], '', { bibs: BIBS });
  expect(suggestion?.query).toBe('');
  expect(warnings.map((one) => one.code)).toContain(code);
});

describe('a suggestion', () => {
  const rows = ['1,11,Ana,0:38:12,N/A', '2,16,Eva,0:39:01,0:39:05', '3,13,Iva,0:40:20,0:40:31'];

  test('leaves out the row of averages below the results', async () => {
    const { query } = await ask(['Place,Bib,Name,Time', ...rows.map(start4), ',3,Average,0:39:11']);
    expect(query).toBe('where_not=Name:Average');
  });

  test('reads N/A as an empty cell', async () => {
    const { query } = await ask(['Place,Bib,Name,Chip time,Gun time', ...rows]);
    expect(query).toBe('status_word=n%20a:');
  });

  test('takes no city for a status', async () => {
    const cities = ['1,11,Gdynia,0:38:12', '2,16,Gdynia,0:39:01', '3,13,Gdynia,0:40:20'];
    const { query } = await ask(['Place,Bib,Wohnsitz,Chip time', ...cities, ',14,Sopot,']);
    expect(query).toBe('');
  });
});

describe('a file with few clear words', () => {
  test('asks for the bib and the time of a header in an unknown language, in its encoding', async () => {
    // The bytes are those of "Označení" and of Czech names in windows-1250.
    const lines = [
      'Ozna\u00e8en\u00ed;Jinaky;Vyslednik',
      'OE0001;Nov\u00e1k;38:11',
      'OE0002;Dvo\u00f8\u00e1k;38:12',
      'OE0003;\u00c8ern\u00fd;38:14',
    ];
    const { warnings, suggestion } = await previewBlocks([encodeLatin1(`${lines.join('\n')}\n`)]);
    expect(suggestion).toBeNull();
    const [{ code, choices = [] } = { code: '' }] = warnings;
    expect(code).toBe('bib_column_unclear');
    expect(choices[0]?.query).toContain('chip_time=Vyslednik');
    expect(choices[0]?.query).toContain('encoding=windows-1250');
  });

  test('has no statuses in a column of cities, whatever its name', async () => {
    const cities = ['1,11,Gdynia,0:38:12', '2,16,Gdynia,0:39:01', '3,13,Sopot,0:40:20'];
    expect((await ask(['Place,Bib,Estado,Time', ...cities])).query).toBe('status=');
  });

  test('has no bibs in a column of waves, also with late entries', async () => {
    const rows = [...Array(16).keys()].map(
      (at) => `${at + 1},${20 + ((at * 37) % 200)},${(at % 3) + 1},0:4${at % 10}:${10 + at}`,
    );
    const header = 'Place,ID,Start No,Time';
    const bibs = rows.map((row) => row.split(',')[1] ?? '').filter((_, at) => at % 2 === 0);
    const { query, offered } = await ask([header, ...rows], ['1', '2', '3', ...bibs]);
    expect(query).toBeUndefined();
    expect(offered.join()).toContain('bib=ID');
  });

  test('has bibs as written, if the event has some of them so', async () => {
    const rows = ['007,0:41:50', '012,0:42:10', '101,0:43:10', '0113,0:44:10'];
    const { query } = await ask(['Bib,Time', ...rows], [...BIBS, '012', '0113']);
    expect(query).toBe('');
  });
});

const start4 = (row: string): string => row.split(',').slice(0, 4).join();

describe('times that do not follow the places', () => {
  const times = [...Array(20).keys()].map((at) => `0:${40 + at}:1${at % 10}`);
  const first = times.slice(0, 1);
  test.each([
    ['reversed', times.toReversed()],
    ['shuffled', times.map((_, at) => times[(at * 7) % 20])],
    ['with the slowest one first', [...times.slice(-1), ...times.slice(0, -1)]],
    ['with the fastest one last', [...times.slice(1), ...first]],
  ])('are asked about: %s', async (_, moved) => {
    const rows = moved.map((time, at) => `${at + 1},${((at * 37) % 300) + 1},${time}`);
    expect((await ask(['Place,Bib,Time', ...rows])).query).toBeUndefined();
  });
});

describe('places of a category', () => {
  const rows = (reversed: boolean) =>
    [...Array(20).keys()].map((at) => {
      const place = Math.floor(at / 2) + 1;
      const minutes = (reversed ? 50 - place : 30 + place) + (at % 2) * 8;
      return `${at % 2 === 0 ? 'F' : 'M'},${place},${at + 11},0:${minutes}:10`;
    });

  test('are compared with the times of the category', async () => {
    expect((await ask(['Category,Place,Bib,Time', ...rows(false)])).query).toBe('');
    expect((await ask(['Category,Place,Bib,Time', ...rows(true)])).query).toBeUndefined();
  });
});

test.each([
  ['10K', 'time_format=hundredths'],
  ['100 mi', ''],
])('reads 38:12:58 as the distance says: %s', async (distance, expected) => {
  const rows = [...Array(12).keys()].map((at) => `${at + 1},${at + 11},${31 + at}:12:${20 + at}`);
  const bytes = new TextEncoder().encode(`${['Place,Bib,Time', ...rows].join('\n')}\n`);
  const { suggestion } = await previewBlocks([bytes], '', { bibs: BIBS, distance });
  expect(suggestion?.query).toBe(expected);
});

test('reads 45:12:00 as minutes above times of an hour', async () => {
  const times = ['43:00:00', '49:44:00', '51:36:00', '1:01:03', '1:05:31', '1:07:52'];
  const rows = times.map((time, at) => `${at + 1},${at + 11},${time}`);
  expect((await ask(['Place,Bib,Time', ...rows])).query).toBe('time_format=minutes_seconds');
});

test('asks which of two races side by side is meant, also with late entries', async () => {
  const rows = [...Array(12).keys()].map(
    (at) => `${at + 1},${at + 11},0:38:${10 + at},,${at + 1},${at + 51},0:48:${10 + at}`,
  );
  const late = new Set(['11', '12', '13', '14']);
  const { query } = await ask(
    ['Place,Bib,Time,,Place,Bib,Time', ...rows],
    BIBS.filter((bib) => !late.has(bib)),
  );
  expect(query).toBeUndefined();
});
