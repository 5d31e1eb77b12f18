import type * as z from 'zod/mini';
import { createMeasures } from '../../../timing-files/judge/measures.ts';
import { resultFindings } from '../../../timing-files/judge/result-findings.ts';
import { withoutWeight } from '../../../timing-files/judge/warning.ts';
import type { RaceClock } from '../../../timing-files/read/race-clock.ts';
import { type ReasonCode, RowError } from '../../../timing-files/read/reason-codes.ts';
import type { ClaimedResult, SentRow } from '../../../timing-files/read/result.ts';
import { ALL_OF_DAY, sinceGun } from '../../../timing-files/read/since-gun.ts';
import { eachOf } from '../../../timing-files/read/turns.ts';
import { invalid } from '../../errors.ts';
import type { JsonBody } from '../../http/json-text.ts';
import { later } from '../../later.ts';
import { type Batch, createBatchBuilder } from './batch.ts';
import { bibNumber, isObject, ResultIn, ResultsUploadIn } from './schemas.ts';
import { createUnknownFields } from './unknown-fields.ts';

/**
 * Reads the batch of a JSON body (uploadEventResults) whose depth and number of values are checked, step by step.
 * @throws ApiError VALIDATION_ERROR if the body as a whole is not an upload
 */
export function* readJsonBatch(sent: JsonBody, clock?: RaceClock): Generator<void, Batch> {
  const measures = createMeasures();
  const unknown = createUnknownFields();
  const batch = createBatchBuilder();
  yield* eachOf(resultRows(sent, clock), (row) => {
    const judged = batch.add(row);
    measures.add(row.row, judged);
    unknown.add(row.row, row.echo(), judged);
  });
  const findings = resultFindings(measures).filter(({ code }) => !clock || code !== 'time_of_day');
  const warnings = [...findings.map(withoutWeight), ...unknown.warnings()];
  // The bytes take less memory than their values, and most uploads have no failure to show.
  const read = batch.finish(() => resultRows(sent, clock));
  return warnings.length === 0 ? read : { ...read, warnings };
}

/** @param clock reads the times of day; without it, times are durations */
export const resultRows = (sent: JsonBody, clock?: RaceClock) =>
  jsonRows(sent, parseUpload(sent, ResultsUploadIn).results, (item) =>
    clock ? sinceGun(claim(item), ALL_OF_DAY, { clock }) : claim(item),
  );

/** @throws ApiError VALIDATION_ERROR if the body as a whole is not an upload */
export function parseUpload<T extends z.ZodMiniType>(sent: JsonBody, schema: () => T): z.infer<T> {
  const upload = schema().safeParse(sent.parseOuter());
  if (upload.success) return upload.data;
  const [issue] = upload.error.issues;
  throw invalid(
    'not_an_upload',
    `The body is no upload: ${issue?.path.join('.') || 'body'}: ${issue?.message}.`,
  );
}

/**
 * The rows of an array, with pauses.
 * @param claim throws a RowError for an item without the shape of a row
 * @throws ApiError VALIDATION_ERROR if a row is not JSON
 */
export function* jsonRows<Claimed>(
  sent: JsonBody,
  items: readonly unknown[],
  claim: (item: unknown) => Claimed,
): Generator<SentRow<Claimed> | undefined> {
  // An item that is no row must be JSON, too.
  if (items.filter(Array.isArray).length < sent.rows) yield* sent.check();
  for (const [index, placed] of items.entries()) {
    const row = index + 1;
    const item = sent.parseRow(placed, `row ${row}: `);
    yield {
      row,
      claim: () => claim(item),
      bib: () => bibOf(item),
      echo: () => (isObject(item) ? item : undefined),
    };
    if (sent.isPauseDue()) yield undefined;
  }
}

/**
 * @param required the codes of rows without these fields
 * @throws RowError if the item does not have the shape of a row
 */
export function parseItem<T extends z.ZodMiniType>(
  item: unknown,
  schema: () => T,
  required: Record<string, ReasonCode>,
): z.infer<T> {
  const parsed = schema().safeParse(item);
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(({ path, message }) =>
    [...path.map(String), message].join(': '),
  );
  const [missing] = Object.keys(required).filter((name) => isObject(item) && item[name] == null);
  throw new RowError(
    `The row has the wrong shape: ${reasons.join('; ')}.`,
    required[missing ?? ''] ?? 'invalid_row',
  );
}

const TEXT_FIELDS = ['chip_time', 'gun_time', 'time', 'status'] as const;

/**
 * Whether an item is a row of texts, as most rows are. The schema accepts such a row as the row is, and would take as
 * long as all further reading of the row.
 */
const isOfTexts = (item: unknown): item is ResultIn =>
  isObject(item) &&
  typeof item['bib_number'] === 'string' &&
  TEXT_FIELDS.every((name) => item[name] == null || typeof item[name] === 'string') &&
  (item['splits'] == null || isObject(item['splits']));

function claim(item: unknown): ClaimedResult {
  const { bib_number, chip_time, time, gun_time, status, splits } = isOfTexts(item)
    ? item
    : parseItem(item, ResultIn, { bib_number: 'missing_bib' });
  return {
    bib: bib_number,
    chipTime: chip_time?.trim() || time || '',
    gunTime: gun_time ?? '',
    status: status ?? '',
    splitNames: Object.keys(splits ?? {}),
    splitTimes: Object.values(splits ?? {}),
  };
}

const bibSchema = later(bibNumber);

const bibOf = (item: unknown): string | null => {
  const bib = bibSchema().safeParse(isObject(item) ? item['bib_number'] : undefined);
  return (bib.success && bib.data.trim()) || null;
};
