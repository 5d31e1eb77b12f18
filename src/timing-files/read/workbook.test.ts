import { describe, expect, test } from 'vitest';
import { cut, streamOf } from '../../testing/csv.ts';
import { numberCell, workbookOf, zipOf } from '../../testing/workbook.ts';
import { openFile } from './open-file.ts';

const textOf = async (
  pieces: readonly Uint8Array[],
  parameters: { sheet?: string; encoding?: string } = {},
): Promise<string> => {
  let text = '';
  for (const bytes of await openFile(streamOf(pieces), parameters)) {
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

test('passes a CSV on as it is, also one that is shorter than the mark of an archive', async () => {
  for (const text of ['', 'a', 'PK', 'bib,time\n7,20:00\n']) {
    const bytes = new TextEncoder().encode(text);
    expect(await textOf(cut(bytes, [1, 2]))).toBe(text);
  }
});

describe('refuses', () => {
  const row = `<row><c t="str"><v>${'x'.repeat(30_000)}</v></c></row>`;
  const empty = '<x/>'.repeat(5_000_000);
  const emptySheets = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`S${at}`, empty]));
  /** Rows with nothing but a cell in column 1 100. */
  const wide = (count: number) =>
    `<worksheet>${'<row><c r="APH" t="str"><v>7</v></c></row>'.repeat(count)}</worksheet>`;
  const pages = (count: number) => `<worksheet>${row.repeat(count)}</worksheet>`;

  const encrypted = () => {
    const archive = zipOf({ 'xl/workbook.xml': '' });
    const directory = new DataView(archive.buffer).getUint32(archive.length - 6, true);
    return archive.with(directory + 8, 1);
  };

  test.each<[string, () => Uint8Array, RegExp]>([
    ['a sheet with too much text', () => workbookOf({ A: pages(600) }), /too large/],
    [
      'blank cells that a small file need not have, in one sheet',
      () => workbookOf({ A: wide(1_000) }),
      /too large/,
    ],
    [
      'blank cells that a small file need not have, in many sheets',
      () => workbookOf({ A: wide(400), B: wide(400), C: wide(400) }),
      /too large/,
    ],
    [
      'a cell behind the last column that is read',
      () => workbookOf({ A: '<worksheet><row><c r="XFD1" t="str"><v>7</v></c></row></worksheet>' }),
      /a cell behind column 1100/,
    ],
    ['a workbook that unpacks to too much', () => workbookOf(emptySheets(1)), /too large/],
    [
      'texts that take too much memory',
      () =>
        workbookOf(
          { A: [HEADER] },
          { shared: `<si><t>${'x'.repeat(900_000)}</t></si>`.repeat(10) },
        ),
      /too large/,
    ],
    [
      'a workbook of many blank rows',
      () => workbookOf({ A: '<row r="1048577"><c><v>1</v></c></row>' }),
      /broken/,
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
