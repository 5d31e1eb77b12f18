import { type Context, Hono } from 'hono';
import { type CallerEnv, scope } from '../caller/caller.ts';
import { findEvent } from '../events/queries.ts';
import { readBody, readText, requireContentType } from '../http/body.ts';
import { eventNotFound, eventPath } from '../http/validation.ts';
import { streamAnswer } from './answer.ts';
import type { Batch } from './batch.ts';
import { readCsvBatch } from './csv-rows.ts';
import { readJsonBatch } from './json-rows.ts';
import { readFileField } from './multipart.ts';
import { CSV_BODY_MAX, JSON_BODY_MAX } from './schemas.ts';
import { type BatchSource, storeBatch } from './store.ts';

export const resultRoutes = new Hono<CallerEnv>()

  .post('/', scope('results:write'), eventPath, (c) =>
    upload(c, c.req.valid('param').event_id, 'json', async ({ raw }, stop) => {
      requireContentType(raw, 'application/json');
      return readJsonBatch(await readText(raw, JSON_BODY_MAX, stop));
    }),
  )

  .post('/file', scope('results:write'), eventPath, (c) =>
    upload(c, c.req.valid('param').event_id, 'csv', ({ raw }, stop) => {
      const contentType = requireContentType(raw, 'multipart/form-data');
      return readCsvBatch(readFileField(readBody(raw, CSV_BODY_MAX, stop), contentType));
    }),
  );

/**
 * Reads the body while the key is being judged, then writes what it holds as one transaction.
 * Nothing is written unless the key, the whole body and the event are good, judged in this order.
 */
async function upload(
  c: Context<CallerEnv>,
  eventId: string,
  source: BatchSource,
  read: (request: Context['req'], stop: AbortSignal) => Promise<Batch>,
): Promise<Response> {
  const { caller, facts } = c.var;
  const stop = new AbortController();
  const reading = read(c.req, stop.signal);
  // What is wrong with the body is told below, after the key's verdict.
  const readingEnded = reading.catch(() => {});
  const [events] = await caller.ask(findEvent(caller, eventId)).catch(async (refusal: unknown) => {
    stop.abort();
    await readingEnded;
    throw refusal;
  });
  const batch = await reading;
  if (events.length === 0) throw eventNotFound();

  const [written] = await caller.ask(storeBatch(caller, eventId, batch, source));
  const stored = written.rows[0];
  if (!stored) throw eventNotFound();
  facts.rows = batch.total;
  return c.body(streamAnswer(batch, stored), 200, { 'Content-Type': 'application/json' });
}
