import fc from 'fast-check';
import { readBib } from '../timing-files/read/bib-formats.ts';
import { createColumnFinder, recognizeColumns } from '../timing-files/read/columns.ts';
import { FileError } from '../timing-files/read/file-error.ts';
import { openFile } from '../timing-files/read/open-file.ts';
import { PLAIN as NO_PARAMETERS, parseParameters } from '../timing-files/read/parameters.ts';
import { lookAt } from '../timing-files/suggest/file-start.ts';
import { bytesIn, encode, PLAIN, streamOf, writeCsv } from './csv.ts';
import type { ResultsFile } from './results-files.ts';
import { previewBlocks } from './results-judge.ts';

/** A results file whose column of bibs is known, as a table. */
type BibTable = {
  name: string;
  header: readonly string[];
  hasHeader: boolean;
  rows: readonly (readonly string[])[];
  bibAt: number;
  bibs: readonly string[];
};

/** A column beside the bib, as people have such columns, and its number in a row. */
type Added = { name: string; cell(row: number, rows: number): number };

/** Numbers for an event with the bibs 1 to 300, so that each number is a runner's bib. */
const spread = (from: number, to: number, step: number) => (row: number) =>
  from + ((row * step) % (to - from + 1));

const ADDED: readonly Added[] = [
  { name: 'Points', cell: (row) => Math.max(1, 120 - 2 * row) },
  { name: 'Pts', cell: (row, rows) => rows - row },
  { name: 'HR', cell: spread(120, 199, 37) },
  { name: 'Age', cell: spread(18, 88, 29) },
  { name: 'Seed', cell: (row, rows) => ((row * 7) % rows) + 1 },
  { name: 'Lane', cell: spread(1, 99, 17) },
  { name: 'id', cell: spread(1, 299, 101) },
  { name: '', cell: (row) => row },
  { name: 'index', cell: (row) => row + 1 },
  { name: 'Zip', cell: spread(100, 299, 61) },
  { name: 'Postcode', cell: spread(100, 299, 71) },
  { name: 'Team no', cell: spread(1, 97, 19) },
  { name: 'Prize', cell: (row) => Math.max(5, 300 - 10 * row) },
  { name: 'Chip id', cell: spread(1, 293, 83) },
  { name: 'Phone', cell: spread(100, 299, 43) },
  { name: 'Weight', cell: spread(48, 99, 11) },
  { name: 'Height', cell: spread(150, 199, 13) },
  { name: 'Wave', cell: spread(1, 300, 7) },
  { name: 'Heat', cell: spread(1, 300, 11) },
  { name: 'Jahrgang', cell: spread(40, 99, 23) },
  { name: 'Rank overall', cell: (row) => row + 1 },
  { name: 'Score', cell: (row) => 299 - 3 * row },
  { name: 'Handicap', cell: spread(1, 300, 13) },
  { name: 'Order', cell: (row) => row + 1 },
  { name: 'Licence', cell: spread(1, 300, 47) },
  { name: 'Watts', cell: spread(150, 299, 31) },
  { name: 'Rating', cell: (row) => 300 - row },
  { name: 'Kit', cell: spread(1, 300, 53) },
  { name: 'Table', cell: spread(1, 300, 59) },
  { name: 'Xq', cell: spread(1, 300, 67) },
];

/** The file as a table; undefined unless the bibs stand in a single column. */
export async function bibTable(file: ResultsFile): Promise<BibTable | undefined> {
  const results = Object.keys(file.results);
  if (results.length < 3) return undefined;
  const blocks = await openFile(streamOf([bytesIn(file)]), NO_PARAMETERS);
  const { start } = lookAt(blocks, NO_PARAMETERS);
  const { header, headerLine } = start;
  const rows = start.rows.map(({ cells }) => cells);
  const isBib = (at: number) =>
    (['exact', 'number', 'joined'] as const).some((format) => {
      const bibs = new Set(rows.map((cells) => readBib(format, cells[at] ?? '')));
      return results.every((bib) => bibs.has(bib));
    });
  const [bibAt, another] = [...header.keys()].filter(isBib);
  if (bibAt === undefined || another !== undefined) return undefined;
  return { name: file.name, header, hasHeader: headerLine > 0, rows, bibAt, bibs: file.bibs };
}

/** The table with a column of numbers before its column `at`. */
function withColumn(table: BibTable, { name, cell }: Added, at: number): BibTable {
  const inserted = (cells: readonly string[], value: string) => [
    ...Array.from({ length: at }, (_, index) => cells[index] ?? ''),
    value,
    ...cells.slice(at),
  ];
  return {
    ...table,
    header: inserted(table.header, table.hasHeader ? name : ''),
    rows: table.rows.map((cells, row) => inserted(cells, String(cell(row, table.rows.length)))),
    bibAt: table.bibAt + (at <= table.bibAt ? 1 : 0),
  };
}

/** The table in an event without a registration for every n-th bib of the table; without any registration if n is 1. */
function withLateEntries(table: BibTable, every: number): BibTable {
  const cells = new Set(
    table.rows.flatMap((row) =>
      (['exact', 'number', 'joined'] as const).map((format) =>
        readBib(format, row[table.bibAt] ?? ''),
      ),
    ),
  );
  const own = table.bibs.filter((bib) => cells.has(bib));
  const late = new Set(own.filter((_, at) => at % every === 0));
  return { ...table, bibs: table.bibs.filter((bib) => !late.has(bib)) };
}

/** The changes of a table: registrations, rows, and a column of numbers beside the bib. */
type Change = {
  every: number;
  rows: number;
  added: Added | undefined;
  at: 'first' | 'before' | 'last';
};

/** Every n-th bib is not registered: none, every tenth, fifth and second bib, and all bibs. */
const LATE = [0, 10, 5, 2, 1];
const ALL_ROWS = Number.POSITIVE_INFINITY;
const ROWS = [ALL_ROWS, 3, 8, 11];
const PLACES = ['first', 'before', 'last'] as const;

function changed(table: BibTable, { every, rows, added, at }: Change): BibTable {
  const short = { ...table, rows: table.rows.slice(0, rows) };
  const index = { first: 0, before: table.bibAt, last: table.header.length }[at];
  const wide = added ? withColumn(short, added, index) : short;
  const name = `${table.name}, 1 of ${every} late, ${rows} rows, ${added?.name} ${at}`;
  return { ...(every === 0 ? wide : withLateEntries(wide, every)), name };
}

/** All changes of a table, alone and in pairs. */
export const variantsOf = (table: BibTable): BibTable[] =>
  [undefined, ...ADDED].flatMap((added) =>
    (added ? PLACES : PLACES.slice(0, 1)).flatMap((at) => [
      ...LATE.map((every) => changed(table, { every, rows: ALL_ROWS, added, at })),
      ...ROWS.slice(1).map((rows) => changed(table, { every: 0, rows, added, at })),
    ]),
  );

/** Any change of any of the files. */
export function anyVariant(files: readonly ResultsFile[]): fc.Arbitrary<Promise<BibTable>> {
  const file = fc.constantFrom(...files);
  const change: fc.Arbitrary<Change> = fc.record({
    every: fc.constantFrom(...LATE),
    rows: fc.constantFrom(...ROWS),
    added: fc.option(fc.constantFrom(...ADDED), { nil: undefined }),
    at: fc.constantFrom(...PLACES),
  });
  return fc.tuple(file, change).map(async ([one, by]) => {
    const table = await bibTable(one);
    return table ? changed(table, by) : EMPTY;
  });
}

const EMPTY: BibTable = { name: '', header: [], hasHeader: true, rows: [], bibAt: 0, bibs: [] };

/**
 * The fault in the answers to a table: a suggestion with a wrong column of bibs, or a question without the right
 * column. Without an offered answer, the message says which column the file lacks.
 */
export async function faultOf(table: BibTable): Promise<string | undefined> {
  if (table.rows.length === 0) return undefined;
  const lines = table.hasHeader ? [table.header, ...table.rows] : table.rows;
  const text = writeCsv(
    lines.map((cells) => [...cells]),
    PLAIN,
  );
  const preview = await previewBlocks([encode(text, PLAIN)], '', table).catch((error) => {
    if (error instanceof FileError) return undefined;
    throw error;
  });
  if (!preview) return undefined;
  const { suggestion, warnings } = preview;
  const offered = warnings.flatMap(({ choices = [] }) => choices);
  const queries = suggestion ? [suggestion.query] : offered.map(({ query }) => query);
  const bibs = queries.map((query) => bibIn(table, query));
  const isRight = bibs.length === 0 || bibs.includes(table.bibAt);
  const names = bibs.map((at) => table.header[at]).join();
  return isRight ? undefined : `${table.name}: ${suggestion ? 'suggested' : 'asked'} ${names}`;
}

function bibIn({ header }: BibTable, query: string): number {
  const parameters = parseParameters(new URLSearchParams(query));
  const [named] = createColumnFinder(header)(parameters.columns.bib ?? '');
  return named ?? recognizeColumns([...header], parameters).bib[0] ?? -1;
}
