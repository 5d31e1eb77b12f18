import Papa from 'papaparse';
import { unguarded } from '../write/csv.ts';
import { splitsOfCell } from '../write/splits-cell.ts';
import type { OfficialResult } from './version.ts';

/** A difference between an exported row and the signed row. */
type Difference = { bib: string; field: string; signed: string; found: string };

/** The comparison between the rows of an export and the rows of a version. */
export type Comparison = {
  /** Rows with the signed values, in every common column. */
  equal: number;
  different: Difference[];
  /** Signed bibs that are missing in the export. */
  missing: string[];
  /** Bibs of the export that are not signed, or occur more often than signed. */
  extra: string[];
};

/** Columns of an export outside every version. A further column that is no field of a result is a split. */
const UNSIGNED = ['inscription_id', 'given_names', 'surnames', 'updated_at'];
/** Columns that repeat another column. */
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
  const { columns, rows } = tableIn(csv);
  if (!isExport(columns)) return undefined;
  const fields = new Set(Object.keys(signed[0] ?? {}));
  const comparison: Comparison = { equal: 0, different: [], missing: [], extra: [] };
  const left = new Map<string, Said[]>();
  for (const result of signed) addTo(left, keyOf(signedBy(result, columns, fields)));
  // Equal rows are removed before the remaining rows are compared.
  const others = rows
    .map((cells) => foundIn(cells, columns, fields))
    .filter((said) => {
      const same = left.get(keyOf(said).key)?.pop();
      if (same) comparison.equal += 1;
      return !same;
    });
  const byBib = new Map<string, Said[]>();
  for (const said of [...left.values()].flat()) addTo(byBib, { key: bibOf(said), said });
  for (const said of others) {
    const bib = bibOf(said);
    const result = byBib.get(bib)?.shift();
    if (result) comparison.different.push(...differencesOf(bib, result, said));
    else comparison.extra.push(bib);
  }
  comparison.missing = [...byBib].flatMap(([bib, results]) => results.map(() => bib));
  return comparison;
}

/** The cells of an export before the guard against formulas. */
function tableIn(csv: string): { columns: readonly string[]; rows: readonly string[][] } {
  const { data } = Papa.parse<string[]>(csv.replace(/^\uFEFF/, ''), { skipEmptyLines: true });
  const [columns = [], ...rows] = data.map((cells) => cells.map(unguarded));
  return { columns, rows };
}

/** The content of a row: each value that is not blank, by its field. A split may have the name of any field. */
type Said = ReadonlyMap<string, string>;

const [FIELD, SPLIT] = ['=', '/'];

const keyOf = (said: Said) => ({ key: JSON.stringify([...said].sort()), said });
const bibOf = (said: Said): string => said.get(FIELD + BIB) ?? '';

function addTo(map: Map<string, Said[]>, { key, said }: { key: string; said: Said }): void {
  const some = map.get(key);
  if (some) some.push(said);
  else map.set(key, [said]);
}

function signedBy(
  result: OfficialResult,
  columns: readonly string[],
  fields: ReadonlySet<string>,
): Said {
  const said = new Map<string, string>();
  for (const name of columns) {
    const isMs = Object.hasOwn(IN_MS, name);
    if (name === SPLITS || UNSIGNED.includes(name) || !(isMs || fields.has(name))) continue;
    say(said, FIELD + name, isMs ? msOf(result[IN_MS[name] ?? '']) : String(result[name] ?? ''));
  }
  for (const [name, time] of Object.entries(result.splits)) say(said, SPLIT + name, time);
  return said;
}

function foundIn(
  cells: readonly string[],
  columns: readonly string[],
  fields: ReadonlySet<string>,
): Said {
  const said = new Map<string, string>();
  for (const [at, cell] of cells.entries()) {
    const name = columns[at];
    if (name !== undefined && UNSIGNED.includes(name)) continue;
    // A cell behind the last header is of no column.
    if (name === undefined) say(said, `${FIELD}#${at + 1}`, cell);
    else if (name === SPLITS) saySplits(said, cell);
    else if (Object.hasOwn(IN_MS, name) || fields.has(name)) say(said, FIELD + name, cell);
    else say(said, SPLIT + name, cell);
  }
  return said;
}

/** A second value of a field is unsigned. */
function say(said: Map<string, string>, field: string, value: string): void {
  if (value !== '') said.set(said.has(field) ? `${field} (2)` : field, value);
}

function saySplits(said: Map<string, string>, cell: string): void {
  const splits = splitsOfCell(cell);
  if (!splits) say(said, FIELD + SPLITS, cell);
  for (const [name, time] of splits ?? []) say(said, SPLIT + name, time);
}

const differencesOf = (bib: string, signed: Said, found: Said): Difference[] =>
  [...new Set([...signed.keys(), ...found.keys()])].flatMap((field) => {
    const [one = '', other = ''] = [signed.get(field), found.get(field)];
    return one === other ? [] : [{ bib, field: field.slice(1), signed: one, found: other }];
  });

/** Milliseconds of a time such as 01:28:03.512. */
function msOf(time: OfficialResult[string] | undefined): string {
  if (typeof time !== 'string') return '';
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return String(Math.round((hours * 3_600 + minutes * 60 + seconds) * 1_000));
}
