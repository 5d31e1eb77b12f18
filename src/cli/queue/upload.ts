import * as z from 'zod/mini';
import type { RaceResultsClient } from '../../client/index.ts';
import { checked } from './api.ts';
import { rowIn } from './result-row.ts';
import { queueOf, type RaceState } from './state.ts';

const ROWS_PER_UPLOAD = 100_000;
/** Far below the 16 MiB that the API takes: a cell is shorter than its row's text. */
const CHARACTERS_PER_UPLOAD = 12 << 20;

/** The parts of an upload's answer that the queue reads. */
const Answer = z.object({
  batch_id: z.string(),
  total_processed: z.int(),
  uploaded: z.int(),
  failed: z.array(
    z.object({ bib_number: z.nullable(z.string()), reason: z.string(), reason_code: z.string() }),
  ),
});
export type Answer = z.infer<typeof Answer>;

/** An upload, with the name of its file and its rows by bib. It is repeated under the same key. */
export type Flight = { key: string; file: string; rows: Map<string, string> };

/** The next upload: rows of one file that wait. Without rows if none does. */
export function nextFlight(state: RaceState): Flight {
  const queue = queueOf(state);
  const [first] = queue.values();
  const flight: Flight = { key: crypto.randomUUID(), file: first?.file ?? '', rows: new Map() };
  let characters = 0;
  for (const [bib, { file, text }] of queue) {
    if (file !== flight.file) continue;
    characters += text.length;
    const isFull = flight.rows.size === ROWS_PER_UPLOAD || characters > CHARACTERS_PER_UPLOAD;
    if (isFull && flight.rows.size > 0) break;
    flight.rows.set(bib, text);
  }
  return flight;
}

const COLUMNS = ['bib_number', 'status', 'chip_time', 'gun_time'] as const;

/** Rows as a CSV file, and the parameters with which it is read. Only one of them is spelled out at a time. */
export function csvOf(texts: readonly string[]): { csv: string; read: string } {
  const splits = new Set(texts.flatMap((text) => Object.keys(rowIn(text).splits)));
  let csv = csvLine([...COLUMNS, ...splits]);
  for (const text of texts) {
    const row = rowIn(text);
    const times = [...splits].map((name) => row.splits[name] ?? '');
    csv += csvLine([...COLUMNS.map((name) => row[name] ?? ''), ...times]);
  }
  // Columns are named by number: a split may have any name.
  const first = COLUMNS.length + 1;
  const read = [...splits].map((_, at) => ['split', `#${at + first}`]);
  return { csv, read: new URLSearchParams(read.length === 0 ? [['split', '']] : read).toString() };
}

/** A line of a CSV file, with its line end. */
export const csvLine = (cells: readonly string[], delimiter = ',', end = '\n'): string => {
  const quoted = (cell: string) =>
    cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell)
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  return cells.map(quoted).join(delimiter) + end;
};

/** @throws RaceResultsError, or the signal's reason */
export async function upload(
  client: RaceResultsClient,
  eventId: string,
  { key, file, rows }: Flight,
  signal: AbortSignal,
): Promise<Answer> {
  const { csv, read } = csvOf([...rows.values()]);
  const named = new File([csv], file.split(/[\\/]/).at(-1) || 'results.csv');
  const options = { read, idempotencyKey: key, signal };
  const answer = await client.uploadEventResultsFile(eventId, named, options);
  return checked(Answer, answer, 'uploadEventResultsFile');
}
