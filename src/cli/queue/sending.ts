import {
  ApiError,
  isRaceResultsError,
  type LeaveRule,
  type LeftPassing,
  type LeftResult,
  type RaceResultsClient,
  type ResultFailure,
  UnexpectedAnswerError,
} from '../../client/index.ts';
import { JSON_ROWS_MAX } from '../../timing-files/read/result.ts';
import { plainCsvLine } from '../../timing-files/write/csv.ts';
import { EXIT, failure } from '../exit-codes.ts';
import { failureOf, scopeText } from './api.ts';
import type { Outgoing, Refusal } from './difference.ts';
import { keyOf, passingIn, pointOf, rowIn } from './item.ts';
import type { Request } from './store.ts';

/** Some 20 000 rows: a request is in memory several times, and each answer shows progress. */
const CHARACTERS_PER_REQUEST = 2 << 20;

/** The API leaves every row with a question for a person. */
export const ALL: readonly LeaveRule[] = ['decided', 'impossible', 'others', 'many'];

/**
 * Previews a row: a preview needs the scope of an upload, and writes nothing.
 * @throws CliError for a read-only key, and for an API that does not know which rows to leave
 */
export async function requireSending(
  client: RaceResultsClient,
  eventId: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const options = { leave: ALL, sender: 'race-results', signal };
    const found = await client.previewEventResultsFile(eventId, 'bib,status\n1,DNF\n', options);
    if (!Array.isArray(found.left)) throw failure(EXIT.usage, 'api_too_old');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 400) throw failure(EXIT.usage, 'api_too_old');
    if (error.status !== 403) throw error;
    throw failure(EXIT.key, 'key_cannot_send', { detail: scopeText(error.detail) });
  }
}

/** The next request: rows of a single file and kind. @returns undefined without rows to send */
export function nextRequest(send: ReadonlyMap<string, Outgoing>): Request | undefined {
  const [[firstKey, first] = []] = send;
  if (firstKey === undefined || first === undefined) return undefined;
  const { file, isByHand, leaves } = first;
  const isOfPassings = pointOf(firstKey) !== undefined;
  const rows: [string, string][] = [];
  const most = isOfPassings || isByHand ? JSON_ROWS_MAX : Number.POSITIVE_INFINITY;
  let characters = 0;
  for (const [key, one] of send) {
    const isAlike = one.file === file && one.isByHand === isByHand && one.leaves === leaves;
    if (!isAlike || (pointOf(key) !== undefined) !== isOfPassings) continue;
    characters += one.text.length;
    if (rows.length === most || (characters > CHARACTERS_PER_REQUEST && rows.length > 0)) break;
    rows.push([key, one.text]);
  }
  return { id: crypto.randomUUID(), file, isOfPassings, isByHand, leaves, rows };
}

const COLUMNS = ['bib_number', 'status', 'chip_time', 'gun_time'] as const;

/** Rows as a CSV file, and the parameters to read the file. Only a single row is parsed at a time. */
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

/** The outcome of a request. Every row outside of `refused` is stored. */
export type Landed = {
  batch: string;
  /** Whether the request was answered before: another sender may have written since. */
  isReplayed: boolean;
  refused: Map<string, Omit<Refusal, 'held'>>;
};

const wrongCounts = (): UnexpectedAnswerError =>
  new UnexpectedAnswerError('upload', 'wrong counts', {
    status: 200,
    requestId: undefined,
    retryAfterSeconds: undefined,
  });

/**
 * Sends a request. A repeated request keeps the id.
 * @throws RaceResultsError, or the signal's reason
 */
export async function sendRequest(
  client: RaceResultsClient,
  eventId: string,
  request: Request,
  sender: string,
  signal: AbortSignal,
): Promise<Landed> {
  const { id, file, rows, isOfPassings, isByHand, leaves } = request;
  const texts = rows.map(([, text]) => text);
  const options = {
    ...{ idempotencyKey: id, sender, signal },
    ...(leaves && { leave: ALL }),
  };
  const send = () => {
    if (isOfPassings) {
      const passings = texts.flatMap((text) => passingIn(text) ?? []);
      return client.uploadEventPassings(eventId, { passings }, options);
    }
    if (isByHand) {
      const byHand = { ...options, byHand: true };
      return client.uploadEventResults(eventId, { results: texts.map(rowIn) }, byHand);
    }
    const { csv, read } = csvOf(texts);
    const named = new File([csv], file.split(/[\\/]/).at(-1) || 'results.csv');
    return client.uploadEventResultsFile(eventId, named, { read, ...options });
  };
  const byKey = new Map(rows);
  const refused: Landed['refused'] = new Map();
  const refuse = (
    { row, bib_number, reason_code: code = '', ...more }: LeftResult | LeftPassing | ResultFailure,
    isLeft: boolean,
  ) => {
    // The row number of a passing is the position in the request.
    const key = isOfPassings ? (rows[row - 1]?.[0] ?? '') : keyOf(bib_number?.trim() ?? '');
    const text = byKey.get(key);
    if (text === undefined) return;
    const { reason = '', sender = null, at = null }: Partial<Refusal> = more;
    refused.set(key, { text, file, code, reason, isLeft, sender, at });
  };
  try {
    const answer = await send();
    for (const one of answer.left) refuse(one, true);
    for (const one of answer.failed) refuse(one, false);
    // A row counts as stored only if the counts say so.
    const { total_processed: total, uploaded, updated, duplicates } = answer;
    const unstored = answer.left.length + answer.failed.length;
    const isWhole = uploaded + updated + duplicates + unstored === rows.length;
    if (!isWhole || total !== rows.length || refused.size !== unstored) throw wrongCounts();
    const batch = 'batch_id' in answer ? answer.batch_id : answer.upload_id;
    return { batch, isReplayed: answer.replayed, refused };
  } catch (error) {
    const found = isRaceResultsError(error) ? failureOf(error) : undefined;
    if (found?.exitCode !== EXIT.unclear) throw error;
    // The API refuses the whole request. Repeating does not help.
    const more = { code: 'refused', reason: found.why, isLeft: false, sender: null, at: null };
    for (const [key, text] of rows) refused.set(key, { text, file, ...more });
    return { batch: '', isReplayed: true, refused };
  }
}
