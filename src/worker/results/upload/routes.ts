import { clockWarnings } from '../../../timing-files/judge/clocks.ts';
import type { Preview } from '../../../timing-files/suggest/preview.ts';
import { requireScope } from '../../auth/api-key/require-scope.ts';
import type { AppEnv } from '../../http/context.ts';
import { Hono } from '../../http/hono.ts';
import { pair } from '../pair.ts';
import type { SenderKind } from '../sender.ts';
import { streamAnswer } from './answer.ts';
import { type Batch, createBatchBuilder } from './batch.ts';
import { readClocks } from './clocks.ts';
import { compareBatch } from './compare.ts';
import {
  FILE_BODY,
  JSON_BODY,
  readingFile,
  readingJson,
  readingPreview,
  weightOfJson,
} from './formats.ts';
import { IdempotencyHeader, otherContent, REPLAYED } from './idempotency.ts';
import { readJsonBatch, resultRows } from './json-rows.ts';
import { previewLeft } from './leave.ts';
import { compareReadings, describePreview } from './preview.ts';
import { type AnswerRead, eventGone, type ReadBody, receiving } from './receive.ts';
import { FileQuery, FileUploadQuery, ResultsUploadIn, ResultsUploadQuery } from './schemas.ts';
import type { UploadFacts } from './store.ts';
import { writeBatch } from './write.ts';

type Upload = { batch: Batch; facts: UploadFacts };

/** Stores the results of a file. */
const uploadingFile = (by: SenderKind) =>
  receiving({
    by,
    hasLimits: true,
    weight: 'heavy',
    query: FileUploadQuery,
    header: IdempotencyHeader,
    body: FILE_BODY,
    read: (asked) => readingFile(asked, createBatchBuilder),
    answer: ({ batch, fileName, content }, asked, held) =>
      storing(by)({ batch, facts: { source: 'csv', fileName, ...content } }, asked, held),
  });

/** Shows how a file would be read. */
const previewingFile = (by: SenderKind) =>
  receiving({
    by,
    hasLimits: true,
    isPersonal: true,
    weight: 'heavy',
    query: FileQuery,
    body: FILE_BODY,
    // Without splits in the second batch, both fit into memory.
    read: (asked) => readingPreview(asked, by, createBatchBuilder),
    answer: comparing(by),
  });

export const resultUploadRoutes = new Hono<AppEnv>().post(
  '/',
  requireScope(
    'uploadEventResults',
    'results:write',
    receiving({
      by: 'key',
      hasLimits: true,
      weight: weightOfJson,
      query: ResultsUploadQuery,
      header: IdempotencyHeader,
      body: { ...JSON_BODY, schema: ResultsUploadIn },
      read: (asked): ReadBody<Upload> => readingJson(asked, 'key', resultRows, readJsonBatch),
      answer: storing('key'),
    }),
  ),
);

export const filePairs = [
  pair({
    method: 'post',
    path: '/results/file',
    scope: 'results:write',
    ids: { key: 'uploadEventResultsFile', member: 'uploadOrganizationEventResultsFile' },
    endpoint: uploadingFile,
  }),
  pair({
    method: 'post',
    path: '/results/file/preview',
    scope: 'results:write',
    ids: { key: 'previewEventResultsFile', member: 'previewOrganizationEventResultsFile' },
    endpoint: previewingFile,
  }),
];

type UploadQuery = {
  reason?: string | undefined;
  sender?: string | undefined;
  by_hand?: 'true' | 'false';
};

/** Writes the rows in a single transaction. */
function storing(by: SenderKind): AnswerRead<Upload, UploadQuery> {
  return async ({ batch, facts }, { c, run, param, query, asking, race, hasStarts }, held) => {
    const isByHand = query.by_hand === 'true';
    const given = {
      ...facts,
      reason: query.reason ?? null,
      sender: query.sender ?? null,
      isByHand,
      startsVersion: race?.version,
      hasStarts,
    };
    const stored = await writeBatch(run, param.event_id, batch, given, by, asking);
    if (!stored) throw await eventGone(run, { race, eventId: param.event_id, by });
    if (!stored.is_same_content) throw otherContent();
    if (stored.batch_id !== batch.id) c.header(...REPLAYED);
    Object.assign(c.get('logFields'), {
      batch_id: stored.batch_id,
      rows: batch.total,
      not_found: stored.missing.length,
      errors: batch.errors,
      duplicates: batch.duplicates,
    });
    const clocks = race ? await readClocks(run, { eventId: param.event_id, by }) : [];
    return c.body(streamAnswer(batch, stored, clocks, held), 200, {
      'Content-Type': 'application/json',
    });
  };
}

/** Writes nothing. A preview makes three trips: for the verdict, for the bibs of the event, and for this comparison. */
function comparing(by: SenderKind): AnswerRead<Preview<Batch>> {
  return async (read, { c, run, param, asking, race }, held) => {
    const { compared, left } = await compareReadings(
      run,
      read,
      (batch) => compareBatch(param.event_id, batch, by),
      Object.keys(asking).length > 0
        ? (batch) => previewLeft(param.event_id, batch, asking, by)
        : undefined,
    );
    const answer = await describePreview(read, compared, left);
    if (!answer) throw await eventGone(run);
    const sent = { point: null, rows: read.rows };
    const clocks = race ? await readClocks(run, { eventId: param.event_id, by }, sent) : [];
    answer.warnings.push(...clockWarnings(clocks));
    c.get('logFields').rows = answer.counts.total_processed;
    held.release();
    return c.json(answer);
  };
}
