import { distanceWarnings } from '../../../timing-files/judge/distances.ts';
import {
  gunTimesRemovedWarning,
  splitsRemovedWarning,
} from '../../../timing-files/judge/event-warnings.ts';
import { warningIf } from '../../../timing-files/judge/warning.ts';
import { otherFormatOf } from '../../../timing-files/read/bib-formats.ts';
import { ROWS_SHOWN } from '../../../timing-files/read/lines.ts';
import { formatRaceTimeOrNull } from '../../../timing-files/read/race-time.ts';
import { RowError } from '../../../timing-files/read/reason-codes.ts';
import type { SentRow } from '../../../timing-files/read/result.ts';
import { jsonText } from '../../http/json-text.ts';
import { streamText } from '../../http/text-stream.ts';
import { namesOfLeft } from '../leave.ts';
import type { LeftResult, ResultFailure, ResultsUploadOut } from './answer-schemas.ts';
import type { Batch } from './batch.ts';
import type { LeftRow, PreviewedLeftRow } from './leave.ts';
import type { Held } from './receive.ts';
import type { Stored } from './store.ts';

/** The rows of an upload, of any kind. */
export type ReadRows<Row extends SentRow<unknown> = SentRow<unknown>> = {
  total: number;
  errors: number;
  duplicates: number;
  loadable: { rows: readonly number[] };
  sentAgain: () => Iterable<Row>;
  failureOf(sent: Row): RowError | undefined;
};

/** ResultsUploadOut. @param held the upload's memory and turn until the end of the reading */
export function streamAnswer(batch: Batch, stored: Stored, held: Held) {
  const missing = new Set(stored.missing);
  const secondFinishes = stored.second_finishes.length;
  const ofEvent = [
    ...distanceWarnings(stored.distances),
    ...splitsRemovedWarning({ count: stored.splits_removed, rows: [] }, true),
    ...gunTimesRemovedWarning({ count: stored.gun_times_removed, rows: [] }, true),
    ...warningIf(
      secondFinishes > 0,
      'second_finish',
      `${secondFinishes === 1 ? '1 runner' : `${secondFinishes} runners`} had a finish already, and ` +
        'the new one is at least 1.5 times as late: they may have passed the finish again. The new one is stored.',
      stored.second_finishes
        .slice(0, ROWS_SHOWN)
        .flatMap((place) => batch.loadable.rows[place - 1] ?? []),
    ),
  ];
  const counts: Omit<ResultsUploadOut, 'left' | 'failed'> = {
    batch_id: stored.batch_id,
    total_processed: batch.total,
    uploaded: stored.uploaded,
    updated: stored.updated,
    unchanged: stored.unchanged,
    not_found: missing.size,
    errors: batch.errors,
    duplicates: batch.duplicates,
    splits_detected: splitsDetected(batch.loadable, missing),
    ...(batch.warnings || ofEvent.length > 0
      ? { warnings: [...(batch.warnings ?? []), ...ofEvent] }
      : {}),
  };
  return streamCounts(
    counts,
    leftAmong(batch, stored.left_rows),
    failuresAmong(batch, stored.missing),
    held,
  );
}

/**
 * An object with its `failed` as JSON while the client reads: every row of a large file may have failed, and all
 * failures together would not fit into memory.
 */
export const streamCounts = (
  counts: object,
  left: Iterable<object>,
  failures: Iterable<ResultFailure>,
  held: Held,
) => streamText(writeAnswer(counts, left, failures), held);

function* writeAnswer(
  counts: object,
  left: Iterable<object>,
  failures: Iterable<ResultFailure>,
): Generator<string, void> {
  yield `${jsonText(counts).slice(0, -1)},"left":[`;
  yield* listed(left);
  yield '],"failed":[';
  yield* listed(failures);
  yield ']}';
}

function* listed(items: Iterable<object>): Generator<string, void> {
  let separator = '';
  for (const item of items) {
    yield separator + jsonText(item);
    separator = ',';
  }
}

/** The left rows, in the form of the answer. */
export function* leftAmong(
  { loadable }: ReadRows,
  left: readonly (LeftRow | PreviewedLeftRow)[],
): Generator<LeftResult> {
  for (const [place, bib, reason, status, chipMs, gunMs, sender, at, ...names] of left) {
    const [chip_time, gun_time] = [formatRaceTimeOrNull(chipMs), formatRaceTimeOrNull(gunMs)];
    yield {
      row: loadable.rows[place - 1] ?? 0,
      bib_number: bib,
      reason_code: reason,
      stored: status && { status, chip_time, gun_time },
      sender,
      at,
      ...namesOfLeft(names),
    };
  }
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
 * @param missing ordinals in `loadable` of bibs without a registration
 */
export function* failuresAmong<Row extends SentRow<unknown>>(
  { errors, loadable, sentAgain, failureOf }: ReadRows<Row>,
  missing: readonly number[],
): Generator<ResultFailure> {
  const notFound = new Set(missing.map((place) => loadable.rows[place - 1]));
  let left = errors + notFound.size;
  if (left === 0) return;
  const unknownBib = createUnknownBib();
  for (const sent of sentAgain()) {
    const error = notFound.has(sent.row) ? unknownBib(sent) : failureOf(sent);
    if (!error) continue;
    yield described(sent, error);
    left -= 1;
    if (left === 0) return;
  }
}

/** Why a row without a registration fails. In a file, the error of the first bib with a different spelling says so. */
function createUnknownBib() {
  let isHinted = false;
  return (sent: SentRow<unknown>): RowError => {
    const bib = sent.bib();
    const isOpen = !isHinted && 'csvRow' in sent;
    const format = isOpen ? otherFormatOf(bib ?? '') : undefined;
    isHinted ||= format !== undefined;
    const hint = ` If the file writes bibs otherwise than the event, send bib_format=${format}.`;
    return new RowError(
      `No registration of this event has the bib number ${JSON.stringify(bib)}.${format ? hint : ''}`,
      'unknown_bib',
    );
  };
}

/** JSON leaves out an undefined item, for a row that is no object. */
const described = (sent: SentRow<unknown>, { message, code }: RowError): ResultFailure => ({
  row: sent.row,
  bib_number: sent.bib(),
  reason: message,
  reason_code: code,
  item: sent.echo(),
});
