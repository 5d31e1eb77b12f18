import { clockWarnings, type WrongClock } from '../../../timing-files/judge/clocks.ts';
import { distanceWarnings } from '../../../timing-files/judge/distances.ts';
import {
  aboutLines,
  SECOND_FINISH,
  type Warning,
  warningIf,
} from '../../../timing-files/judge/warning.ts';
import { otherFormatOf } from '../../../timing-files/read/bib-formats.ts';
import { type Lines, ROWS_SHOWN } from '../../../timing-files/read/lines.ts';
import { formatRaceTimeOrNull } from '../../../timing-files/read/race-time.ts';
import { RowError } from '../../../timing-files/read/reason-codes.ts';
import type { SentRow } from '../../../timing-files/read/result.ts';
import type { Paused } from '../../../timing-files/read/turns.ts';
import { JSON_VALUES_MAX, jsonText } from '../../http/json-text.ts';
import { PAUSE, streamText } from '../../http/text-stream.ts';
import { namesOfLeft } from '../leave.ts';
import type { LeftResult, ResultFailure, ResultsUploadOut } from './answer-schemas.ts';
import type { Batch, ReadRows } from './batch.ts';
import type { LeftRow, PreviewedLeftRow } from './leave.ts';
import type { Held } from './receive.ts';
import type { Stored } from './store.ts';

/** ResultsUploadOut. @param held the upload's memory and turn until the end of the reading */
export function streamAnswer(
  batch: Batch,
  stored: Stored,
  clocks: readonly WrongClock[],
  held: Held,
) {
  const secondFinishes = stored.second_finishes.length;
  const ofEvent = [
    ...distanceWarnings(stored.distances),
    ...aboutLines('splits_removed:done', { count: stored.splits_removed, rows: [] }),
    ...aboutLines('gun_times_removed:done', { count: stored.gun_times_removed, rows: [] }),
    ...warningIf(
      secondFinishes > 0,
      'second_finish',
      { count: secondFinishes, times: SECOND_FINISH },
      linesOf(batch, stored.second_finishes).rows,
    ),
    ...aboutLines('dns_with_passing', linesOf(batch, stored.dns_with_passing)),
    ...aboutLines('old_gun', linesOf(batch, stored.old_gun)),
    ...clockWarnings(clocks),
  ];
  const counts: Omit<ResultsUploadOut, 'left' | 'failed'> = {
    batch_id: stored.batch_id,
    ...countsOf(batch, stored),
    splits_detected: splitsDetected(batch.loadable, new Set(stored.missing)),
    ...warningsOf(batch, ofEvent),
  };
  return streamCounts(
    counts,
    leftAmong(batch, stored.left_rows),
    failuresAmong(batch, stored.missing),
    held,
  );
}

/** The counts of an upload of any kind. */
export const countsOf = (
  { total, errors, duplicates }: ReadRows,
  {
    uploaded,
    updated,
    unchanged,
    missing,
  }: Pick<Stored, 'uploaded' | 'updated' | 'unchanged' | 'missing'>,
) => ({
  total_processed: total,
  uploaded,
  updated,
  unchanged,
  not_found: missing.length,
  errors,
  duplicates,
});

/** A live batch has a list only with a warning. */
export const warningsOf = ({ warnings }: ReadRows, ofEvent: readonly Warning[]) =>
  warnings || ofEvent.length > 0 ? { warnings: [...(warnings ?? []), ...ofEvent] } : {};

/** @param ordinals ordinals in `loadable` */
export const linesOf = (
  { loadable }: Pick<ReadRows, 'loadable'>,
  ordinals: readonly number[],
): Lines => ({
  count: ordinals.length,
  rows: ordinals.slice(0, ROWS_SHOWN).flatMap((ordinal) => loadable.rows[ordinal - 1] ?? []),
});

/**
 * An object with its `failed` as JSON while the client reads: every row of a large file may have failed, and all
 * failures together would not fit into memory.
 */
export const streamCounts = (
  counts: object,
  left: Iterable<object>,
  failures: Paused<ResultFailure>,
  held: Held,
) => streamText(writeAnswer(counts, left, failures), held);

function* writeAnswer(
  counts: object,
  left: Iterable<object>,
  failures: Paused<ResultFailure>,
): Generator<string, void> {
  yield `${jsonText(counts).slice(0, -1)},"left":[`;
  yield* listed(left);
  yield '],"failed":[';
  yield* listed(failures);
  yield ']}';
}

function* listed(items: Paused<object>): Generator<string, void> {
  let separator = '';
  for (const item of items) {
    yield item ? separator + jsonText(item) : PAUSE;
    if (item) separator = ',';
  }
}

/** The left rows, in the form of the answer. */
export function* leftAmong(
  { loadable }: ReadRows,
  left: readonly (LeftRow | PreviewedLeftRow)[],
): Generator<LeftResult> {
  for (const [ordinal, bib, reason, status, chipMs, gunMs, sender, at, ...names] of left) {
    const [chip_time, gun_time] = [formatRaceTimeOrNull(chipMs), formatRaceTimeOrNull(gunMs)];
    yield {
      row: loadable.rows[ordinal - 1] ?? 0,
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
  const ordinals = new Set(splitsOf.filter((_, index) => !missing.has(index + 1)));
  return [...new Set(Array.from(ordinals, (ordinal) => splitNames[ordinal - 1] ?? []).flat())];
}

/** The values in the items of an answer: as many as a JSON body has. Each value costs processor time. */
const ITEMS_VALUES_MAX = JSON_VALUES_MAX;

/**
 * The rows that do not load, in row order, with pauses. The rows behind the last value of `ITEMS_VALUES_MAX` have no
 * item.
 * @param missing ordinals in `loadable` of bibs without a registration
 */
export function* failuresAmong<Row extends SentRow<unknown>>(
  { errors, loadable, sentAgain, failureOf }: ReadRows<Row>,
  missing: readonly number[],
): Generator<ResultFailure | undefined> {
  const notFound = new Set(missing.map((ordinal) => loadable.rows[ordinal - 1]));
  let left = errors + notFound.size;
  if (left === 0) return;
  const unknownBib = createUnknownBib();
  let room = ITEMS_VALUES_MAX;
  for (const sent of sentAgain()) {
    if (!sent) {
      yield;
      continue;
    }
    const error = notFound.has(sent.row) ? unknownBib(sent) : failureOf(sent);
    if (!error) continue;
    const item = room > 0 ? sent.echo() : undefined;
    for (const _ in item) room -= 1;
    yield described(sent, error, item);
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
    const hint = ' The preview of the file says whether the event writes the bib otherwise.';
    return new RowError(
      `No registration of this event has the bib number ${JSON.stringify(bib)}.${format ? hint : ''}`,
      'unknown_bib',
    );
  };
}

/** JSON leaves out an undefined item. */
const described = (
  sent: SentRow<unknown>,
  { message, code }: RowError,
  item: ResultFailure['item'],
): ResultFailure => ({
  row: sent.row,
  bib_number: sent.bib(),
  reason: message,
  reason_code: code,
  item,
});
