import type { Batch, FailedRow } from './batch.ts';
import type { ResultFailure, ResultsUploadOut } from './schemas.ts';
import type { Stored } from './store.ts';

const PIECE_LENGTH = 65_536;

/**
 * ResultsUploadOut as JSON, written as it is read: every row of a large file may have failed, and
 * all their echoes at once would not fit into memory.
 */
export function streamAnswer(batch: Batch, stored: Stored): ReadableStream<Uint8Array> {
  const pieces = writeAnswer(batch, stored);
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      let text = '';
      while (text.length < PIECE_LENGTH) {
        const { done, value } = pieces.next();
        if (done) {
          controller.enqueue(encoder.encode(text));
          controller.close();
          return;
        }
        text += value;
      }
      controller.enqueue(encoder.encode(text));
    },
  });
}

function* writeAnswer(batch: Batch, stored: Stored): Generator<string> {
  const missing = new Set(stored.missing);
  const loaded = batch.loadable.filter((_, index) => !missing.has(index + 1));
  const notFound = batch.loadable
    .filter((_, index) => missing.has(index + 1))
    .map(({ row, echo, result }) => ({
      row,
      echo,
      bib: result.bib,
      reason: `No registration of this event has the bib number ${JSON.stringify(result.bib)}.`,
    }));
  const counts: Omit<ResultsUploadOut, 'failed'> = {
    batch_id: batch.id,
    total_processed: batch.total,
    uploaded: stored.uploaded,
    updated: stored.updated,
    not_found: notFound.length,
    errors: batch.failed.length,
    duplicates: batch.duplicates,
    splits_detected: [
      ...new Set(loaded.flatMap(({ result }) => result.splits.map(([name]) => name))),
    ],
  };
  yield `${JSON.stringify(counts).slice(0, -1)},"failed":[`;
  let separator = '';
  for (const failure of [...batch.failed, ...notFound].sort((a, b) => a.row - b.row)) {
    yield separator + writeFailure(failure);
    separator = ',';
  }
  yield ']}';
}

function writeFailure({ row, bib, reason, echo }: FailedRow): string {
  const failure: ResultFailure = { row, bib_number: bib, reason };
  const item = echo();
  try {
    return JSON.stringify(item ? { ...failure, item } : failure);
  } catch {
    // Nested deeper than can be written, and the answer must not break off: it goes without an echo.
    return JSON.stringify(failure);
  }
}
