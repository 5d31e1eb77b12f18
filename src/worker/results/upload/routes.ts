import type { Context } from 'hono';
import { FileError } from '../../../timing-files/read/file-error.ts';
import { openFile } from '../../../timing-files/read/open-file.ts';
import {
  FILE_PARAMETERS,
  type Parameters,
  parseParameters,
} from '../../../timing-files/read/parameters.ts';
import { type Preview, previewFile } from '../../../timing-files/suggest/preview.ts';
import { type Caller, type CallerEnv, requireScope } from '../../auth/api-key/require-scope.ts';
import { invalid } from '../../errors.ts';
import { findEvent } from '../../events/queries.ts';
import { type Body, type BodySize, openBody, requireContentType } from '../../http/body.ts';
import { Hono } from '../../http/hono.ts';
import { readJsonText } from '../../http/json-text.ts';
import { onlyKnown } from '../../http/known-inputs.ts';
import { eventNotFound, eventPath } from '../../http/validation.ts';
import { streamAnswer } from './answer.ts';
import { type Batch, createBatchBuilder } from './batch.ts';
import { readCsvBatch } from './csv-batch.ts';
import { FILE_MEDIA_TYPES, readFileBytes, storableFileName } from './file-bytes.ts';
import { createContentHash, idempotencyHeader, otherContent } from './idempotency.ts';
import { readJsonBatch } from './json-rows.ts';
import { compareWithEvent, describePreview, findBibs } from './preview.ts';
import { CSV_BODY_MAX, JSON_BODY_MAX } from './schemas.ts';
import type { UploadFacts } from './store.ts';
import { writeBatch } from './write.ts';

/** How a body is read. */
type BodyFormat<Read> = {
  mediaTypes: readonly string[];
  size: BodySize;
  read(body: AsyncIterable<Uint8Array>, contentType: string, grow: Body['grow']): Promise<Read>;
};

type Upload = { batch: Batch; facts: UploadFacts };

/** @param key the `Idempotency-Key` of the request */
const jsonFormat = (key: string | undefined): BodyFormat<Upload> => ({
  mediaTypes: ['application/json'],
  // The text stays in memory. A character outside latin-1 makes all of them take two bytes.
  size: { maxBytes: JSON_BODY_MAX, roomPerByte: 2 },
  read: async (body) => {
    const content = createContentHash(key, 'json');
    const batch = readJsonBatch(await readJsonText(content.of(body)));
    return { batch, facts: { source: 'json', ...content.facts() } };
  },
});

const FILE = { mediaTypes: FILE_MEDIA_TYPES, size: { maxBytes: CSV_BODY_MAX, roomPerByte: 1 } };

const parametersOf = (c: Context<CallerEnv>): Parameters =>
  parseParameters(new URL(c.req.url).searchParams);

/** @param key the `Idempotency-Key` of the request */
const csvFormat = (c: Context<CallerEnv>, key: string | undefined): BodyFormat<Upload> => ({
  ...FILE,
  read: async (body, contentType, grow) => {
    const content = createContentHash(key, JSON.stringify(c.req.queries()));
    let fileName: string | null = null;
    const file = readFileBytes(body, contentType, (name) => {
      fileName = storableFileName(name);
    });
    const batch = await readCsvBatch(content.of(file), parametersOf(c), grow);
    return { batch, facts: { source: 'csv', fileName, ...content.facts() } };
  },
});

const previewFormat = (c: Context<CallerEnv>, eventId: string): BodyFormat<Preview<Batch>> => ({
  ...FILE,
  async read(body, contentType, grow) {
    const parameters = parametersOf(c);
    const blocks = await openFile(readFileBytes(body, contentType), parameters, grow);
    // Without splits in the second batch, both fit into memory.
    const collect = createBatchBuilder;
    return previewFile(blocks, parameters, { collect, bibsOf: findBibs(c.var.caller, eventId) });
  },
});

export const resultUploadRoutes = new Hono<CallerEnv>()

  .post(
    '/',
    requireScope('results:write'),
    onlyKnown({ isIdempotent: true, hasBody: true }),
    idempotencyHeader,
    eventPath,
    (c) => {
      const key = c.req.valid('header')['idempotency-key'];
      return upload(c, c.req.valid('param').event_id, jsonFormat(key));
    },
  )

  .post(
    '/file',
    requireScope('results:write'),
    onlyKnown({ query: { shape: FILE_PARAMETERS }, isIdempotent: true, hasBody: true }),
    idempotencyHeader,
    eventPath,
    (c) => {
      const key = c.req.valid('header')['idempotency-key'];
      return upload(c, c.req.valid('param').event_id, csvFormat(c, key));
    },
  )

  .post(
    '/file/preview',
    requireScope('results:write'),
    onlyKnown({ query: { shape: FILE_PARAMETERS }, isIdempotent: true, hasBody: true }),
    eventPath,
    (c) => preview(c, c.req.valid('param').event_id),
  );

/**
 * Checks the key, then the whole body, then the event, and writes the rows in one transaction. Nothing of
 * the body is read before the key is checked. The network holds its first bytes meanwhile.
 */
const upload = (c: Context<CallerEnv>, eventId: string, format: BodyFormat<Upload>) =>
  receive(c, eventId, format, async ({ batch, facts }, body) => {
    const { caller, logFields } = c.var;
    const stored = await writeBatch(caller, eventId, batch, facts);
    if (!stored) throw await eventGone(caller);
    if (!stored.is_same_content) throw otherContent();
    logFields.rows = batch.total;
    logFields.batch_id = stored.batch_id;
    return c.body(streamAnswer(batch, stored, body.release), 200, {
      'Content-Type': 'application/json',
    });
  });

/** Costs three trips: the verdict on the key, the bibs of the event, and the comparison with it. */
const preview = (c: Context<CallerEnv>, eventId: string) =>
  receive(c, eventId, previewFormat(c, eventId), async (read, body) => {
    const { caller, logFields } = c.var;
    const answer = describePreview(read, await compareWithEvent(caller, eventId, read));
    if (!answer) throw await eventGone(caller);
    logFields.rows = answer.counts.total_processed;
    body.release();
    return c.json(answer);
  });

/** Reads the body after the check of the key, and answers if the event exists. */
async function receive<Read>(
  c: Context<CallerEnv>,
  eventId: string,
  { mediaTypes, size, read }: BodyFormat<Read>,
  answer: (read: Read, body: Body) => Promise<Response>,
): Promise<Response> {
  const { caller, services } = c.var;
  const [events] = await caller.run(findEvent({ eventId }));
  const contentType = requireContentType(c.req.raw, ...mediaTypes);
  const body = openBody(c.req.raw, size, services.bodyLimits, caller.keyHash);
  try {
    const received = await read(body.pieces(), contentType, body.grow);
    if (events.length === 0) throw eventNotFound();
    return await answer(received, body);
  } catch (error) {
    body.release();
    throw error instanceof FileError ? invalid(error.message) : error;
  }
}

/** Somebody deleted the event or the key during the upload. The key is checked first. */
async function eventGone(caller: Caller) {
  await caller.run();
  return eventNotFound();
}
