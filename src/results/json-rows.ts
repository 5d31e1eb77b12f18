import { invalid } from '../errors.ts';
import { parseJson } from '../http/body.ts';
import { type Batch, createBatchBuilder, type SentRow } from './batch.ts';
import { type ClaimedResult, RowError } from './judge.ts';
import { isObject, ResultIn, ResultsUploadIn } from './schemas.ts';

/**
 * The batch that a JSON body holds (contract section 4.6).
 * @throws ApiError VALIDATION_ERROR where the body itself is not what an upload looks like.
 */
export function readJsonBatch(text: string): Batch {
  const batch = createBatchBuilder();
  for (const row of readRows(text)) batch.add(row);
  // The text is smaller than what it is parsed into, and most uploads have nothing to echo.
  return batch.finish(() => readRows(text));
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
    throw new RowError(`The row has the wrong shape: ${reasons.join('; ')}.`);
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
