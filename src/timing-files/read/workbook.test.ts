import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { cut, streamOf } from '../../testing/csv.ts';
import { numberCell, partsOf, workbookOf, zipOf } from '../../testing/workbook.ts';
import { openFile } from './open-file.ts';
import type { SheetStart, WorkbookWatch } from './workbook.ts';

const textOf = async (
  pieces: readonly Uint8Array[],
  parameters: { sheet?: string; encoding?: string } = {},
  watch: WorkbookWatch = {},
): Promise<string> => {
  let text = '';
  for (const bytes of await openFile(streamOf(pieces), parameters, watch)) {
    text += new TextDecoder().decode(bytes);
  }
  return text;
};

const read = async (workbook: Uint8Array, sheet?: string): Promise<string[]> => {
  const text = await textOf([workbook], sheet === undefined ? {} : { sheet });
  return text.split('\n').slice(0, -1);
};

const HEADER = ['Bib', 'Time'];

describe('a cell of a workbook', () => {
  test.each<[string, number, string, string]>([
    ['a time as hours, minutes and seconds', 5283 / 86_400, '[h]:mm:ss', '1:28:03'],
    ['a time over 24 hours', 94_203 / 86_400, '[h]:mm:ss', '26:10:03'],
    ['minutes with a fraction', 2_510.5 / 86_400, 'mm:ss.0', '0:41:50.500'],
    ['a time with AM or PM as 24 hours', 0.9, 'h:mm:ss AM/PM', '21:36:00'],
    ['a time of day beside a date as the time', 46_151.5, '[h]:mm:ss', '12:00:00'],
    ['a date as in ISO 8601', 46_151, 'yyyy-mm-dd', '2026-05-09'],
    ['a number with leading zeros', 7, '000', '007'],
    ['a number as it is', 5283.12, 'General', '5283.12'],
  ])('shows %s', async (_what, value, format, shown) => {
    const rows = await read(workbookOf({ A: [HEADER, [numberCell(value, format), 'x']] }));
    expect(rows[1]).toBe(`${shown}\tx`);
  });

  test('counts dates from 1904 if the workbook says so', async () => {
    const sheets = {
      A: [HEADER, [numberCell(44_689, 'yyyy-mm-dd'), numberCell(1.5, '[h]:mm:ss')]],
    };
    expect((await read(workbookOf(sheets, { is1904: true })))[1]).toBe('2026-05-09\t36:00:00');
  });

  test('keeps a text as it stands, and takes shared texts without their pronunciation', async () => {
    const shared =
      '<si><t>007</t></si><si><r><t>A &amp; B</t></r><r><t>&#233;</t></r><rPh><t>x</t></rPh></si>';
    const cells = '<c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c>';
    const sheet = `<worksheet><row r="1">${cells}</row><row r="4"><c r="B4"><f>A1+1</f><v>8</v></c></row></worksheet>`;
    expect(await read(workbookOf({ A: sheet }, { shared }))).toEqual([
      '007\t\tA & Bé',
      '',
      '',
      '\t8\t',
    ]);
  });

  test.each<[string, string]>([
    ['0.0611458333333333', '1:28:03'],
    ['6.1145833333333302E-2', '1:28:03'],
    ['.5', '12:00:00'],
    ['1.0902777777777777', '26:10:00'],
    ['-0.5', '-0.5'],
    ['late', 'late'],
    ['1E400', '1E400'],
  ])('reads the written time %s', async (written, shown) => {
    const rows = await read(
      workbookOf({ A: [HEADER, [{ xml: `<c s="1"><v>${written}</v></c>` }, 'x']] }),
    );
    expect(rows[1]).toBe(`${shown}\tx`);
  });

  test.each<[string, string]>([
    ['0012', '12'],
    ['12.50', '12.5'],
    ['12.25', '12.25'],
    ['1.5E3', '1500'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['12345678901234567', '12345678901234568'],
    ['1.2.3', '1.2.3'],
  ])('reads the written number %s', async (written, shown) => {
    const rows = await read(
      workbookOf({ A: [HEADER, [{ xml: `<c><v>${written}</v></c>` }, 'x']] }),
    );
    expect(rows[1]).toBe(`${shown}\tx`);
  });

  test('reads entities, and keeps unknown entities', async () => {
    const written = '&lt;&#65;&#x1F3C3;&#xD800;&amp;lt; &nix; &#0; &#xZ;';
    expect(await read(workbookOf({ A: [HEADER, [written, 'x']] }))).toEqual([
      'Bib\tTime',
      '<A🏃\ufffd&lt; &nix; &#0; &#xZ;\tx',
    ]);
  });

  test('is blank with blanks of any script alone', async () => {
    const blanks = '&#160;\u3000 \u2009\u205f&#xFEFF;';
    expect(await read(workbookOf({ A: [HEADER, [blanks, `${blanks}é`, '']] }))).toEqual([
      'Bib\tTime',
      `\t\u00a0\u3000 \u2009\u205f\ufeffé`,
    ]);
  });

  test('shows broken bytes as U+FFFD, and reads the cells beside', async () => {
    const parts = partsOf({ A: [HEADER, ['a?', 'b']] });
    const files = Object.entries(parts).map(([name, text]) => {
      const bytes = strToU8(text);
      return [name, bytes.map((byte) => (byte === '?'.charCodeAt(0) ? 0xe4 : byte))] as const;
    });
    expect(await read(zipSync(Object.fromEntries(files)))).toEqual(['Bib\tTime', 'a\ufffd\tb']);
  });

  test('keeps quotes, and has blanks for tabs and newlines', async () => {
    const rows = await read(workbookOf({ A: [HEADER, ['a "b"', 'c\td\ne']] }));
    expect(rows[1]).toBe('"a ""b"""\tc d e');
  });
});

describe('the sheet of a workbook', () => {
  const sheets = {
    Cover: [['City Run']],
    Results: [HEADER, ['41', '1:28:03']],
    Old: [HEADER, ['52', '1:29:10']],
  };

  test('is the first one with a table', async () => {
    expect(await read(workbookOf(sheets))).toEqual(['Bib\tTime', '41\t1:28:03']);
  });

  test.each(['old', '#3'])('is the one that a parameter names: %s', async (sheet) => {
    expect((await read(workbookOf(sheets), sheet))[1]).toBe('52\t1:29:10');
  });

  test('is refused if it does not exist', async () => {
    await expect(read(workbookOf(sheets), 'New')).rejects.toThrow(
      /no sheet "New" \(parameter sheet\)\. Its sheets: "Cover", "Results", "Old"/,
    );
  });

  test('is never a hidden one', async () => {
    const states = { Cover: 'hidden', Results: 'veryHidden' };
    const workbook = workbookOf(sheets, { states });
    expect((await read(workbook))[1]).toBe('52\t1:29:10');
    expect((await read(workbook, '#1'))[1]).toBe('52\t1:29:10');
    await expect(read(workbook, 'results')).rejects.toThrow(
      'The sheet "results" is hidden (parameter sheet): show it in the spreadsheet and save the workbook. Its sheets: "Old".',
    );
  });

  test('is told beside the others that are shown, with the rows at their start', async () => {
    const told: SheetStart[][] = [];
    const onSheets = (list: readonly SheetStart[]) => void told.push([...list]);
    const long = Array.from({ length: 40 }, (_, at) => [`${at}`, '20:00']);
    const workbook = workbookOf(
      { ...sheets, Hidden: long, Long: long },
      { states: { Hidden: 'hidden' } },
    );
    await textOf([workbook], {}, { onSheets });
    expect(told).toEqual([
      [
        { name: 'Cover', rows: 0, text: 'City Run\n', isRead: false },
        { name: 'Results', rows: 2, text: 'Bib\tTime\n41\t1:28:03\n', isRead: true },
        { name: 'Old', rows: 2, text: 'Bib\tTime\n52\t1:29:10\n', isRead: false },
        {
          name: 'Long',
          rows: 30,
          text: expect.stringMatching(/^(\d+\t20:00\n){30}$/),
          isRead: false,
        },
      ],
    ]);
    await textOf([workbook], { sheet: 'Old' }, { onSheets });
    await textOf([workbookOf({ A: long })], {}, { onSheets });
    expect(told).toHaveLength(1);
  });

  test('may have a header alone', async () => {
    expect(await read(workbookOf({ Cover: [['x']], Results: [HEADER] }))).toEqual(['Bib\tTime']);
  });

  test('is read the same wherever its bytes are cut', async () => {
    const workbook = workbookOf(sheets);
    for (const places of [[1], [2, 3], [100, 101, 500]]) {
      expect(await textOf(cut(workbook, places))).toBe('Bib\tTime\n41\t1:28:03\n');
    }
  });
});

test('counts what is unpacked before it is kept', async () => {
  const long = Array.from({ length: 5_000 }, (_, at) => [`${at}`, '20:00']);
  const parts = partsOf({ A: long, B: long });
  let bytes = 0;
  await textOf([zipOf(parts)], { sheet: 'B' }, { grow: (more) => (bytes += more) });
  const sheetBytes = parts['xl/worksheets/sheet2.xml']?.length ?? 0;
  expect(bytes).toBeGreaterThan(sheetBytes);
  expect(bytes).toBeLessThan(2 * sheetBytes);
  const refused = textOf(
    [zipOf(parts)],
    {},
    {
      grow: () => {
        throw new RangeError('no room');
      },
    },
  );
  await expect(refused).rejects.toThrow('no room');
});

test('gives way to other requests between sheets', async () => {
  const covers = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`S${at}`, [['x']]]));
  let turns = 0;
  let isReading = true;
  const count = () => {
    turns += 1;
    if (isReading) setTimeout(count, 0);
  };
  count();
  await expect(read(workbookOf(covers))).rejects.toThrow(/No sheet .* table/);
  isReading = false;
  expect(turns).toBeGreaterThan(50);
});

test('reads parts that are stored and not compressed', async () => {
  const long = Array.from({ length: 5_000 }, (_, at) => [`${at}`, '20:00']);
  expect(await read(zipOf({ ...partsOf({ A: long }), 'xl/styles.xml': '' }, 0))).toHaveLength(
    5_000,
  );
});

test('passes a CSV on as it is, also one that is shorter than the mark of an archive', async () => {
  for (const text of ['', 'a', 'PK', 'bib,time\n7,20:00\n']) {
    const bytes = new TextEncoder().encode(text);
    expect(await textOf(cut(bytes, [1, 2]))).toBe(text);
  }
});

describe('refuses', () => {
  /** Rows with a cell in column 1 and a cell in column 1 100, and nothing between. */
  const wide = (count: number) =>
    `<worksheet>${'<row><c><v>7</v></c><c r="APH"><v>7</v></c></row>'.repeat(count)}</worksheet>`;

  const encrypted = () => {
    const archive = zipOf({ 'xl/workbook.xml': '' });
    const directory = new DataView(archive.buffer).getUint32(archive.length - 6, true);
    return archive.with(directory + 8, 1);
  };

  const table = [HEADER, ['41', '1:28:03']];
  /** A workbook with a replaced part. */
  const withPart = (name: string, text: string) =>
    zipOf({ ...partsOf({ A: table }), [name]: text });
  const sheetList = (count: number) =>
    `<workbook><sheets>${'<sheet name="A" r:id="rId1"/>'.repeat(count)}</sheets></workbook>`;
  /** A workbook whose first part declares a wrong value: at 16 the checksum, at 24 the size. */
  const lying = (at: number, change: number, level: 0 | 6) => {
    const archive = zipOf(partsOf({ A: table }), level);
    const view = new DataView(archive.buffer);
    const field = view.getUint32(archive.length - 6, true) + at;
    view.setUint32(field, view.getUint32(field, true) + change, true);
    return archive;
  };

  test.each<[string, () => Uint8Array, RegExp]>([
    [
      'a sheet that 100 000 names point to',
      () => withPart('xl/workbook.xml', sheetList(100_000)),
      /more than 100 sheets/,
    ],
    [
      'a list of half a million sheets',
      () => withPart('xl/workbook.xml', '<sheet/>'.repeat(500_000)),
      /more than 100 sheets/,
    ],
    ['a compressed part with a wrong checksum', () => lying(16, 1, 6), /broken/],
    ['a stored part with a wrong checksum', () => lying(16, 1, 0), /broken/],
    ['a part that unpacks to less than its size', () => lying(24, 1, 6), /broken/],
    ['a part that unpacks to more than its size', () => lying(24, -1, 6), /broken/],
    ['a part that says it unpacks to 4 GB', () => lying(24, -400, 6), /too large/],
    [
      'a workbook whose sheets are all hidden',
      () => workbookOf({ A: table }, { states: { A: 'hidden' } }),
      /All sheets of the workbook are hidden/,
    ],
    [
      'blank cells that a small file need not have',
      () => workbookOf({ A: wide(1_000) }),
      /too large/,
    ],
    [
      'a cell behind the last column that is read',
      () => workbookOf({ A: '<worksheet><row><c r="XFD1" t="str"><v>7</v></c></row></worksheet>' }),
      /a cell behind column 1100/,
    ],
    [
      'a cell before a cell to its left',
      () => workbookOf({ A: '<row><c r="B1"><v>7</v></c><c r="A1"><v>8</v></c></row>' }),
      /broken/,
    ],
    [
      'a row inside a row',
      () => workbookOf({ A: '<row><c><v>7</v></c><row><c><v>8</v></c></row></row>' }),
      /broken/,
    ],
    [
      'a cell that stands twice in a row',
      () => workbookOf({ A: '<row><c r="A1"><v>7</v></c><c r="A1"><v>8</v></c></row>' }),
      /broken/,
    ],
    [
      'a row behind the last row of a spreadsheet',
      () => workbookOf({ A: '<row r="1048577"><c><v>1</v></c></row>' }),
      /more than 1048576 lines/,
    ],
    ['a workbook with a password', encrypted, /encrypted/],
    [
      'an OpenDocument spreadsheet',
      () => zipOf({ 'content.xml': '' }),
      /\.ods\): save it as \.xlsx/,
    ],
    ['a binary workbook', () => zipOf({ 'xl/workbook.bin': '' }), /\.xlsb\)/],
    ['another archive', () => zipOf({ 'results.csv': 'bib,time' }), /an archive/],
    ['a workbook without a table', () => workbookOf({ A: [['x'], ['y']] }), /No sheet .* table/],
    ['a workbook without sheets', () => workbookOf({}), /broken/],
    ['a tag without an end', () => workbookOf({ A: `<row ${'x'.repeat(2_000_000)}` }), /broken/],
  ])('%s', async (_what, workbook, message) => {
    await expect(read(workbook())).rejects.toThrow(message);
  });

  test('a workbook that is cut off or damaged', async () => {
    const workbook = workbookOf({ A: [HEADER, ['41', '1:28:03']] });
    await expect(textOf([workbook.subarray(0, -30)])).rejects.toThrow(/broken or cut off/);
    const damaged = workbook.map((byte, at) => (at > 40 && at < 200 ? 0xff : byte));
    await expect(textOf([damaged])).rejects.toThrow(/broken or cut off/);
  });

  test('an encoding for a workbook', async () => {
    const workbook = workbookOf({ A: [HEADER] });
    await expect(textOf([workbook], { encoding: 'windows-1251' })).rejects.toThrow(
      /encoding is not for a workbook/,
    );
  });
});
