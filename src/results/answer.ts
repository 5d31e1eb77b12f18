import { type Batch, reasonAgainst, type SentRow } from './batch.ts';
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
  const counts: Omit<ResultsUploadOut, 'failed'> = {
    batch_id: batch.id,
    total_processed: batch.total,
    uploaded: stored.uploaded,
    updated: stored.updated,
    not_found: missing.size,
    errors: batch.errors,
    duplicates: batch.duplicates,
    splits_detected: splitsDetected(batch.loadable, missing),
  };
  yield `${JSON.stringify(counts).slice(0, -1)},"failed":[`;
  let separator = '';
  for (const failure of failuresOf(batch, stored)) {
    yield separator + failure;
    separator = ',';
  }
  yield ']}';
}

/** Names with a time in a row that was stored, in order of first appearance. */
function splitsDetected(
  { splitsOf, splitNames }: Batch['loadable'],
  missing: ReadonlySet<number>,
): string[] {
  const places = new Set(splitsOf.filter((_, index) => !missing.has(index + 1)));
  return [...new Set(Array.from(places, (place) => splitNames[place - 1] ?? []).flat())];
}

/** What did not load, in row order. */
function* failuresOf(batch: Batch, { missing }: Stored): Generator<string> {
  const notFound = new Set(missing.map((place) => batch.loadable.rows[place - 1]));
  let left = batch.errors + notFound.size;
  if (left === 0) return;
  for (const sent of batch.sentAgain()) {
    const reason = notFound.has(sent.row) ? unknownBib(sent.bib()) : reasonAgainst(sent);
    if (reason === undefined) continue;
    yield writeFailure(sent, reason);
    left -= 1;
    if (left === 0) return;
  }
}

const unknownBib = (bib: string | null): string =>
  `No registration of this event has the bib number ${JSON.stringify(bib)}.`;

function writeFailure(sent: SentRow, reason: string): string {
  const failure: ResultFailure = { row: sent.row, bib_number: sent.bib(), reason };
  const item = sent.echo();
  try {
    return JSON.stringify(item ? { ...failure, item } : failure);
  } catch {
    // Nested deeper than can be written, and the answer must not break off: it goes without an echo.
    return JSON.stringify(failure);
  }
}
