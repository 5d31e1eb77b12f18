import type * as z from 'zod/mini';
import { FileError } from '../../../timing-files/read/file-error.ts';
import type { Statement } from '../../db/statement.ts';
import { invalid } from '../../errors.ts';
import { type Body, type BodySize, openBody, requireContentType } from '../../http/body.ts';
import type { Asked, Endpoint, RunQueries } from '../../http/endpoint.ts';
import { EventPath, eventNotFound } from '../../http/validation.ts';
import { findEventOf, type SenderKind } from '../sender.ts';
import { IdempotencyHeader } from './idempotency.ts';

/** How a body is read. */
export type BodyFormat<Read> = {
  mediaTypes: readonly string[];
  size: BodySize;
  read(body: AsyncIterable<Uint8Array>, contentType: string, grow: Body['grow']): Promise<Read>;
};

export type AskedUpload<Query = unknown> = Asked<
  unknown,
  z.output<typeof EventPath>,
  Query,
  z.output<typeof IdempotencyHeader>
>;

/** Answers what was read. The answer releases the body. */
export type AnswerRead<Read, Query = unknown> = (
  read: Read,
  asked: AskedUpload<Query>,
  body: Body,
) => Promise<Response>;

/** An endpoint that reads the rows of an event as they arrive. */
export const receiving = <Query, Read>({
  by,
  query,
  format,
  answer,
}: {
  by: SenderKind;
  query?: z.ZodMiniType<Query> & { shape: object };
  format(asked: AskedUpload<Query>): BodyFormat<Read>;
  answer: AnswerRead<Read, Query>;
}): Endpoint<
  unknown,
  z.output<typeof EventPath>,
  Query,
  z.output<typeof IdempotencyHeader>,
  unknown,
  readonly [Statement<object[]>]
> => ({
  param: EventPath,
  ...(query && { query }),
  header: IdempotencyHeader,
  body: 'streamed',
  statements: ({ param }) => [findEventOf[by]({ eventId: param.event_id })],
  answer: ([[event]], asked) => receive(asked, event, format(asked), answer),
});

/**
 * Reads the whole body, then looks whether the event exists, and answers. The network holds the first bytes of the
 * body until the caller is checked.
 */
async function receive<Read, Query>(
  asked: AskedUpload<Query>,
  event: object | undefined,
  { mediaTypes, size, read }: BodyFormat<Read>,
  answer: AnswerRead<Read, Query>,
): Promise<Response> {
  const { c } = asked;
  const contentType = requireContentType(c.req.raw, ...mediaTypes);
  const body = openBody(c.req.raw, size, c.get('services').bodyLimits, c.get('sender'));
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
