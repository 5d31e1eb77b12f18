import Papa from 'papaparse';
import type { OfficialResult } from './version.ts';

/** A value that differs between an exported row and the signed one. */
type Difference = { bib: string; field: string; signed: string; found: string };

/** How the rows of an export compare with those of a version. */
export type Comparison = {
  /** Rows that say what the signed ones say, in every column that both have. */
  equal: number;
  different: Difference[];
  /** Bibs that are signed, and not in the export. */
  missing: string[];
  /** Bibs of the export that are not signed, or more often than they are signed. */
  extra: string[];
};

/** Columns of an export that no version says. Any other that is no field of a result is a split. */
const UNSIGNED = ['inscription_id', 'given_names', 'surnames', 'updated_at'];
/** Columns that repeat another one. */
const IN_MS: Record<string, string> = { chip_time_ms: 'chip_time', gun_time_ms: 'gun_time' };
const BIB = 'bib_number';
const SPLITS = 'splits';

/** An export without these columns says nothing about a result. */
const isExport = (columns: readonly string[]): boolean =>
  [BIB, 'status', 'chip_time', 'gun_time'].every((name) => columns.includes(name));

/**
 * Compares an export of results in CSV with a version.
 * @returns undefined if the text is no such export
 */
export function compareExport(
  signed: readonly OfficialResult[],
  csv: string,
): Comparison | undefined {
  const { data } = Papa.parse<string[]>(csv.replace(/^\uFEFF/, ''), { skipEmptyLines: true });
  const [columns = [], ...rows] = data;
  if (!isExport(columns)) return undefined;
  const fields = Object.keys(signed[0] ?? {});
  const left = new Map<string, OfficialResult[]>();
  for (const result of signed) {
    const bib = result.bib_number ?? '';
    left.set(bib, [...(left.get(bib) ?? []), result]);
  }
  const found: Comparison = { equal: 0, different: [], missing: [], extra: [] };
  for (const cells of rows) {
    const bib = unescaped(cells[columns.indexOf(BIB)] ?? '');
    const [result, ...others] = [...(left.get(bib) ?? [])]
      // Runners without a bib are told apart by what else their rows say.
      .map((one) => ({ one, differences: differencesOf(one, bib, { columns, fields, cells }) }))
      .sort((a, b) => a.differences.length - b.differences.length);
    left.set(
      bib,
      others.map(({ one }) => one),
    );
    if (!result) found.extra.push(bib);
    else if (result.differences.length === 0) found.equal += 1;
    else found.different.push(...result.differences);
  }
  found.missing = [...left].flatMap(([bib, results]) => results.map(() => bib));
  return found;
}

type Row = { columns: readonly string[]; fields: readonly string[]; cells: readonly string[] };

function differencesOf(
  result: OfficialResult,
  bib: string,
  { columns, fields, cells }: Row,
): Difference[] {
  const compared = columns.flatMap((name, at): [string, string, string][] => {
    const cell = cells[at] ?? '';
    if (UNSIGNED.includes(name)) return [];
    if (name === SPLITS) return splitsOf(result, cell);
    if (Object.hasOwn(IN_MS, name)) return [[name, msOf(result[IN_MS[name] ?? '']), cell]];
    if (fields.includes(name)) return [[name, String(result[name] ?? ''), cell]];
    const split = unescaped(name);
    return [[split, result.splits[split] ?? '', cell]];
  });
  if (!columns.includes(SPLITS)) {
    for (const [name, time] of Object.entries(result.splits)) {
      if (!columns.some((column) => unescaped(column) === name)) compared.push([name, time, '']);
    }
  }
  return compared.flatMap(([field, signed, found]) =>
    unescaped(signed) === unescaped(found) ? [] : [{ bib, field, signed, found: unescaped(found) }],
  );
}

/** The splits of a result, and those of a cell, which is a JSON object. */
function splitsOf({ splits }: OfficialResult, cell: string): [string, string, string][] {
  let found: Record<string, unknown>;
  try {
    found = Object(JSON.parse(unescaped(cell)));
  } catch {
    return [[SPLITS, JSON.stringify(splits), cell]];
  }
  const names = new Set([...Object.keys(splits), ...Object.keys(found)]);
  return [...names].map((name) => [name, splits[name] ?? '', String(found[name] ?? '')]);
}

/** Milliseconds of a time such as 01:28:03.512. */
function msOf(time: OfficialResult[string] | undefined): string {
  if (typeof time !== 'string') return '';
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return String(Math.round((hours * 3_600 + minutes * 60 + seconds) * 1_000));
}

/** A cell without the apostrophes that keep a spreadsheet from taking a text for a formula. */
const unescaped = (cell: string): string =>
  cell.replace(/(^|[;\t\r\n][;\s"]*)'(?=[=+\-@\t\r])/g, '$1');
