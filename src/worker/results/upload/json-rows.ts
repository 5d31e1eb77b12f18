import { RowError } from '../../../timing-files/read/reason-codes.ts';
import type { ClaimedResult, SentRow } from '../../../timing-files/read/result.ts';
import { resultWarnings } from '../../../timing-files/suggest/file-warnings.ts';
import { createMeasures } from '../../../timing-files/suggest/measures.ts';
import { invalid } from '../../errors.ts';
import { parseJson } from '../../http/json-text.ts';
import { type Batch, createBatchBuilder } from './batch.ts';
import { isObject, ResultIn, ResultsUploadIn } from './schemas.ts';

/**
 * Reads the batch of a JSON body (uploadEventResults) whose depth and number of values are checked.
 * @throws ApiError VALIDATION_ERROR if the body as a whole is not an upload
 */
export function readJsonBatch(text: string): Batch {
  const measures = createMeasures();
  const batch = createBatchBuilder();
  for (const row of readRows(text)) measures.add(row.row, batch.add(row));
  const warnings = resultWarnings(measures);
  // The text takes less memory than its values, and most uploads have no failure to show.
  const read = batch.finish(() => readRows(text));
  return warnings.length === 0 ? read : { ...read, warnings };
}

function* readRows(text: string): Generator<SentRow> {
  const upload = ResultsUploadIn.safeParse(parseJson(text));
  if (!upload.success) {
    const [issue] = upload.error.issues;
    throw invalid(`The body is no upload: ${issue?.path.join('.') || 'body'}: ${issue?.message}.`);
  }
  for (const [index, item] of upload.data.results.entries()) {
    yield {
      row: index + 1,
      claim: () => claim(item),
      bib: () => bibOf(item),
      echo: () => (isObject(item) ? item : undefined),
    };
  }
}

function claim(item: unknown): ClaimedResult {
  const parsed = ResultIn.safeParse(item);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(({ path, message }) =>
      [...path.map(String), message].join(': '),
    );
    const isBibMissing = isObject(item) && (item['bib_number'] ?? undefined) === undefined;
    throw new RowError(
      `The row has the wrong shape: ${reasons.join('; ')}.`,
      isBibMissing ? 'missing_bib' : 'invalid_row',
    );
  }
  const { bib_number, chip_time, time, gun_time, status, splits } = parsed.data;
  return {
    bib: bib_number,
    chipTime: chip_time?.trim() || time || '',
    gunTime: gun_time ?? '',
    status: status ?? '',
    splitNames: Object.keys(splits ?? {}),
    splitTimes: Object.values(splits ?? {}),
  };
}

const bibOf = (item: unknown): string | null => {
  const bib = ResultIn.shape.bib_number.safeParse(isObject(item) ? item['bib_number'] : undefined);
  return (bib.success && bib.data.trim()) || null;
};
