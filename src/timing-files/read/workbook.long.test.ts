import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { streamOf } from '../../testing/csv.ts';
import { partsOf, workbookOf, zipOf } from '../../testing/workbook.ts';
import { openFile } from './open-file.ts';

const read = async (workbook: Uint8Array): Promise<string> => {
  const blocks = await openFile(streamOf([workbook]), {});
  return blocks.map((bytes) => new TextDecoder().decode(bytes)).join('');
};

const HEADER = ['Bib', 'Time'];
const table = [HEADER, ['41', '1:28:03']];
const row = `<row><c t="str"><v>${'x'.repeat(30_000)}</v></c></row>`;

/** A workbook with a replaced part. */
const withPart = (name: string, text: string) => zipOf({ ...partsOf({ A: table }), [name]: text });

test.each<[string, () => Uint8Array, RegExp]>([
  [
    'a list of 5 million sheets',
    () => withPart('xl/workbook.xml', '<sheet/>'.repeat(5_000_000)),
    /too large/,
  ],
  [
    'a cell of 9 million entities',
    () => workbookOf({ A: `<row><c t="str"><v>${'&#65;'.repeat(9_000_000)}</v></c></row>` }),
    /too large/,
  ],
  [
    'a cell of a million entities',
    () => workbookOf({ A: `<row><c t="str"><v>${'&#65;'.repeat(1_000_000)}</v></c></row>` }),
    /a cell of the workbook has more than 32767 characters/i,
  ],
  [
    'a cell of a million pieces of text',
    () =>
      workbookOf({ A: `<row><c t="inlineStr"><is>${'<t>x</t>'.repeat(500_000)}</is></c></row>` }),
    /more than 32767 characters/,
  ],
  [
    'a shared text of half a million pieces',
    () => workbookOf({ A: table }, { shared: `<si>${'<t>x</t>'.repeat(500_000)}</si>` }),
    /more than 32767 characters/,
  ],
  [
    'a million shared texts',
    () => workbookOf({ A: table }, { shared: '<si/>'.repeat(1_000_000) }),
    /more than 500000 texts/,
  ],
  [
    '7.6 MB of number formats',
    () =>
      withPart(
        'xl/styles.xml',
        `<numFmts>${Array.from({ length: 170_000 }, (_, at) => `<numFmt numFmtId="${at}" formatCode="0"/>`).join('')}</numFmts>`,
      ),
    /more than 5000 number formats/,
  ],
  [
    'a million styles',
    () => withPart('xl/styles.xml', `<cellXfs>${'<xf/>'.repeat(1_000_000)}</cellXfs>`),
    /more than 65490 styles/,
  ],
  [
    'a sheet with too much text',
    () => workbookOf({ A: `<worksheet>${row.repeat(600)}</worksheet>` }),
    /too large/,
  ],
  [
    'more tags than a real workbook of its length has',
    () => {
      const parts = Object.entries({ ...partsOf({ A: '<x/>'.repeat(4_500_000) }) });
      const files = parts.map(([name, text]) => [name, strToU8(text)]);
      return zipSync({
        ...Object.fromEntries(files),
        padding: [new Uint8Array(2_000_000), { level: 0 }],
      });
    },
    /too large/,
  ],
  [
    'a workbook that unpacks to too much',
    () => workbookOf({ S0: '<x/>'.repeat(5_000_000) }),
    /too large/,
  ],
  [
    'texts that take too much memory',
    () =>
      workbookOf({ A: [HEADER] }, { shared: `<si><t>${'x'.repeat(900_000)}</t></si>`.repeat(10) }),
    /too large/,
  ],
])('refuses %s', async (_what, workbook, message) => {
  await expect(read(workbook())).rejects.toThrow(message);
});

test('keeps no relationship of a workbook but those of its sheets', async () => {
  const parts = partsOf({ A: [HEADER, ['41', '1:28:03']] });
  const name = 'xl/_rels/workbook.xml.rels';
  const others = Array.from(
    { length: 120_000 },
    (_, at) => `<Relationship Id="x${at}" Target="y"/>`,
  );
  const rels = `${others.join('')}${parts[name]}`;
  expect(await read(zipOf({ ...parts, [name]: rels }))).toBe('Bib\tTime\n41\t1:28:03\n');
});
