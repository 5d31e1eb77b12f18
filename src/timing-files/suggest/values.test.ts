import { describe, expect, test } from 'vitest';
import { withoutPauses } from '../../testing/no-pauses.ts';
import { previewBlocks } from '../../testing/results-judge.ts';
import { bytesOf } from '../../testing/uploads.ts';

withoutPauses();

/** The suggestion of a preview for a table, or the offered answers, decoded. */
async function ask(header: string, rows: readonly string[], query = '', distance?: string) {
  const bytes = bytesOf([[header, ...rows].map((line) => `${line}\n`).join('')]);
  const bibs = Array.from({ length: 300 }, (_, at) => String(at + 1));
  const known = { bibs, ...(distance === undefined ? {} : { distance }) };
  const { suggestion, warnings, ...preview } = await previewBlocks([bytes], query, known);
  const offered = warnings.flatMap(({ choices = [] }) => choices.map((one) => one.query));
  return {
    ...preview,
    suggested: suggestion ? decodeURIComponent(suggestion.query) : null,
    offered: offered.map(decodeURIComponent),
    codes: warnings.map(({ code }) => code),
    details: warnings.map(({ detail }) => detail),
  };
}

const clock = (seconds: number): string =>
  [seconds / 3_600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');

/** Rows of runners in the order of their times. */
const rowsOf = (cells: (seconds: number, at: number) => string, count = 14): string[] =>
  Array.from({ length: count }, (_, at) => cells(2_500 + at * 47 + ((at * 7) % 5), at));
/** A bib that is no place, for a row. */
const bibAt = (at: number): number => 20 + ((at * 11) % 130);

describe('a time that another column changes into', () => {
  test.each([
    ['a penalty', 'Rank,Bib,Time,Penalty,Total', [60, 1]],
    ['a bonus', 'Rank,Bib,Time,Bonus,Result', [30, -1]],
    ['a handicap', 'Pos,No,Actual Time,Allowance,Adjusted Time', [200, -1]],
  ] as const)('is the result behind %s, if the places follow it', async (_, header, [by, sign]) => {
    const runners = rowsOf((seconds) => String(seconds)).map((text, at) => {
      const change = at % 4 === 0 ? by * (1 + (at % 3)) : 0;
      return { at, time: Number(text), change, total: Number(text) + sign * change };
    });
    const sorted = runners.toSorted((one, other) => one.total - other.total);
    const rows = sorted.map(({ at, time, change, total }, place) =>
      [place + 1, bibAt(at), clock(time), change ? clock(change) : '', clock(total)].join(),
    );
    const { suggested } = await ask(header, rows);
    const total = header.split(',').at(-1);
    expect(suggested).toContain(`chip_time=${total}`);
    expect(suggested).not.toContain('gun_time');
    const [place, ...others] = header.split(',');
    const unplaced = rows.map((row) => row.split(',').slice(1).join());
    const asked = await ask(others.join(), unplaced);
    expect([place, asked.suggested ?? asked.offered.join()].join()).toContain(`chip_time=${total}`);
  });

  test('is a gun time if it is later by the wait at the start', async () => {
    const rows = rowsOf((seconds, at) =>
      [bibAt(at), clock(seconds), clock(seconds + 3 + ((at * 13) % 60))].join(),
    );
    expect((await ask('Bib,Chip Time,Finish Time', rows)).suggested).toBe('gun_time=Finish Time');
  });

  test.each(['Start Delay', 'Wave Start', 'Salida'])('is a gun time beside %s', async (name) => {
    const rows = rowsOf((seconds, at) => {
      const delay = 300 * (at % 3);
      return [bibAt(at), clock(seconds + delay), clock(delay), clock(seconds)].join();
    });
    const { suggested } = await ask(`Bib,Gun Time,${name},Chip Time`, rows);
    expect(suggested).not.toContain('chip_time=Gun');
    expect(suggested).not.toBeNull();
  });
});

describe('a time that stands for no result', () => {
  test.each([
    ['99:59:59', ''],
    ['23:59:59', '-'],
    ['9:59:59', '999'],
    ['02:00:00', ''],
  ])('is offered as a status: %s with the place %j', async (word, place) => {
    const rows = rowsOf((seconds, at) => [at + 1, bibAt(at), clock(seconds)].join());
    rows.push([place, 201, word].join(), [place, 202, word].join());
    const { suggested, offered, codes } = await ask('Place,Bib,Time', rows);
    expect(suggested).toBeNull();
    expect(offered[0]).toContain(`status_word=${word}:DNF`);
    expect(codes).toContain('placeholder_time');
    const answered = await ask('Place,Bib,Time', rows, `status_word=${word}:DNF`);
    expect(answered.suggested).toBe(`status_word=${word}:DNF`);
    expect(answered.statuses.DNF).toBe(2);
  });

  test('is a result if others are as slow', async () => {
    const rows = rowsOf((seconds, at) => [at + 1, bibAt(at), clock(seconds)].join());
    rows.push('15,201,00:59:59');
    expect((await ask('Place,Bib,Time', rows)).suggested).toBe('');
  });
});

test('takes neither of two runs for the gun time of their best', async () => {
  const runs = [
    '33.41,1:32.04',
    '39.63,1:36.52',
    '45.85,1:38.26',
    '45.85,1:42.74',
    '47.59,1:46.22',
  ];
  const rows = [...runs, '51.07,1:48.96', '58.66,1:51.07'].map((both, at) =>
    [at + 1, bibAt(at), `1:${both}`, both.split(',')[1]].join(),
  );
  const { suggested } = await ask('Rank,Bib,Run 1,Run 2,Best', rows);
  expect(suggested).toBe('chip_time=Best&split=');
});

test('offers no choice with kilometres as times, even if the places are the only bibs', async () => {
  const rows = rowsOf((_, at) => [at + 1, `R${at}`, (231.4 - at * 5.13).toFixed(3)].join());
  const { suggested, offered, codes } = await ask('Rank,Name,Result', rows);
  expect([suggested, offered]).toEqual([null, []]);
  expect(codes).toContain('no_race_time');
});

test.each([1, 5, 20])('asks about rows without a place before and behind row %i', async (at) => {
  const rows = rowsOf((seconds, index) => [index + 1, bibAt(index), clock(seconds)].join());
  rows.splice(at, 0, `,201,${clock(2_490 + at * 47)}`);
  const { suggested, codes } = await ask('Place,Bib,Time', rows);
  expect(suggested).toBeNull();
  expect(codes).toContain('unplaced_rows');
});

test.each(['Xyz', ''])(
  'asks what a word under "%s" means in rows without a place',
  async (name) => {
    const rows = rowsOf((seconds, at) => [at + 1, bibAt(at), clock(seconds), 'ok'].join());
    const { suggested, offered } = await ask(`Place,Bib,Time,${name}`, [
      ...rows,
      `,201,${clock(2_590)},aus`,
    ]);
    expect(suggested).toBeNull();
    expect(offered.join(' ')).toContain('status_word=aus:DNF');
  },
);

describe('a name', () => {
  test.each(['Overall', 'General', 'Scratch', 'Final', 'Best', 'Mejor'])(
    'hides no times: %s',
    async (name) => {
      const rows = rowsOf((seconds, at) => [at + 1, bibAt(at), clock(seconds)].join());
      expect((await ask(`Place,Bib,${name}`, rows)).suggested).toBe(`chip_time=${name}`);
    },
  );

  test('of a pace is told if no other column has times', async () => {
    const rows = rowsOf((seconds, at) => [bibAt(at), clock(seconds / 10)].join());
    const { suggested, details } = await ask('Bib,Pace', rows);
    expect(suggested).toBeNull();
    expect(details[0]).toContain('Times stand in "Pace"');
  });
});

test.each([
  ['1899-12-30 ', ''],
  ['31/12/1899 ', ' AM'],
  ['01.01.1904 ', ''],
  ['1970-01-01T', '.000Z'],
  ['1/0/1900 ', ''],
])('reads a duration behind the first day of a program: %j and %j', async (before, behind) => {
  const rows = rowsOf((seconds, at) =>
    [at + 1, bibAt(at), `${before}${clock(seconds + 3_600)}${behind}`].join(),
  );
  const { suggested, offered, suggested: query } = await ask('Place,Bib,Time', rows);
  const chosen = query ?? offered[0] ?? '';
  expect(chosen).toContain('time_format=am_pm');
  const read = await ask('Place,Bib,Time', rows, chosen);
  expect(read.rows[0]?.chip_time).toBe('01:41:40.000');
  expect(suggested === null).toBe(before.startsWith('31'));
});

test.each([' PB', ' (SB)', 'q', ' NR', '*', '†', ' Q, PB'])(
  'reads a time with %j behind it',
  async (mark) => {
    const rows = rowsOf((seconds, at) =>
      [bibAt(at), `"${clock(seconds)}${at % 5 === 2 ? mark : ''}"`].join(),
    );
    const { suggested } = await ask('Bib,Time', rows);
    expect(suggested).toBe('time_format=apostrophes');
    expect((await ask('Bib,Time', rows, suggested ?? '')).statuses.FINISHED).toBe(14);
  },
);

test('reads a mark behind a time far below the first rows', async () => {
  const rows = rowsOf((seconds, at) => [at + 1, clock(seconds)].join(), 280);
  rows[270] = `${rows[270]} CR`;
  expect((await ask('Bib,Time', rows)).suggested).toBe('time_format=apostrophes');
});

test('reads the status of a single runner far below the first rows', async () => {
  const bibs = Array.from({ length: 560 }, (_, at) => String(at + 1_001));
  const rows = bibs.map(
    (bib, at) => `${at === 541 ? 'DSQ' : at + 1},${bib},${clock(2_000 + at)}\n`,
  );
  const previewed = (query: string) =>
    previewBlocks([bytesOf(['Rg,Dorsal,Tiempo\n', ...rows])], query, { bibs });
  expect((await previewed('')).suggestion?.query).toBe('status=Rg');
  expect((await previewed('status=Rg')).statuses).toMatchObject({ FINISHED: 559, DSQ: 1 });
});

test.each(['Hrs,Min,Sec', 'Horas,Minutos,Segundos', 'h,mm,ss'])(
  'tells that a time stands in several columns: %s',
  async (names) => {
    const rows = rowsOf((seconds, at) =>
      [bibAt(at), ...clock(seconds).split(':').map(Number)].join(),
    );
    const { suggested, offered, details } = await ask(`Bib,${names}`, rows);
    expect([suggested, offered]).toEqual([null, []]);
    expect(details[0]).toContain('The time stands in 3 columns');
  },
);

test.each(['Pos,Dorsal,Tiempo', 'Rank,Bib,Name,Time', 'Platz,Startnummer,Zeit'])(
  'tells tables side by side apart: %s',
  async (names) => {
    const cells = (seconds: number, at: number, first: number) =>
      names
        .split(',')
        .map((_, index, all) =>
          index === 0
            ? at + 1
            : index === 1
              ? first + bibAt(at)
              : index === all.length - 1
                ? clock(seconds)
                : 'X',
        );
    const rows = rowsOf((seconds, at) =>
      [...cells(seconds, at, 0), '', ...cells(seconds + 300, at, 150)].join(),
    );
    const { suggested, offered, details } = await ask(`${names},,${names}`, rows);
    expect(suggested).toBeNull();
    expect(details[0]).toContain('side by side');
    const width = names.split(',').length + 1;
    expect(offered.map((query) => query.replaceAll(/&(gun_time|split)=[^&]*/g, ''))).toEqual([
      `bib=#2&chip_time=#${width - 1}`,
      `bib=#${width + 2}&chip_time=#${2 * width - 1}`,
    ]);
  },
);

test.each(['100M', '100 miles', '160 km'])(
  'takes a day and a night for %s as usual',
  async (of) => {
    const rows = rowsOf((seconds, at) => [at + 1, bibAt(at), clock(seconds * 34)].join());
    const { suggested, codes } = await ask('Place,Bib,Time', rows, '', of);
    expect([suggested, codes]).toEqual(['', ['over_24_hours']]);
  },
);

describe('a choice', () => {
  const DAY = 'Half (clock),Finish (clock)';
  test.each([
    `Pos,Bib,${DAY},Race Time`,
    `Platz,Startnr,${DAY},Laufzeit`,
    `Puesto,Dorsal,Media (clock),Finish (clock),Tiempo de carrera`,
  ])('is not offered beside others if most rows speak against it: %s', async (header) => {
    const rows = rowsOf((seconds, at) => {
      const sinceStart = [21_600 + seconds * 2, 21_600 + seconds * 4].map(clock);
      return [at + 1, bibAt(at), ...sinceStart, clock(seconds * 4)].join();
    });
    const { suggested, offered } = await ask(header, rows);
    const race = header.split(',').at(-1);
    expect(suggested).toBeNull();
    expect(offered.some((query) => query.includes(`chip_time=${race}&gun_time=&`))).toBe(true);
    expect(offered.filter((query) => query.includes(`=${race}&gun_time=Finish`))).toEqual([]);
  });

  test('is offered despite a doubt about all rows if there is no other', async () => {
    const rows = rowsOf((seconds, at) => [bibAt(at), clock(40_000 + seconds)].join());
    expect((await ask('Bib,Finish Time', rows)).offered).toEqual([
      'chip_time=Finish Time&gun_time=',
    ]);
  });
});

test('suggests nothing if rows behind the sample do not follow the places, and offers the named column', async () => {
  const rows = Array.from({ length: 900 }, (_, at) => {
    const points = at < 250 ? 10_000 + at : 9_000 - at * 5;
    return [at + 1, 2_000 + at * 3, points].join();
  });
  const { suggested, offered, codes } = await ask('Rank,Bib,Total', rows, 'time_format=seconds');
  const named = 'chip_time=Total&gun_time=&split=&time_format=seconds';
  expect([suggested, offered]).toEqual([null, [named]]);
  expect(codes).toContain('places_disagree');
});

test.each([
  ['Startnummer,Netto,Sexo', ',M'],
  ['Dorsal,Tiempo,Club', ',Club Ejemplo'],
  ['No,Finish,Age', ',34'],
])('reads dots as separators where one time has two of them: %s', async (header, rest) => {
  const rows = ['1,59.59', '2,1.10.03', '3,abc', '99,1.20.03'].map((row) => row + rest);
  const { offered, codes } = await ask(header, [...rows, `2b,${rest}`]);
  expect(codes[0]).toBe('status_unclear');
  expect(offered[0]).toContain('time_format=dots&status_word=abc:DNF');
});

describe('a column whose name nobody knows', () => {
  test.each([
    ['a pace', 'Bib,Time,Zzyx', ['41,1:28:03,4:10', '52,1:29:10,4:14']],
    ['the gap to the winner', 'Bib,Time,Zzyx', ['41,1:28:03,0:00', '52,1:29:10,1:07']],
    ['a net time', 'Bib,Gun Time,Zzyx', ['41,1:28:41,1:28:03', '52,1:29:55,1:29:10']],
    ['one penalty for everybody', 'Bib,Time,Zzyx', ['41,1:28:03,1:00', '52,1:49:10,1:00']],
  ])('is no split without a question if two rows show %s', async (_, header, rows) => {
    const { suggested, offered, codes } = await ask(header, rows);
    expect(suggested).toBeNull();
    expect(offered).toEqual(expect.arrayContaining(['split=', 'split=Zzyx']));
    expect(codes).toContain('splits_unlikely');
  });

  test('is no split before a point if its name and its times are those of a pace', async () => {
    const rows = rowsOf((seconds, at) => {
      const split = seconds / 2 + ((at * 37) % 60);
      return [bibAt(at), clock(seconds / 12 + (at % 3)), clock(split), clock(seconds)].join();
    });
    const { suggested } = await ask('Bib,split-278311-pace,split-278312,Chip Time', rows);
    expect(suggested).toBe('split=split-278312');
  });

  test('is a split if its part of the time differs from runner to runner', async () => {
    const rows = ['41,1:28:03,0:41:50', '52,1:29:10,0:43:31'];
    expect((await ask('Bib,Time,Bridge', rows)).suggested).toBe('');
  });

  test.each([
    ['a time', clock],
    ['a number of seconds', String],
  ])('is no split if a penalty changes it into the finish, written as %s', async (_, written) => {
    const rows = rowsOf((seconds, at) => {
      const penalty = at % 4 === 1 ? 60 : 0;
      const added = penalty ? written(penalty) : '';
      return [bibAt(at), clock(seconds), added, clock(seconds + penalty)].join();
    });
    const { suggested } = await ask('Bib,Zzyx,Penalty,Total Time', rows);
    expect(suggested).toBe('chip_time=Total Time&split=');
  });
});

test('takes the time of day of an arrival for neither the result nor a split', async () => {
  const rows = rowsOf((seconds, at) =>
    [bibAt(at), clock(seconds), clock(9 * 3_600 + seconds)].join(),
  );
  expect((await ask('Bib,Team Time,Finished at', rows)).suggested).toBe(
    'chip_time=Team Time&split=',
  );
});

describe('our own export from which somebody has removed columns', () => {
  const rows = ['41,FINISHED,01:28:03.000,"{""Km 10"":""00:41:50.000""}"', '52,DNF,,"{}"'];

  test.each([
    ['bib_number,status,chip_time,splits', rows],
    ['Zzyx,bib_number,status,chip_time,splits', rows.map((row) => `,${row}`)],
  ])('keeps its splits: %s', async (header, some) => {
    const { suggested, shown, rows: shownRows } = await ask(header, some);
    expect(suggested).toBe('');
    expect(shownRows.map(({ splits }) => splits)).toEqual([{ 'Km 10': '00:41:50.000' }, {}]);
    expect(shown?.errors).toBe(0);
  });

  test('keeps the hours that a spreadsheet takes away if it has the milliseconds', async () => {
    const header = 'bib_number,status,chip_time,gun_time,chip_time_ms,gun_time_ms';
    const { suggested, rows: read } = await ask(header, [
      '41,FINISHED,22:11.4,"22:11,4",4931400,4931431',
      '52,FINISHED,59:59.9,00:00.0,3599900,3599960',
      // Somebody typed another time.
      '63,FINISHED,45:30,1:45:31,5400000,5400000',
    ]);
    expect(suggested).toBe('');
    expect(read.map(({ chip_time, gun_time }) => [chip_time, gun_time])).toEqual([
      ['01:22:11.400', '01:22:11.431'],
      ['00:59:59.900', '00:59:59.960'],
      ['00:45:30.000', '01:45:31.000'],
    ]);
  });

  test.each(['4931400.5', '4931400e9', '4931400'.repeat(3), '0x4b3f48'])(
    'takes no hours from milliseconds that it never wrote: %s',
    async (ms) => {
      const header = 'bib_number,status,chip_time,chip_time_ms';
      const { rows: read } = await ask(header, [`41,FINISHED,22:11.4,${ms}`]);
      expect(read).toMatchObject([{ bib_number: '41', chip_time: '00:22:11.400' }]);
    },
  );

  test('is ours with title lines above, a pace beside, and splits that a spreadsheet has shortened', async () => {
    const header =
      'Place,Place by gender,Place by category,Bib,Given names,Surnames,Gender,Category,Distance,Status,' +
      'Chip time,Gun time,Km 5,chip_time_ms,gun_time_ms,km_5_ms,Pace';
    const row = '1,1,1,41,,,,,,,22:11.4,1:22:15,41:12,4931400,4934100,2471300,8:13';
    const { suggested, rows: read } = await ask('Results of the race,,,', [header, row]);
    expect(suggested).toBe('header_line=2&ignore=Pace');
    const { rows: plain } = await ask(header, [row], 'ignore=Pace');
    for (const rows of [read, plain]) {
      expect(rows).toMatchObject([
        {
          chip_time: '01:22:11.400',
          gun_time: '01:22:14.100',
          splits: { 'Km 5': '00:41:11.300' },
        },
      ]);
    }
  });

  test('keeps the hours of passings too', async () => {
    const header = 'inscription_id,bib_number,point,time,received_at,time_ms';
    const { rows: read } = await ask(header, [',41,Km 15,10:11.3,,4211250'], 'point=Km 15');
    expect(read).toMatchObject([{ bib_number: '41', chip_time: '01:10:11.250' }]);
  });

  test('has times in a column "splits" if another program wrote it', async () => {
    const { rows: read } = await ask('bib,time,splits', [
      '41,1:28:03,0:41:50',
      '52,1:29:10,0:43:31',
    ]);
    expect(read.map(({ splits }) => splits)).toEqual([
      { splits: '00:41:50.000' },
      { splits: '00:43:31.000' },
    ]);
  });
});

describe('a time that a column or a whole day has to complete', () => {
  const ofDay = (seconds: number) => clock(9 * 3_600 + seconds);
  test.each([
    ['times of day', (seconds: number) => ofDay(seconds)],
    ['dates', (seconds: number) => `2026-05-10 ${ofDay(seconds)}`],
  ])('counts from the start of its runner, if a person says so: %s', async (_, moment) => {
    const rows = rowsOf((seconds, at) => [bibAt(at), moment(at), moment(at + seconds)].join());
    const { suggested, offered } = await ask('Bib,Start,Finish', rows);
    expect(suggested).toBeNull();
    expect(offered).toEqual([expect.stringMatching(/^chip_time=Finish&.*started=Start$/)]);
    const answered = await ask('Bib,Start,Finish', rows, offered[0]);
    expect(answered.suggested).toBe(offered[0]);
    expect(answered.rows[0]).toMatchObject({ chip_time: '00:41:40.000', splits: {} });
  });

  test('is blank without a start, and goes over midnight', async () => {
    const rows = ['7,23:50:00,00:40:00', '8,,00:41:00', '9,23:51:00,DNF'];
    const query = 'chip_time=Finish&started=Start&status_word=dnf:DNF';
    const { rows: read, statuses } = await ask('Bib,Start,Finish', rows, query);
    expect(read.map(({ chip_time }) => chip_time)).toEqual(['00:50:00.000', null]);
    expect(statuses).toMatchObject({ FINISHED: 1, DNF: 1 });
  });

  test('is a day longer than it is written, if the places say so', async () => {
    const rows = rowsOf((seconds, at) =>
      [at + 1, bibAt(at), clock((80_000 + seconds + at * 1_000) % 86_400)].join(),
    );
    const { suggested, offered } = await ask('Place,Bib,Time', rows);
    expect(suggested).toBeNull();
    const longer = offered.find((query) => query.includes('fastest=22:55:00.000')) ?? '';
    const { rows: read, suggested: again } = await ask('Place,Bib,Time', rows, longer);
    expect(again).toBe(longer);
    expect(read[5]?.chip_time).toBe('24:22:15.000');
  });
});

describe('a time as a program computes it', () => {
  test.each([
    ['hours', 3_600],
    ['minutes', 60],
    ['seconds', 1],
    ['day_fraction', 86_400],
  ] as const)('is read in the unit that makes it round: %s', async (unit, size) => {
    const rows = rowsOf((seconds, at) => [bibAt(at), (seconds + 0.1 + 0.2) / size].join());
    expect((await ask('Bib,Time', rows)).suggested).toContain(`time_format=${unit}`);
  });

  test('may have hundredths where a clock has seconds, if the distance is too short', async () => {
    const rows = rowsOf((_, at) => [at + 1, bibAt(at), `${14 + (at >> 1)}:${10 + at}:11`].join());
    const { suggested, offered } = await ask('Place,Bib,Time', rows, '', '5K');
    expect(suggested).toBeNull();
    expect(offered.some((query) => query.includes('time_format=hundredths'))).toBe(true);
    const long = [...rows.slice(0, 3), '15,201,1:02:33:41'];
    expect((await ask('Place,Bib,Time', long, '', '5K')).suggested).toContain('hundredths');
  });
});

describe('a time that a further column contradicts', () => {
  const first = 2_500;
  /** @param wrong the row whose time is six minutes too long */
  const file = (kind: string, wrong: number): [header: string, rows: string[]] => {
    const rows = rowsOf((seconds, at) => {
      const time = clock(seconds + (at === wrong ? 360 : 0));
      const legs = [seconds * 0.2 + at, seconds * 0.5 - 3 * at].map(Math.floor);
      const [swim = 0, bike = 0] = legs;
      const beside = {
        Gap: `+${clock(seconds - first)}`,
        Pace: clock(seconds / (at % 2 === 0 ? 10 : 5)),
        'Time of day': clock(9 * 3_600 + seconds),
        'Swim,Bike,Run': [swim, bike, seconds - swim - bike].map(clock).join(),
      }[kind];
      return [bibAt(at), time, beside].join();
    });
    return [`Bib,Time,${kind}`, rows];
  };

  test.each(['Gap', 'Pace', 'Time of day', 'Swim,Bike,Run'])('is named: %s', async (kind) => {
    const { suggested, details, offered } = await ask(...file(kind, 7));
    expect(suggested).toBeNull();
    expect(details.join()).toContain('The time of 1 row does not fit');
    expect(offered).not.toEqual([]);
    const right = await ask(...file(kind, -1));
    expect(right.suggested).not.toBeNull();
    expect(right.codes).not.toContain('times_disagree');
  });

  test('is one of all times if their order is not that of the paces', async () => {
    const rows = rowsOf((seconds, at) =>
      [bibAt(at), clock(9_000 - seconds), clock(seconds / 10)].join(),
    );
    const { suggested, details } = await ask('Bib,Time,Pace', rows);
    expect(suggested).toBeNull();
    expect(details[0]).toContain('The time of 14 rows does not fit the column "Pace".');
  });
});
