import { strToU8, zipSync } from 'fflate';
import { guarded } from './csv.ts';
import type { PeopleTable } from './results-for-people.ts';

const DAY_SECONDS = 86_400;

/** The style of a time, by its index among the styles. */
const TIME_STYLE = 1;

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    // What XML has no place for.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '');

/** @param time `HH:MM:SS` */
const daysOf = (time: string): number =>
  time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0) / DAY_SECONDS;

const xmlOf = (cell: PeopleTable[number][number]): string => {
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  if (typeof cell === 'object') return `<c s="${TIME_STYLE}"><v>${daysOf(cell.time)}</v></c>`;
  return cell === ''
    ? '<c/>'
    : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(guarded(cell))}</t></is></c>`;
};

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const relations = (type: string, target: string, more = ''): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/>${more}</Relationships>`;

const FORMATS = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm:ss"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`;

/** A workbook (.xlsx) with a single sheet, whose first row stays in sight. */
export function workbookFile(table: PeopleTable, sheet: string): Uint8Array<ArrayBuffer> {
  const rows = table.map((cells) => `<row>${cells.map(xmlOf).join('')}</row>`).join('');
  const files = {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
    '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      'worksheet',
      'worksheets/sheet1.xml',
      `<Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/>`,
    ),
    'xl/styles.xml': FORMATS,
    'xl/worksheets/sheet1.xml': `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${table[0]?.length ?? 1}" width="14" customWidth="1"/></cols><sheetData>${rows}</sheetData></worksheet>`,
  };
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
  );
}
