import * as z from 'zod/mini';
import type { RaceResultsClient } from '../../client/index.ts';
import { JSON_ROWS_MAX } from '../../timing-files/read/result.ts';
import { FILE_ROWS_MAX } from '../../timing-files/read/results-file.ts';
import { plainCsvLine } from '../../timing-files/write/csv.ts';
import { checked } from './api.ts';
import { keyOf, passingIn, pointOf, rowIn } from './item.ts';
import { decisionOf } from './record.ts';
import { knownOf, queueOf, type RaceState } from './state.ts';

/** Far below the 16 MiB that the API takes: a cell is shorter than its row's text. */
const CHARACTERS_PER_UPLOAD = 12 << 20;

/** The parts of an upload's answer that the queue reads. */
const Answer = z.object({
  batch_id: z.optional(z.string()),
  total_processed: z.int(),
  uploaded: z.int(),
  failed: z.array(
    z.object({
      row: z.int(),
      bib_number: z.nullable(z.string()),
      reason: z.string(),
      reason_code: z.string(),
    }),
  ),
});
type Answer = z.infer<typeof Answer>;

/** An upload of results or of passings, with the name of its file and its rows by key. It is repeated under its key. */
export type Flight = {
  id: string;
  file: string;
  isOfPassings: boolean;
  /** Whether it is a decision of a person. It has one row. */
  isByHand: boolean;
  rows: Map<string, string>;
};

/** The next upload: rows of one file that wait. Without rows if none does. */
export function nextFlight(state: RaceState): Flight {
  const queue = queueOf(state);
  const [[firstKey, first] = ['', undefined]] = queue;
  const flight: Flight = {
    id: crypto.randomUUID(),
    file: first?.file ?? '',
    isOfPassings: pointOf(firstKey) !== undefined,
    isByHand: decisionOf(knownOf(state, firstKey)) !== undefined,
    rows: new Map(),
  };
  const most = flight.isByHand ? 1 : flight.isOfPassings ? JSON_ROWS_MAX : FILE_ROWS_MAX;
  let characters = 0;
  for (const [key, { file, text }] of queue) {
    if (file !== flight.file || (pointOf(key) !== undefined) !== flight.isOfPassings) continue;
    characters += text.length;
    const isFull = flight.rows.size === most || characters > CHARACTERS_PER_UPLOAD;
    if (isFull && flight.rows.size > 0) break;
    flight.rows.set(key, text);
  }
  return flight;
}

const COLUMNS = ['bib_number', 'status', 'chip_time', 'gun_time'] as const;

/** Rows as a CSV file, and the parameters with which it is read. Only one of them is spelled out at a time. */
export function csvOf(texts: readonly string[]): { csv: string; read: string } {
  const splits = new Set(texts.flatMap((text) => Object.keys(rowIn(text).splits)));
  let csv = plainCsvLine([...COLUMNS, ...splits]);
  for (const text of texts) {
    const row = rowIn(text);
    const times = [...splits].map((name) => row.splits[name] ?? '');
    csv += plainCsvLine([...COLUMNS.map((name) => row[name] ?? ''), ...times]);
  }
  // Columns are named by number: a split may have any name.
  const first = COLUMNS.length + 1;
  const read = [...splits].map((_, at) => ['split', `#${at + first}`]);
  return { csv, read: new URLSearchParams(read.length === 0 ? [['split', '']] : read).toString() };
}

/** The answer to an upload. */
export type Landed = {
  batch: string | undefined;
  uploaded: number;
  /** Whether the API has counted all rows. */
  isWhole: boolean;
  failed: Map<string, { reason: string; code: string }>;
};

/** @throws RaceResultsError, or the signal's reason */
export async function upload(
  client: RaceResultsClient,
  eventId: string,
  flight: Flight,
  signal: AbortSignal,
): Promise<Landed> {
  const { id, file, rows, isOfPassings, isByHand } = flight;
  const texts = [...rows.values()];
  const send = () => {
    if (isOfPassings) {
      const passings = texts.flatMap((text) => passingIn(text) ?? []);
      const options = { idempotencyKey: id, signal };
      return client.uploadEventPassings(eventId, { passings }, options);
    }
    if (isByHand) {
      const options = { byHand: true, idempotencyKey: id, signal };
      return client.uploadEventResults(eventId, { results: texts.map(rowIn) }, options);
    }
    const { csv, read } = csvOf(texts);
    const named = new File([csv], file.split(/[\\/]/).at(-1) || 'results.csv');
    return client.uploadEventResultsFile(eventId, named, { read, idempotencyKey: id, signal });
  };
  const answer = checked(Answer, await send(), 'upload');
  // A passing is known by its place among those that were sent.
  const keys = [...rows.keys()];
  const keyOfFailed = ({ row, bib_number }: Answer['failed'][number]) =>
    isOfPassings ? (keys[row - 1] ?? '') : keyOf(bib_number?.trim() ?? '');
  return {
    batch: isOfPassings ? undefined : answer.batch_id,
    uploaded: isOfPassings ? 0 : answer.uploaded,
    isWhole: answer.total_processed === rows.size,
    failed: new Map(
      answer.failed.map((one) => [keyOfFailed(one), { reason: one.reason, code: one.reason_code }]),
    ),
  };
}
