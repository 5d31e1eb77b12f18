import { columnsOf } from '../columns/column.ts';
import type { KnownBibs } from '../judge/judge.ts';
import { type Told, worded } from '../judge/sentences.ts';
import type { Choice, Warning } from '../judge/warning.ts';
import { FileError, orRefusal } from '../read/file-error.ts';
import { type Parameters, writeQuery } from '../read/parameters.ts';
import { quoted } from '../read/text.ts';
import type { SheetStart } from '../read/workbook.ts';
import { bibTexts } from './bib-evidence.ts';
import { type FileStart, type LookedAt, readStart } from './file-start.ts';
import { suggest } from './suggestion.ts';

/** A possible table for an upload: of a sheet, or in an encoding. */
type Alternative = {
  /** The table in words. */
  what: string;
  /** Whether an upload reads the table without a parameter. */
  isRead: boolean;
  sent: Parameters;
  start: FileStart;
};

/** So many sheets are looked at, and so many are named. */
const [SHEETS_LOOKED_AT, SHEETS_NAMED] = [12, 20];

/** The texts of all tables that may be bibs, for a look-up in the event. */
export const bibTextsAmong = (
  sheets: readonly SheetStart[],
  { start }: Pick<LookedAt, 'start'>,
): string[] => [start, ...tablesIn(sheets)].flatMap((table) => bibTexts(columnsOf(table)));

const tablesIn = (sheets: readonly SheetStart[]): FileStart[] =>
  sheets.slice(0, SHEETS_LOOKED_AT).flatMap(({ text }) => tableIn(text));

/** The table of a sheet, if it has rows. */
function tableIn(text: string): FileStart[] {
  const start = orRefusal(() => readStart([new TextEncoder().encode(text)], 'utf-8'));
  return start instanceof FileError || start.rows.length === 0 ? [] : [start];
}

/**
 * Asks for the right table: if several sheets have results, if the read sheet has no results, or if another encoding
 * gives the columns different names.
 */
export function* askForTable(
  sheets: readonly SheetStart[],
  { encoding, given, start, others }: LookedAt,
  known?: KnownBibs,
): Generator<undefined, Warning | undefined> {
  const ofSheets = sheets.slice(0, SHEETS_LOOKED_AT).flatMap(({ name, isRead, text }) =>
    tableIn(text).map((table) => {
      const sent = { ...given, sheet: name };
      return { what: `the sheet ${quoted(name)}`, isRead, sent, start: table };
    }),
  );
  const names = sheets.slice(0, SHEETS_NAMED).map(({ name }) => name);
  const read = sheets.find(({ isRead }) => isRead);
  const ofSheet = yield* ask(ofSheets, known, (count) =>
    worded('sheet_unclear', {
      count,
      total: sheets.length,
      sheets: names,
      sheet: read?.name ?? '',
    }),
  );
  if (ofSheet) return ofSheet;
  if (others.length === 0) return undefined;
  const tables = [{ encoding, start }, ...others].map((one) => ({
    what: `${one.encoding}, as in ${one.start.header.filter(isForeign).map(quoted).join(', ')}`,
    isRead: false,
    sent: { ...given, encoding: one.encoding },
    start: one.start,
  }));
  return yield* ask(tables, known, () => worded('encoding_unclear', {}));
}

const isForeign = (name: string): boolean => Array.from(name).some((letter) => letter > '\u007f');

/** The question, unless the only table with results is the table that an upload reads. */
function* ask(
  tables: readonly Alternative[],
  known: KnownBibs | undefined,
  words: (count: number) => Told,
): Generator<undefined, Warning | undefined> {
  const choices: Choice[] = [];
  let isReadAlone = true;
  for (const { what, isRead, sent, start } of tables) {
    const { parameters, why, doubts } = yield* suggest(start, sent, known);
    if (!parameters && !doubts.some((doubt) => doubt.choices?.length)) continue;
    isReadAlone &&= isRead;
    choices.push({ query: writeQuery(parameters ?? sent), why: why ? `${what}: ${why}` : what });
  }
  if (choices.length === 0 || isReadAlone) return undefined;
  return { ...words(choices.length), rows: [], choices };
}
