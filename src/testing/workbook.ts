import { strToU8, zipSync } from 'fflate';

/** A cell of a test's workbook: a text, or the XML inside the sheet's row. */
type Cell = string | { xml: string };

/** The styles of `timeCell`, `wholeCell` and so on, by their number. */
const FORMATS = ['General', '[h]:mm:ss', 'mm:ss.0', '000', 'yyyy-mm-dd', 'h:mm:ss AM/PM'];

/** A number with a format of FORMATS. */
export const numberCell = (value: number, format: string): Cell => ({
  xml: `<c s="${FORMATS.indexOf(format)}"><v>${value}</v></c>`,
});

const sheetOf = (rows: readonly (readonly Cell[])[]): string =>
  `<worksheet><sheetData>${rows
    .map((cells) => `<row>${cells.map(cellOf).join('')}</row>`)
    .join('')}</sheetData></worksheet>`;

const cellOf = (cell: Cell): string =>
  typeof cell === 'string' ? `<c t="inlineStr"><is><t>${cell}</t></is></c>` : cell.xml;

/** An archive of these files. */
export const zipOf = (files: Readonly<Record<string, string>>, level: 0 | 6 = 6): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), {
    level,
  });

type Sheets = Readonly<Record<string, readonly (readonly Cell[])[] | string>>;

type Options = {
  is1904?: boolean;
  shared?: string;
  /** By the name of a sheet: `hidden` or `veryHidden`. */
  states?: Readonly<Record<string, string>>;
};

/** A workbook of these sheets. Texts are XML. */
export const workbookOf = (sheets: Sheets, options: Options = {}): Uint8Array =>
  zipOf(partsOf(sheets, options));

/** The files inside a workbook. */
export const partsOf = (
  sheets: Sheets,
  { is1904 = false, shared = '', states = {} }: Options = {},
): Record<string, string> => {
  const numbered = Object.entries(sheets).map(([name, sheet], at) => ({ name, sheet, n: at + 1 }));
  const list = (xmlOf: (sheet: (typeof numbered)[number]) => string) =>
    numbered.map(xmlOf).join('');
  const formats = (xmlOf: (code: string, id: number) => string) =>
    FORMATS.map((code, at) => xmlOf(code, 164 + at)).join('');
  return {
    'xl/workbook.xml': `<?xml version="1.0"?><workbook><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${list(
      ({ name, n }) =>
        `<sheet name="${name}" sheetId="${n}" state="${states[name] ?? 'visible'}" r:id="rId${n}"/>`,
    )}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${list(
      ({ n }) => `<Relationship Id="rId${n}" Target="worksheets/sheet${n}.xml"/>`,
    )}</Relationships>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats(
      (code, id) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`,
    )}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats(
      (_, id) => `<xf numFmtId="${id}"/>`,
    )}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
    ...Object.fromEntries(
      numbered.map(({ sheet, n }) => [
        `xl/worksheets/sheet${n}.xml`,
        typeof sheet === 'string' ? sheet : sheetOf(sheet),
      ]),
    ),
  };
};
