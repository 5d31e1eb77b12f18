import { FileError } from '../../../timing-files/read/file-error.ts';
import { invalid } from '../../errors.ts';
import { type Body, type BodySize, openBody, requireContentType } from '../../http/body.ts';
import type { Asked, RunQueries } from '../../http/endpoint.ts';
import { readJsonText } from '../../http/json-text.ts';
import { eventNotFound } from '../../http/validation.ts';
import { createContentHash, type NamedContent } from './idempotency.ts';
import { JSON_BODY_MAX } from './schemas.ts';

/** How a body is read. */
export type BodyFormat<Read> = {
  mediaTypes: readonly string[];
  size: BodySize;
  read(body: AsyncIterable<Uint8Array>, contentType: string, grow: Body['grow']): Promise<Read>;
};

/**
 * An upload of JSON.
 * @param key the `Idempotency-Key` of the request
 * @param parse reads the text; what the key names is stored with it
 */
export const jsonFormat = <Read>(
  key: string | undefined,
  parse: (text: string, content: NamedContent) => Read,
): BodyFormat<Read> => ({
  mediaTypes: ['application/json'],
  // The text stays in memory. A character outside latin-1 makes all of them take two bytes.
  size: { maxBytes: JSON_BODY_MAX, roomPerByte: 2 },
  read: async (body) => {
    const content = createContentHash(key, 'json');
    return parse(await readJsonText(content.of(body)), content.facts());
  },
});

export type AskedUpload = Asked<unknown, { event_id: string }>;

/** Answers what was read. The answer releases the body. */
export type AnswerRead<Read> = (read: Read, asked: AskedUpload, body: Body) => Promise<Response>;

/**
 * Reads the whole body, then looks whether the event exists, and answers. The network holds the first bytes of the
 * body until the caller is checked.
 */
export async function receive<Read>(
  asked: AskedUpload,
  event: object | undefined,
  { mediaTypes, size, read }: BodyFormat<Read>,
  answer: AnswerRead<Read>,
): Promise<Response> {
  const { c } = asked;
  const contentType = requireContentType(c.req.raw, ...mediaTypes);
  const body = openBody(c.req.raw, size, c.var.services.bodyLimits, c.var.sender);
  try {
    const received = await read(body.pieces(), contentType, body.grow);
    if (!event) throw eventNotFound();
    return await answer(received, asked, body);
  } catch (error) {
    body.release();
    throw error instanceof FileError ? invalid(error.code, error.message) : error;
  }
}

/** Somebody deleted the event or the key during the upload. The key is checked first. */
export async function eventGone(run: RunQueries) {
  await run();
  return eventNotFound();
}
