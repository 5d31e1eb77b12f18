/** A cell of a test's workbook: a text, or the XML inside the sheet's row. */
type Cell = string | { xml: string };

type Parts = Readonly<Record<string, string | Uint8Array>>;

const packed = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(
    await new Response(
      new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw')),
    ).arrayBuffer(),
  );

const le = (value: number, width: number): number[] =>
  Array.from({ length: width }, (_, at) => Math.floor(value / 256 ** at) % 256);

/** An archive of these files. */
export async function zipOf(parts: Parts, { flags = 0 } = {}): Promise<Uint8Array> {
  const files: number[][] = [];
  const entries: number[][] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = new Uint8Array(
      typeof content === 'string' ? new TextEncoder().encode(content) : content,
    );
    const body = await packed(bytes);
    const title = [...new TextEncoder().encode(name)];
    const sizes = [...le(0, 4), ...le(body.length, 4), ...le(bytes.length, 4)];
    const common = [...le(20, 2), ...le(flags, 2), ...le(8, 2), ...le(0, 4), ...sizes];
    const file = [
      ...le(0x04_03_4b_50, 4),
      ...common,
      ...le(title.length, 2),
      ...le(0, 2),
      ...title,
    ];
    entries.push([
      ...le(0x02_01_4b_50, 4),
      ...le(20, 2),
      ...common,
      ...le(title.length, 2),
      ...le(0, 12),
      ...le(offset, 4),
      ...title,
    ]);
    files.push(file, Array.from(body));
    offset += file.length + body.length;
  }
  const directory = entries.flat();
  const end = [
    ...le(0x06_05_4b_50, 4),
    ...le(0, 4),
    ...le(entries.length, 2),
    ...le(entries.length, 2),
    ...le(directory.length, 4),
    ...le(offset, 4),
    ...le(0, 2),
  ];
  return Uint8Array.from([...files.flat(), ...directory, ...end]);
}

/** The styles of `timeCell`, `wholeCell` and so on, by their number. */
const FORMATS = ['General', '[h]:mm:ss', 'mm:ss.0', '000', 'yyyy-mm-dd', 'h:mm:ss AM/PM'];

/** A number with one of the formats. */
export const numberCell = (value: number, format: string): Cell => ({
  xml: `<c s="${FORMATS.indexOf(format)}"><v>${value}</v></c>`,
});

const sheetOf = (rows: readonly (readonly Cell[])[]): string =>
  `<worksheet><sheetData>${rows
    .map((cells) => `<row>${cells.map(cellOf).join('')}</row>`)
    .join('')}</sheetData></worksheet>`;

const cellOf = (cell: Cell): string =>
  typeof cell === 'string' ? `<c t="inlineStr"><is><t>${cell}</t></is></c>` : cell.xml;

/** A workbook of these sheets. Texts are XML. */
export const workbookOf = (
  sheets: Readonly<Record<string, readonly (readonly Cell[])[] | string>>,
  { is1904 = false, shared = '' } = {},
): Promise<Uint8Array> => {
  const names = Object.keys(sheets);
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<?xml version="1.0"?><workbook><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${names
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`)
      .join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet><numFmts>${FORMATS.map(
      (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`,
    ).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${FORMATS.map(
      (_, at) => `<xf numFmtId="${164 + at}"/>`,
    ).join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
  };
  for (const [at, sheet] of Object.values(sheets).entries()) {
    parts[`xl/worksheets/sheet${at + 1}.xml`] = typeof sheet === 'string' ? sheet : sheetOf(sheet);
  }
  return zipOf(parts);
};
