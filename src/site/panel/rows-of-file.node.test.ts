import { describe, expect, test } from 'vitest';
import { numberCell, workbookOf } from '../../testing/workbook.ts';
import { decideEncoding } from '../../timing-files/read/encoding.ts';
import { openFile } from '../../timing-files/read/open-file.ts';
import { parseParameters } from '../../timing-files/read/parameters.ts';
import { readRows } from '../../timing-files/read/results-file.ts';
import { rowsOfFile } from './public/panel/send-file/rows-of-file.ts';

const UTF16 = (text: string) =>
  Uint8Array.from([
    0xff,
    0xfe,
    ...new Uint8Array(Uint16Array.from(text, (one) => one.charCodeAt(0)).buffer),
  ]);

const LATIN1 = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));

/** The rows of a file as the API claims them, by line. */
async function claimed(file: File, query: string) {
  const parameters = parseParameters(new URLSearchParams(query));
  const bytes = new Uint8Array(await file.arrayBuffer());
  const arriving = (async function* () {
    yield bytes;
  })();
  const blocks = await openFile(arriving, parameters);
  const encoding = decideEncoding(blocks, parameters.encoding);
  return Array.from(
    readRows(blocks, encoding, parameters),
    (row) => [row.row, row.claim()] as const,
  );
}

const FILES: Record<
  string,
  readonly [query: string, bytes: string | Uint8Array, lineOfFirst: number]
> = {
  commas: ['', 'bib,time,Km 5\n1,40:00,20:00\n2,41:00,\n3,42:00,21:00\n4,43:00,22:00\n', 2],
  'other newlines, blank lines and a mark': [
    '',
    '\uFEFFbib;time\r\n\r\n1;40:00\r\n2;41:00\r\n\r\n3;42:00\r\n4;43:00',
    3,
  ],
  'cells with newlines': [
    '',
    'bib,Note,time\n1,"a\nb",40:00\n2,"c\n\nd",41:00\n3,e,42:00\n4,"f\n",43:00\n',
    2,
  ],
  'latin-1': [
    'status_word=Año:DNF',
    LATIN1('bib;time;Ñ\n1;40:00;é\n2;Año;è\n3;42:00;ê\n4;43:00;ë\n'),
    2,
  ],
  'a named encoding': [
    'encoding=utf-16le&time_format=dots',
    UTF16('bib\ttime\n1\t1.40.00\n2\t1.41.00\n3\t1.42.00\n4\t1.43.00\n'),
    2,
  ],
  'titles above the header': [
    'header_line=3',
    'Race\nof,2027\nbib,time\n1,40:00\n2,41:00\n3,42:00\n4,43:00\n',
    4,
  ],
  'no header, and decimal commas': [
    'header_line=0&bib=%231&chip_time=%232',
    '1;40:00,5;x\n2;41:00,5;x\n3;42:00,5;x\n4;43:00,5;x\n',
    1,
  ],
  'no header, and a line that names what separates': [
    'header_line=0&bib=%231&chip_time=%232',
    'sep=;\n1;40:00;x\n2;41:00;x\n3;42:00;x\n4;43:00;x\n',
    2,
  ],
  'only some rows that count': [
    'where=Point:Finish',
    'bib,time,Point\n1,40:00,Finish\n2,1:00,Km 1\n3,42:00,Finish\n4,43:00,Finish\n',
    2,
  ],
  'the guard of our own files': [
    '',
    "inscription_id,bib_number,status,chip_time_ms,gun_time_ms,chip_time,'=Split\nx,1,FINISHED,1,1,40:00,20:00\nx,2,FINISHED,1,1,41:00,20:00\nx,'-3,FINISHED,1,1,42:00,20:00\nx,4,FINISHED,1,1,43:00,20:00\n",
    2,
  ],
};

describe('some rows of a file are read as they were, on the same lines', () => {
  test.each(Object.entries(FILES))('with %s', async (_, [query, content, first]) => {
    const file = new File([content], 'finish.csv');
    const all = await claimed(file, query);
    expect(all.length).toBeGreaterThan(2);
    expect(all[0]?.[0]).toBe(first);
    const wanted = [all[0], all[2]].flatMap((one) => (one ? [one] : []));
    const part = await rowsOfFile(file, query, new Set(wanted.map(([line]) => line)));
    expect(part.file.name).toBe('finish.csv');
    // A line that names what separates the cells precedes rows without a header.
    const isNamed = `${content}`.startsWith('sep=');
    const shift = query.startsWith('header_line=0') && !isNamed ? 1 : 0;
    expect(await claimed(part.file, part.query)).toEqual(
      wanted.map(([line, row]) => [line + shift, row]),
    );
  });

  test('of a sheet', async () => {
    const timed = (minutes: number) => numberCell(minutes / 1_440, '[h]:mm:ss');
    const sheet = (base: number) => [
      ['bib', 'time'],
      ...[1, 2, 3].map((bib) => [String(base + bib), timed(40 + bib)]),
    ];
    const workbook = workbookOf({ Saturday: sheet(0), Sunday: sheet(10) });
    const file = new File([new Uint8Array(workbook)], 'weekend.xlsx');
    const all = await claimed(file, 'sheet=Sunday');
    const part = await rowsOfFile(file, 'sheet=Sunday', new Set([3]));
    expect(part.query).toBe('');
    const rows = await claimed(part.file, part.query);
    expect(rows).toEqual([all[1]]);
    expect(rows[0]?.[1].bib).toBe('12');
  });
});
