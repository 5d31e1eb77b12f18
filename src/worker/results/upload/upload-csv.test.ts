import { describe, expect, it } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { cut, encodeLatin1 } from '../../../testing/csv.ts';
import { createRace, createRegistrations } from '../../../testing/factories.ts';
import {
  answered,
  bodyOf,
  bytesOf,
  filePart,
  form,
  postCsv,
  postForm,
  type Race,
  storedBatches,
  storedResults,
  textPart,
  uploadCsv,
  uploadRows,
} from '../../../testing/uploads.ts';

const MIB = 1_024 * 1_024;
const GOOD = 'dorsal,tiempo\n7,20:00\n';

async function expectNothingWritten({ eventId }: Race) {
  expect(await storedResults(eventId)).toEqual({});
  expect(await storedBatches(eventId)).toEqual([]);
}

/** The form is refused, and nothing is written. */
async function expectRefused(body: BodyInit, detail: RegExp, type?: string) {
  const race = await createRace({ bibs: ['7'] });
  const response = await postForm(race, body, type === undefined ? {} : { type });
  expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(detail);
  await expectNothingWritten(race);
}

const expectFileRefused = (file: string | Uint8Array, detail: RegExp) =>
  expectRefused(form([filePart(file)]), detail);

describe('an upload', () => {
  it('stores the good rows and tells of each other one by its line, as it was read', async () => {
    const race = await createRace({ bibs: ['1', '2', '3', '4'] });
    await uploadCsv(race, 'bib,time\n2,59:00\n');
    const out = await uploadCsv(
      race,
      [
        'Dorsal;Tiempo Chip;Pistola;Estado;Km 5;Club',
        '9;10:00;;;;Owls',
        '1;20:00;20:30;;10:00;Owls',
        '',
        ' 2 ;;21:00;finished;nope;"Two\nlines"',
        '3;late; ;;10:00;Owls',
        '4;23:00;23:10;dnf;11:00;Owls',
        ';;;;;',
        '4;24:00;24:10;DNF;12:00;Owls',
        '3;25:00',
      ].join('\r\n'),
    );
    expect(out).toEqual({
      batch_id: expect.any(String),
      total_processed: 7,
      uploaded: 3,
      updated: 1,
      unchanged: 0,
      not_found: 1,
      errors: 1,
      duplicates: 1,
      splits_detected: ['Km 5'],
      warnings: [
        expect.objectContaining({ code: 'whole_minutes' }),
        expect.objectContaining({ code: 'repeated_bibs' }),
        expect.objectContaining({ code: 'last_line_cut' }),
        expect.objectContaining({ code: 'times_left_out', rows: [8, 10] }),
      ],
      left: [],
      failed: [
        {
          row: 2,
          bib_number: '9',
          reason: expect.stringContaining('"9"'),
          reason_code: 'unknown_bib',
          item: {
            Dorsal: '9',
            'Tiempo Chip': '10:00',
            Pistola: '',
            Estado: '',
            'Km 5': '',
            Club: 'Owls',
          },
        },
        {
          row: 7,
          bib_number: '3',
          reason: expect.stringContaining('"late"'),
          reason_code: 'invalid_time',
          item: {
            Dorsal: '3',
            'Tiempo Chip': 'late',
            Pistola: ' ',
            Estado: '',
            'Km 5': '10:00',
            Club: 'Owls',
          },
        },
      ],
    });
    expect(await storedResults(race.eventId)).toEqual({
      1: { status: 'FINISHED', chip: 1_200_000, gun: 1_230_000, splits: { 'Km 5': 600_000 } },
      2: { status: 'FINISHED', chip: null, gun: 1_260_000, splits: {} },
      3: { status: 'FINISHED', chip: 1_500_000, gun: null, splits: {} },
      4: { status: 'DNF', chip: null, gun: null, splits: { 'Km 5': 720_000 } },
    });
    const { batch_id, failed, splits_detected, left, warnings: _, ...counts } = out;
    expect(left).toEqual([]);
    const [, recorded] = await storedBatches(race.eventId);
    expect(recorded).toMatchObject({ id: batch_id, source: 'csv', left_count: 0, ...counts });
  });

  it('needs no time column where there is a status column', async () => {
    const race = await createRace({ bibs: ['7', '8'] });
    const out = await uploadCsv(race, 'bib,status\n7,dns\n8,\n');
    expect(out).toMatchObject({ uploaded: 1, errors: 1, failed: [{ row: 3, bib_number: '8' }] });
  });

  it('takes the time beside a transponder', async () => {
    const race = await createRace({ bibs: ['7'] });
    await uploadCsv(race, 'Bib,Chip,Time\n7,MX4Q2T,20:00\n');
    expect(await storedResults(race.eventId)).toMatchObject({ 7: { chip: 1_200_000, splits: {} } });
  });

  it('detects the splits of loaded rows alone, in the order in which they first appear', async () => {
    const race = await createRace({ bibs: ['1', '2'] });
    const out = await uploadCsv(
      race,
      [
        'bib,time,Of nobody,Of an error,Never,Km 5,Km 10',
        '9,20:00,10:00,,,,',
        '1,x,,10:00,,,',
        '1,20:00,,,-,,10:00',
        '2,20:00,,,,05:00,10:00',
      ].join('\n'),
    );
    expect(out.splits_detected).toEqual(['Km 10', 'Km 5']);
  });

  it('keeps __proto__ apart: as a bib, as a split and as a column', async () => {
    const race = await createRace({ bibs: ['__proto__'] });
    const out = await uploadCsv(race, 'bib,time,__proto__\n__proto__,20:00,10:00\n');
    expect(out).toMatchObject({ uploaded: 1, splits_detected: ['__proto__'] });
    const [stored] = Object.values(await storedResults(race.eventId));
    expect(JSON.stringify(stored?.splits)).toBe('{"__proto__":600000}');

    const response = await postCsv(race, 'bib,time,__proto__\nconstructor,20:00,10:00\n');
    expect(await response.text()).toContain(
      '"item":{"bib":"constructor","time":"20:00","__proto__":"10:00"}',
    );
  });

  it('reads a file in latin-1 as latin-1, to its first byte', async () => {
    const race = await createRace({ bibs: ['1', 'Ñ'] });
    const filler = '9,20:00,10:00\n'.repeat(10_000);
    const file = encodeLatin1(`Número,Tiempo,Peñón\n${filler}Ñ,20:00,10:00\n`);
    expect(await uploadCsv(race, file)).toMatchObject({
      uploaded: 1,
      splits_detected: ['Peñón'],
      failed: [{ row: 10_001, bib_number: '9' }],
    });
    const late = bytesOf([
      `bib,time,Km 5\n${filler}`,
      encodeLatin1('1,20:00,10:00\nÑ,20:00,10:00'),
    ]);
    expect(await uploadCsv(race, late)).toMatchObject({ uploaded: 1, updated: 1 });
  });
});

describe('the failure of a row', () => {
  const outcomeOf = async (header: string, row: string) => {
    const race = await createRace({ bibs: ['7', '8'] });
    const out = await uploadCsv(race, `${header}\n${row}\n8,20:00\n`);
    expect(out).toMatchObject({ total_processed: 2, uploaded: 1, errors: 1 });
    const [failure] = out.failed;
    return failure;
  };

  it.each([
    ['with text after a closing quote', '7,"20:00"x"', /closing quote/, 'invalid_row'],
    [
      'with more cells than columns',
      '7,20:00,21:00',
      /3 cells, but the header has 2/,
      'invalid_row',
    ],
    ['with a time that is none', '7,20.00', /chip time "20\.00"/, 'invalid_time'],
    ['without a time', '7,', /needs a chip time or a gun time/, 'missing_time'],
    ['without a cell for the time', '7', /needs a chip time or a gun time/, 'missing_time'],
  ])('%s', async (_what, row, reason, reason_code) => {
    expect(await outcomeOf('bib,time', row)).toMatchObject({
      row: 2,
      bib_number: '7',
      reason: expect.stringMatching(reason),
      reason_code,
    });
  });

  it('fails a row with an unknown status', async () => {
    expect(await outcomeOf('bib,time,status', '7,,Finisher')).toMatchObject({
      reason: expect.stringMatching(/did you mean FINISHED/),
      reason_code: 'invalid_status',
    });
  });

  it('fails a row without a bib', async () => {
    expect(await outcomeOf('bib,time', ' ,20:00')).toEqual({
      row: 2,
      bib_number: null,
      reason: expect.stringMatching(/bib/),
      reason_code: 'missing_bib',
      item: { bib: ' ', time: '20:00' },
    });
  });

  it('fails a row with a NUL in the bib', async () => {
    expect(await outcomeOf('bib,time', '7\0,20:00')).toMatchObject({
      row: 2,
      bib_number: '7\0',
      reason_code: 'invalid_bib',
      item: { bib: '7\0', time: '20:00' },
    });
  });

  it('loads a row with blank cells beyond the last column', async () => {
    const race = await createRace({ bibs: ['7'] });
    expect(await uploadCsv(race, 'bib,time\n7,20:00,, ,\n')).toMatchObject({ uploaded: 1 });
  });

  it('echoes a failed row with all its cells', async () => {
    expect((await outcomeOf('bib,time', '7,20:00,x1'))?.item).toEqual({
      bib: '7',
      time: '20:00',
      'column 3': 'x1',
    });
  });

  it('is none for words behind the last column, unless the cells may have moved', async () => {
    const race = await createRace({ bibs: ['7'] });
    const out = await uploadCsv(race, 'bib,name,time\n7,Ana,20:00,shouted\n');
    expect(out).toMatchObject({ uploaded: 1, failed: [] });
    const moved = await uploadCsv(race, 'bib,km5,time,club\n7,x,10:00,20:00,Owls\n');
    expect(moved.failed).toMatchObject([{ reason_code: 'invalid_row' }]);
  });

  it('fails a row alone however long it is', async () => {
    const race = await createRace({ bibs: ['7'] });
    const club = 'x'.repeat(65_000);
    const out = await uploadCsv(race, `bib,time,club\n9,20:00,${club}\n7,20:00,${club}\n`);
    expect(out).toMatchObject({ uploaded: 1, not_found: 1, failed: [{ row: 2, item: { club } }] });
  });
});

it('fails a row with a split name that cannot be stored', async () => {
  const race = await createRace({ bibs: ['7'] });
  const out = await uploadRows(race, [
    { bib_number: '7', time: '20:00', splits: { 'Km\0': '10:00' } },
    { time: '20:00' },
  ]);
  expect(out.failed.map(({ reason_code }) => reason_code)).toEqual([
    'invalid_split',
    'missing_bib',
  ]);
});

it('takes a file of a header alone as an upload of no rows', async () => {
  const out = await uploadCsv(await createRace(), 'bib,time\n');
  expect(out).toMatchObject({ total_processed: 0, uploaded: 0, errors: 0, failed: [] });
});

describe('the warnings of an upload', () => {
  const warningsOf = async (lines: readonly string[]) => {
    const race = await createRace({ bibs: ['41', '52', '63'] });
    const { warnings = [] } = await uploadCsv(race, lines.map((line) => `${line}\n`).join(''));
    return warnings.map(({ code, detail }) => ({ code, detail }));
  };

  it.each<[string, string, string[], RegExp]>([
    [
      'time_of_day',
      'a finish time of day beside the start',
      ['Bib,Start,Finish Time', '41,09:00:00,10:28:03', '52,09:00:30,10:29:40'],
      /"Finish Time" are times of day/,
    ],
    [
      'gaps_unlikely',
      'gaps to the winner',
      ['Bib,Time', '41,3:04:59', '52,0:55', '63,1:14'],
      /gaps to the winner/,
    ],
    [
      'repeated_bibs',
      'passings of one runner',
      ['Bib,Time', '41,0:20:00', '41,0:40:00', '52,0:21:00'],
      /1 of 3 rows repeat a bib/,
    ],
    [
      'finished_despite_mark',
      'statuses in a column that no name tells',
      ['Clasif.,Bib,Time', '1,41,1:28:03', 'DSQ,52,1:29:10'],
      /"DSQ" in the column "Clasif\."\. Name its column with the parameter status/,
    ],
    [
      'column_not_read',
      'times of another form',
      ['Bib,Time,Netto', "41,1:28:03,1h28'00", "52,1:29:10,1h29'00"],
      /"Netto" is not read: its name is not that of a time/,
    ],
    [
      'splits_unlikely',
      'paces stored as splits',
      ['Bib,Time,Pace', '41,1:28:03,4:10', '52,1:29:10,4:14'],
      /stored as splits.*"Pace"/,
    ],
    ['no_rows', 'a header without rows', ['Bib,Time'], /no row below it/],
    ['last_line_cut', 'a last line that is cut', ['Bib,Time,Club', '41,1:28:03'], /has 2 cells/],
  ])('have %s for %s', async (code, _what, lines, detail) => {
    expect(await warningsOf(lines)).toContainEqual({
      code,
      detail: expect.stringMatching(detail),
    });
  });

  it('says that no row meets a condition, as before the first finisher', async () => {
    const sent = form([filePart('Point,Bib,Time\n5 km,41,20:03\n')]);
    const to = '/results/file?where=Point:Finish';
    const out = await answered(await postForm(await createRace(), sent, { to }));
    expect(out).toMatchObject({ total_processed: 0, uploaded: 0, errors: 0 });
    expect(out.warnings).toEqual([
      {
        code: 'no_rows',
        detail: expect.stringContaining('where="Point:Finish"'),
        values: { case: 'where', conditions: ['where="Point:Finish"'] },
        rows: [],
      },
    ]);
  });

  it('compare the times with the distance of the registrations, in a file and in JSON', async () => {
    const race = await createRace();
    await createRegistrations(race.eventId, [
      { bib_number: '41', distance: '21K' },
      { bib_number: '52', distance: '10K' },
    ]);
    const warning = {
      code: 'implausible_for_distance',
      detail:
        'The times do not fit the distance: the fastest 21K takes 1 min 28 s. Check the column and the time_format.',
      values: { why: 'the fastest 21K takes 1 min 28 s', times: ['21K: 1 min 28 s'] },
      rows: [],
    };
    const file = await uploadCsv(race, 'bib,time\n41,1:28\n52,41:50\n');
    expect(file.warnings).toContainEqual(warning);
    const json = await uploadRows(race, [{ bib_number: '41', time: '1:28' }]);
    expect(json.warnings).toEqual([warning]);
    const right = await uploadRows(race, [{ bib_number: '41', time: '1:28:00' }]);
    expect(right.warnings).toMatchObject([{ code: 'second_finish' }]);
  });

  it('warns of nothing in a file without faults', async () => {
    const lines = ['Place,Bib,Time,Km 5', '1,41,1:28:03,20:52', '2,52,1:29:10,21:10'];
    expect(await warningsOf(lines)).toEqual([]);
  });

  it('warns of a status far below the first rows', async () => {
    const finishers = Array.from({ length: 700 }, (_, at) => `${at + 1},${at + 1000},1:28:03`);
    const warnings = await warningsOf(['General,Bib,Time', ...finishers, 'DSQ,41,1:29:10']);
    expect(warnings).toContainEqual({
      code: 'finished_despite_mark',
      detail: expect.stringContaining('"DSQ" in the column "General"'),
    });
  });
});

describe('a file is refused as a whole, and nothing of it is written', () => {
  const png = bytesOf([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d),
    'IHDR',
    Uint8Array.from({ length: 4_000 }, (_, index) => (index * 89) % 256),
  ]);

  it.each([
    ['empty', '', /empty/],
    ['blank', ' \r\n\n', /empty/],
    ['without a bib column', 'name,time\nx,20:00\n', /dorsal.*Found: name, time/],
    ['without a header', '7,20:00\n8,21:00\n', /no bib column.*Found: 7, 20:00/],
    [
      'without time and status',
      'bib,Km 5\n7,20:00\n',
      /chip_time.*gun_time.*estado.*Found: bib, Km 5/,
    ],
    ['with an unclosed quote', `${GOOD}\n7,"21:00\n`, /line 4 /],
    [
      'with an unclosed quote far from its end',
      `${GOOD}\n7,"\n${'8,20:00\n'.repeat(30_000)}`,
      /line 4 /,
    ],
    ['with an unclosed quote in its header', 'bib,"time\n7,20:00\n', /line 1 /],
    ['with a row that has no end', `${GOOD}7,${'x'.repeat(70_000)}`, /line 3 /],
    ['with thousands of columns', `bib,time${',x'.repeat(20_000)}\n`, /20002 columns/],
    ['with a column named at length', `bib,time,${'x'.repeat(101)}\n`, /101 characters/],
    ['that is an image', png, /./],
  ])('%s', (_what, file, detail) => expectFileRefused(file, detail));

  it('refuses UTF-16 without a byte order mark', () =>
    expectFileRefused(
      Uint8Array.from([...encodeLatin1(GOOD)].flatMap((byte) => [byte, 0])),
      /NUL/,
    ));

  it('refuses more than 100 000 rows', () =>
    expectFileRefused(`bib,estado\n${'7,dns\n'.repeat(100_001)}`, /100000 rows/));
});

it('stores a file with a thousand splits', async () => {
  const race = await createRace({ bibs: ['7'] });
  const laps = Array.from({ length: 1_000 }, (_, index) => `Lap ${index + 1}`);
  const times = laps.map(() => '5:00').join();
  const out = await uploadCsv(race, `bib,time,${laps.join()}\n7,23:59:59,${times}\n`);
  expect(out).toMatchObject({ uploaded: 1, splits_detected: laps });
});

describe('a form', () => {
  const file = filePart(GOOD);

  it('reads a form as current clients write it', async () => {
    const race = await createRace({ bibs: ['7'] });
    const body = new FormData();
    body.append('note', 'second wave');
    body.append('file', new File([GOOD], 'résultados.csv', { type: 'text/csv' }));
    const request = new Request('http://api.test', { method: 'POST', body });
    const response = await postForm(race, await request.arrayBuffer(), {
      type: request.headers.get('Content-Type') ?? '',
    });
    expect(await answered(response)).toMatchObject({ uploaded: 1 });
  });

  it('passes over a long text behind the file of a form', async () => {
    const race = await createRace({ bibs: ['7'] });
    const bytes = form([file, textPart('note', new Uint8Array(4 * MIB))]);
    const pieces = cut(bytes, [MIB, 2 * MIB, 3 * MIB]);
    expect(await answered(await postForm(race, bodyOf(pieces)))).toMatchObject({ uploaded: 1 });
  });

  it('accepts other fields and files before and behind the file of a form', async () => {
    const race = await createRace({ bibs: ['7'] });
    const photo = {
      headers: 'Content-Disposition: form-data; name="photo"; filename="x.png"',
      content: new Uint8Array(200_000),
    };
    const body = form([textPart('note', 'x'), photo, file, photo, textPart('more', 'y')]);
    expect(await answered(await postForm(race, body))).toMatchObject({ uploaded: 1 });
  });

  it('accepts a file as text, without a file name', async () => {
    const race = await createRace({ bibs: ['7'] });
    const body = form([textPart('file', encodeLatin1('Número,tiempo\n7,20:00\n'))]);
    expect(await answered(await postForm(race, body))).toMatchObject({ uploaded: 1 });
  });

  it('reads a form the same wherever its bytes are cut', async () => {
    const race = await createRace({ bibs: ['7'] });
    const bytes = Array.from(form([textPart('note', 'x'), file]), (byte) => Uint8Array.of(byte));
    expect(await answered(await postForm(race, bodyOf(bytes)))).toMatchObject({ uploaded: 1 });
  });

  it('accepts bytes after the end of a form', async () => {
    const race = await createRace({ bibs: ['7'] });
    const pieces = [form([file]), bytesOf(['\r\nan epilogue']), new Uint8Array(100_000)];
    expect(await answered(await postForm(race, bodyOf(pieces)))).toMatchObject({ uploaded: 1 });
  });

  it.each([
    ['without the field', form([textPart('note', 'x')]), /0 fields "file"/],
    ['without any field', form([]), /fields "file"|incomplete/],
    ['with the field named otherwise', form([textPart('File', GOOD)]), /0 fields "file"/],
    ['with the file twice', form([file, file]), /more than one|2 fields/],
    [
      'with the file twice, once as text',
      form([file, textPart('file', GOOD)]),
      /more than one|2 fields/,
    ],
    ['that is empty', new Uint8Array(), /incomplete|fields "file"/],
    ['that is no form', bytesOf([GOOD]), /incomplete|fields "file"/],
    ['cut inside its file', form([file]).subarray(0, -40), /incomplete/],
    ['cut before its last boundary', form([file], { end: '' }), /incomplete/],
    ['cut inside its last boundary', form([file], { end: '--finish-li' }), /incomplete/],
    ['cut after a part', form([file], { end: '--finish-line\r\n' }), /incomplete/],
    [
      'cut inside a part header',
      form([file], { end: '--finish-line\r\nContent-Disp' }),
      /incomplete/,
    ],
    [
      'with a part that has no header',
      form([{ headers: '', content: 'x' }, file], { end: '' }),
      /incomplete/,
    ],
  ])('refuses a form: %s', (_what, body, detail) => expectRefused(body, detail));

  it.each([
    ['cut inside its file', form([file]).subarray(0, -40)],
    ['cut inside its last boundary', form([file], { end: '--finish-li' })],
    ['that is no form', bytesOf([GOOD, 'x'.repeat(1_000)])],
    ['of headers without an end', bytesOf(['--finish-line\r\n', 'X-Y: z\r\n'.repeat(20_000)])],
    ['of a header without an end', bytesOf(['--finish-line\r\nX-Y: ', 'z'.repeat(200_000)])],
  ])('refuses a form that comes in pieces: %s', async (_what, body) => {
    const pieces = [...Array(10).keys()].map((tenth) =>
      body.subarray((tenth * body.length) / 10, ((tenth + 1) * body.length) / 10),
    );
    await expectRefused(bodyOf(pieces), /incomplete|fields "file"/);
  });

  it('refuses a form with thousands of parts', () =>
    expectRefused(form([...Array(3_000).fill(textPart('x', 'y')), file]), /0 fields "file"/));

  it('refuses a form that breaks off', async () => {
    const pieces = async function* () {
      yield form([file]).subarray(0, -60);
      throw new Error('the line went dead');
    };
    await expectRefused(bodyOf(pieces()), /broke off/);
  });

  it.each([
    ['multipart/form-data', /cannot be read/],
    ['multipart/form-data; boundary=', /cannot be read|incomplete/],
    ['multipart/form-data; boundary=another', /incomplete|fields "file"/],
    ['multipart/mixed; boundary=finish-line', /Content-Type/],
    ['text/plain', /multipart\/form-data or text\/csv or application\/vnd.* is expected/],
    ['application/json', /Content-Type/],
    ['', /Content-Type/],
  ])('announced as %j is refused', (type, detail) => expectRefused(form([file]), detail, type));

  it.each([
    'Multipart/Form-Data; boundary=finish-line',
    'multipart/form-data; charset=utf-8; boundary="finish-line"',
  ])('announced as %j is read', async (type) => {
    const race = await createRace({ bibs: ['7'] });
    expect(await answered(await postForm(race, form([file]), { type }))).toMatchObject({
      uploaded: 1,
    });
  });
});

it.each(['base64', 'Quoted-Printable'])(
  'refuses a file that a form sends as %s',
  async (encoding) => {
    const race = await createRace({ bibs: ['7'] });
    const part =
      '--finish-line\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n' +
      `Content-Transfer-Encoding: ${encoding}\r\n\r\nYmliLHRpbWUKNywyMDowMAo=\r\n--finish-line--\r\n`;
    const response = await postForm(race, bytesOf([part]));
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toMatch(
      /Content-Transfer-Encoding/,
    );
  },
);

it.each([
  ['filename', 'filename="fin\u202eish.csv"'],
  ['filename*', "filename*=UTF-8''fin%E2%80%AEish.csv"],
])('refuses a file, and its preview, whose %s has a mark of direction', async (_, parameter) => {
  const race = await createRace({ bibs: ['7'] });
  const part = {
    headers: `Content-Disposition: form-data; name="file"; ${parameter}`,
    content: 'bib,time\n7,20:00\n',
  };
  for (const to of ['/results/file', '/results/file/preview', '/passings/file?point=Km%2010']) {
    const response = await postForm(race, form([part]), { to });
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toContain('found U+202E, ');
  }
  expect(await storedResults(race.eventId)).toEqual({});
});

describe('a body of at most 16 MiB', () => {
  it('refuses one byte more by its Content-Length', async () => {
    const race = await createRace({ bibs: ['7'] });
    const headers = { 'Content-Length': String(16 * MIB + 1) };
    const response = await postForm(race, form([filePart(GOOD)]), { headers });
    expect(await expectError(response, 413, 'VALIDATION_ERROR')).toMatch(/16 MiB/);
    await expectNothingWritten(race);
  });
});
