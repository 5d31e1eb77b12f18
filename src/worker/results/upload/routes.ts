import type * as z from 'zod/mini';
import { openFile } from '../../../timing-files/read/open-file.ts';
import { type Parameters, parseParameters } from '../../../timing-files/read/parameters.ts';
import type { SheetStart } from '../../../timing-files/read/workbook.ts';
import { type Preview, previewFile } from '../../../timing-files/suggest/preview.ts';
import { requireScope } from '../../auth/api-key/require-scope.ts';
import type { Statement } from '../../db/statement.ts';
import { findEvent } from '../../events/queries.ts';
import type { AppEnv } from '../../http/context.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { Hono } from '../../http/hono.ts';
import { EventPath } from '../../http/validation.ts';
import { ReasonQuery } from '../schemas.ts';
import type { SenderKind } from '../sender.ts';
import { streamAnswer } from './answer.ts';
import { type Batch, createBatchBuilder } from './batch.ts';
import { readCsvBatch } from './csv-batch.ts';
import { FILE_MEDIA_TYPES, readFileBytes, storableFileName } from './file-bytes.ts';
import { createContentHash, IdempotencyHeader, otherContent } from './idempotency.ts';
import { readJsonBatch } from './json-rows.ts';
import { compareWithEvent, describePreview, findBibs } from './preview.ts';
import {
  type AnswerRead,
  type AskedUpload,
  type BodyFormat,
  eventGone,
  jsonFormat,
  receive,
} from './receive.ts';
import { CSV_BODY_MAX, FileQuery, FileUploadQuery } from './schemas.ts';
import type { UploadFacts } from './store.ts';
import { writeBatch } from './write.ts';

type Upload = { batch: Batch; facts: UploadFacts };

/** @param key the `Idempotency-Key` of the request */
const resultsFormat = (key: string | undefined): BodyFormat<Upload> =>
  jsonFormat(key, (text, content) => ({
    batch: readJsonBatch(text),
    facts: { source: 'json', ...content },
  }));

const FILE = { mediaTypes: FILE_MEDIA_TYPES, size: { maxBytes: CSV_BODY_MAX, roomPerByte: 1 } };

/** How the query says to read the file. Its reason is none of that. */
function parametersOf({ c }: AskedUpload): Parameters {
  const query = new URL(c.req.url).searchParams;
  query.delete('reason');
  return parseParameters(query);
}

/** @param key the `Idempotency-Key` of the request */
const csvFormat = (asked: AskedUpload, key: string | undefined): BodyFormat<Upload> => ({
  ...FILE,
  read: async (body, contentType, grow) => {
    const { reason: _, ...queries } = asked.c.req.queries();
    const content = createContentHash(key, JSON.stringify(queries));
    let fileName: string | null = null;
    const file = readFileBytes(body, contentType, (name) => {
      fileName = storableFileName(name);
    });
    const batch = await readCsvBatch(content.of(file), parametersOf(asked), { grow });
    return { batch, facts: { source: 'csv', fileName, ...content.facts() } };
  },
});

const previewFormat = (asked: AskedUpload, by: SenderKind): BodyFormat<Preview<Batch>> => ({
  ...FILE,
  async read(body, contentType, grow) {
    const parameters = parametersOf(asked);
    const sheets: SheetStart[] = [];
    const onSheets = (all: readonly SheetStart[]) => void sheets.push(...all);
    const file = readFileBytes(body, contentType);
    const blocks = await openFile(file, parameters, { grow, onSheets });
    // Without splits in the second batch, both fit into memory.
    const collect = createBatchBuilder;
    const bibsOf = findBibs(asked.run, asked.param.event_id, by);
    return previewFile(blocks, parameters, { collect, sheets, bibsOf });
  },
});

type FileEndpoint<Query> = Endpoint<
  unknown,
  z.output<typeof EventPath>,
  Query,
  z.output<typeof IdempotencyHeader>,
  unknown,
  readonly [Statement<object[]>]
>;

type FindEvent = (values: { eventId: string }) => Statement<object[]>;

/** The endpoint that stores the results of a file. */
export const uploadingFile = (
  by: SenderKind,
  findEvent: FindEvent,
): FileEndpoint<z.output<typeof FileUploadQuery>> => ({
  param: EventPath,
  query: FileUploadQuery,
  header: IdempotencyHeader,
  body: 'streamed',
  statements: ({ param }) => [findEvent({ eventId: param.event_id })],
  answer: ([[event]], asked) =>
    receive(
      asked,
      event,
      csvFormat(asked, asked.header['idempotency-key']),
      storeFor(asked.query.reason, by),
    ),
});

/** The endpoint that shows how a file would be read. */
export const previewingFile = (
  by: SenderKind,
  findEvent: FindEvent,
): FileEndpoint<z.output<typeof FileQuery>> => ({
  param: EventPath,
  query: FileQuery,
  header: IdempotencyHeader,
  body: 'streamed',
  statements: ({ param }) => [findEvent({ eventId: param.event_id })],
  answer: ([[event]], asked) => receive(asked, event, previewFormat(asked, by), comparing(by)),
});

export const resultUploadRoutes = new Hono<AppEnv>()

  .post(
    '/',
    requireScope('results:write', {
      param: EventPath,
      query: ReasonQuery,
      header: IdempotencyHeader,
      body: 'streamed',
      statements: ({ param }) => [findEvent({ eventId: param.event_id })],
      answer: ([[event]], asked) =>
        receive(
          asked,
          event,
          resultsFormat(asked.header['idempotency-key']),
          storeFor(asked.query.reason, 'key'),
        ),
    }),
  )

  .post('/file', requireScope('results:write', uploadingFile('key', findEvent)))

  .post('/file/preview', requireScope('results:write', previewingFile('key', findEvent)));

/** Writes the rows in one transaction. */
const storeFor =
  (reason: string | undefined, by: SenderKind): AnswerRead<Upload> =>
  async ({ batch, facts }, { c, run, param }, body) => {
    const given = { ...facts, reason: reason ?? null };
    const stored = await writeBatch(run, param.event_id, batch, given, by);
    if (!stored) throw await eventGone(run);
    if (!stored.is_same_content) throw otherContent();
    Object.assign(c.var.logFields, {
      batch_id: stored.batch_id,
      rows: batch.total,
      not_found: stored.missing.length,
      errors: batch.errors,
      duplicates: batch.duplicates,
    });
    return c.body(streamAnswer(batch, stored, body.release), 200, {
      'Content-Type': 'application/json',
    });
  };

/** Writes nothing. A preview makes three trips: for the verdict, for the bibs of the event, and for this comparison. */
const comparing =
  (by: SenderKind): AnswerRead<Preview<Batch>> =>
  async (read, { c, run, param }, body) => {
    const answer = describePreview(read, await compareWithEvent(run, param.event_id, read, by));
    if (!answer) throw await eventGone(run);
    c.var.logFields.rows = answer.counts.total_processed;
    body.release();
    return c.json(answer);
  };
