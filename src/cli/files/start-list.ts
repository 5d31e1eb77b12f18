import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import type { StartListEntry } from '../../client/index.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../timing-files/write/csv.ts';
import { codeOf } from '../own-files.ts';

/** The columns in their order, by names that timing programs know. The last one tells runners apart whose bib changes. */
const COLUMNS = {
  bib_number: 'Bib',
  chip: 'Chip',
  given_names: 'First name',
  surnames: 'Last name',
  gender: 'Gender',
  distance: 'Distance',
  category: 'Category',
  kit_status: 'Kit',
  inscription_id: 'Registration',
} as const satisfies Record<keyof StartListEntry, string>;

const FIELDS = Object.keys(COLUMNS) as (keyof StartListEntry)[];

export const DELIMITERS: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
};

let collator: Intl.Collator | undefined;

/** In the order of the bibs. Without a bib, a program would import a runner once more at each import. */
export function startListCsv(entries: Iterable<StartListEntry>, delimiter: string): string {
  collator ??= new Intl.Collator('en', { numeric: true });
  const compare = collator.compare;
  const rows = [...entries]
    .filter(({ bib_number }) => bib_number !== null)
    .sort((one, other) => compare(one.bib_number ?? '', other.bib_number ?? ''))
    .map((entry) => FIELDS.map((field) => entry[field]));
  const table = [Object.values(COLUMNS), ...rows];
  return BYTE_ORDER_MARK + table.map((cells) => csvLine(cells, delimiter)).join('');
}

/** The cells of each runner of a file, by registration. */
type Runners = ReadonlyMap<string, readonly string[]>;

/** @returns undefined for a text that `startListCsv` has not written */
export function runnersIn(text: string): Runners | undefined {
  const plain = text.replace(/^\uFEFF/, '');
  const names = Object.values(COLUMNS);
  const delimiter = Object.values(DELIMITERS).find((one) =>
    new RegExp(`^${names.join(one)}\r?\n`).test(plain),
  );
  if (delimiter === undefined) return undefined;
  const { data } = Papa.parse<string[]>(plain, { delimiter, skipEmptyLines: true });
  return new Map(data.slice(1).map((cells) => [cells.at(-1) ?? '', cells]));
}

/** The text of a file; undefined if there is none. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** How a start list differs from the one before: bibs of who came and left, and who is another one now. */
export type StartListChanges = {
  late: string[];
  renumbered: { from: string; to: string }[];
  withdrawn: string[];
  changed: string[];
};

export function changesBetween(before: Runners, after: Runners): StartListChanges {
  const changes: StartListChanges = { late: [], renumbered: [], withdrawn: [], changed: [] };
  for (const [id, cells] of after) {
    const old = before.get(id);
    const [bib = ''] = cells;
    if (!old) changes.late.push(bib);
    else if (old[0] !== bib) changes.renumbered.push({ from: old[0] ?? '', to: bib });
    else if (old.join('\n') !== cells.join('\n')) changes.changed.push(bib);
  }
  for (const [id, [bib = '']] of before) if (!after.has(id)) changes.withdrawn.push(bib);
  return changes;
}
