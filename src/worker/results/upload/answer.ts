import { RowError } from '../../../timing-files/read/reason-codes.ts';
import { judgeRow, type SentRow } from '../../../timing-files/read/result.ts';
import { streamText } from '../../http/text-stream.ts';
import type { ResultFailure, ResultsUploadOut } from './answer-schemas.ts';
import type { Batch } from './batch.ts';
import type { Stored } from './store.ts';

/**
 * ResultsUploadOut as JSON while the client reads it: every row of a large file may have failed, and all
 * failures at once would not fit into memory.
 * @param release gives back the memory of the upload's body
 */
export const streamAnswer = (batch: Batch, stored: Stored, release: () => void) =>
  streamText(writeAnswer(batch, stored), release);

function* writeAnswer(batch: Batch, stored: Stored): Generator<string, void> {
  const missing = new Set(stored.missing);
  const counts: Omit<ResultsUploadOut, 'failed'> = {
    batch_id: stored.batch_id,
    total_processed: batch.total,
    uploaded: stored.uploaded,
    updated: stored.updated,
    unchanged: stored.unchanged,
    not_found: missing.size,
    errors: batch.errors,
    duplicates: batch.duplicates,
    splits_detected: splitsDetected(batch.loadable, missing),
    ...(batch.warnings ? { warnings: [...batch.warnings] } : {}),
  };
  yield `${JSON.stringify(counts).slice(0, -1)},"failed":[`;
  let separator = '';
  for (const failure of failuresOf(batch, stored.missing)) {
    yield separator + JSON.stringify(failure);
    separator = ',';
  }
  yield ']}';
}

/** The split names of the loaded rows, in order of first appearance. */
function splitsDetected(
  { splitsOf, splitNames }: Batch['loadable'],
  missing: ReadonlySet<number>,
): string[] {
  const places = new Set(splitsOf.filter((_, index) => !missing.has(index + 1)));
  return [...new Set(Array.from(places, (place) => splitNames[place - 1] ?? []).flat())];
}

/**
 * The rows that do not load, in row order.
 * @param missing places in `loadable` whose bib has no registration
 */
export function* failuresOf(batch: Batch, missing: readonly number[]): Generator<ResultFailure> {
  const notFound = new Set(missing.map((place) => batch.loadable.rows[place - 1]));
  let left = batch.errors + notFound.size;
  if (left === 0) return;
  for (const sent of batch.sentAgain()) {
    const error = notFound.has(sent.row) ? unknownBib(sent.bib()) : judgeRow(sent);
    if (!(error instanceof RowError)) continue;
    yield failureOf(sent, error);
    left -= 1;
    if (left === 0) return;
  }
}

const unknownBib = (bib: string | null): RowError =>
  new RowError(
    `No registration of this event has the bib number ${JSON.stringify(bib)}.`,
    'unknown_bib',
  );

/** JSON leaves out the item of a row that is no object. */
const failureOf = (sent: SentRow, { message, code }: RowError): ResultFailure => ({
  row: sent.row,
  bib_number: sent.bib(),
  reason: message,
  reason_code: code,
  item: sent.echo(),
});
