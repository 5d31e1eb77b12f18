import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Columns, recognizeColumns } from '../timing-files/read/columns.ts';
import { decideEncoding } from '../timing-files/read/encoding.ts';
import type { Parameters } from '../timing-files/read/parameters.ts';
import { RowError } from '../timing-files/read/reason-codes.ts';
import { judge } from '../timing-files/read/result.ts';
import { type FileRow, readBlocks } from '../timing-files/read/results-file.ts';
import { blocksIn, type FileRows } from './changes.ts';
import { codeOf, type UnreadableRow } from './journal.ts';
import { rowIn, rowOf, textOf } from './result-row.ts';
import type { Rejection } from './state.ts';

export const REJECTED_FILE = 'rejected.csv';
const ADDED_COLUMNS = ['reason', 'reason_code'];

/** Whether a header is that of a file of rejected rows. */
export const isMended = (header: readonly string[]): boolean =>
  JSON.stringify(header.slice(-ADDED_COLUMNS.length)) === JSON.stringify(ADDED_COLUMNS);

type Rejected = {
  byApi: ReadonlyMap<string, Pick<Rejection, 'text' | 'reason' | 'code'>>;
  unreadable: readonly UnreadableRow[];
};

/**
 * The rejected rows of a file as they stand in it, with the reason behind each. The header stands on the
 * line on which it stood, so that the file can be mended and sent with the same flags.
 */
export function rejectedCsv(
  bytes: Uint8Array,
  parameters: Parameters,
  read: Pick<FileRows, 'header' | 'headerLine' | 'delimiter'>,
  { byApi, unreadable }: Rejected,
): string | undefined {
  const lines = new Map(unreadable.map((row) => [row.line, row]));
  const blocks = blocksIn(bytes);
  const rows: string[][] = [];
  const found = new Set<string>();
  // A file of rejected rows that is sent has the columns already.
  const header = isMended(read.header) ? read.header.slice(0, -ADDED_COLUMNS.length) : read.header;
  for (const row of readBlocks(blocks, decideEncoding(blocks), parameters)) {
    const bib = row.bib()?.trim() ?? '';
    const rejection = byApi.get(bib);
    const isRejected = rejection !== undefined && textIn(row) === rejection.text;
    if (isRejected) found.add(bib);
    const why = lines.get(row.row) ?? (isRejected ? rejection : undefined);
    if (!why) continue;
    // Short rows are filled up, so that the reason stands in its column.
    const cells = header.map((_, at) => row.cells[at] ?? '');
    const surplus = row.cells.slice(read.header.length);
    rows.push([...cells, why.reason, why.code, ...surplus]);
  }
  for (const [bib, rejection] of byApi) {
    if (found.has(bib)) continue;
    const cells = cellsOf(rejection.text, recognizeColumns(read.header, parameters));
    rows.push([...cells.slice(0, header.length), rejection.reason, rejection.code]);
  }
  if (rows.length === 0) return undefined;
  const { headerLine = 1 } = parameters;
  const titles = Array.from({ length: Math.max(headerLine - 1, 0) }, () => 'Rejected rows');
  const table = [...(headerLine === 0 ? [] : [[...header, ...ADDED_COLUMNS]]), ...rows];
  const text = [...titles, ...table.map((cells) => lineOf(cells, read.delimiter))];
  return `\uFEFF${text.join('\r\n')}\r\n`;
}

/** A rejected row that does not stand in this file: of another file, or decided by hand. */
function cellsOf(text: string, columns: Columns): string[] {
  const { bib_number, status, chip_time, gun_time, splits } = rowIn(text);
  const cells = columns.names.map(() => '');
  const put = (index: number | undefined, value: string | null | undefined) => {
    if (index !== undefined) cells[index] = value ?? '';
  };
  for (const { index, values } of columns.where) put(index, [...values][0]);
  for (const [at, index] of columns.splitIndexes.entries()) {
    put(index, splits[columns.splitNames[at] ?? '']);
  }
  put(columns.status[0], status);
  put(columns.gunTime[0], gun_time);
  put(columns.chipTime[0], chip_time);
  put(columns.bib[0], bib_number);
  return cells;
}

/** @returns undefined for a row that is no result */
function textIn(row: FileRow): string | undefined {
  try {
    return textOf(rowOf(judge(row.claim())));
  } catch (error) {
    if (error instanceof RowError) return undefined;
    throw error;
  }
}

const lineOf = (cells: readonly string[], delimiter: string): string =>
  cells
    .map((cell) =>
      cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
    )
    .join(delimiter);

/** Keeps `rejected.csv` of a state folder up to date, and what a person wrote into it. */
export class RejectedFile {
  readonly #path: string;
  #written: string | undefined;
  #isFirst = true;

  constructor(stateDir: string) {
    this.#path = join(stateDir, REJECTED_FILE);
  }

  /**
   * @param text undefined if no row is rejected
   * @returns where the edited file is now, if a person had edited it; or why it cannot be written
   */
  async write(text: string | undefined): Promise<{ moved?: string; problem?: string }> {
    const digest = text && digestOf(text);
    if (!this.#isFirst && digest === this.#written) return {};
    try {
      const moved = await this.#keepEdited();
      if (text === undefined) await rm(this.#path, { force: true });
      else {
        const next = `${this.#path}.tmp`;
        await writeFile(next, text, { mode: 0o600 });
        await rename(next, this.#path);
      }
      this.#written = digest;
      this.#isFirst = false;
      return moved === undefined ? {} : { moved };
    } catch (error) {
      // A spreadsheet that has the file open lets nobody replace it.
      return { problem: `${this.#path} cannot be written (${codeOf(error) ?? error}): close it` };
    }
  }

  async #keepEdited(): Promise<string | undefined> {
    if (this.#isFirst || this.#written === undefined) return undefined;
    let found: string;
    try {
      found = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
    if (digestOf(found) === this.#written) return undefined;
    const moved = this.#path.replace(/\.csv$/, `-edited-${Date.now()}.csv`);
    await rename(this.#path, moved);
    return moved;
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');
