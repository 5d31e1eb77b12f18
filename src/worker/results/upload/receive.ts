import type * as z from 'zod/mini';
import { FileError } from '../../../timing-files/read/file-error.ts';
import type { Statement } from '../../db/statement.ts';
import { invalid } from '../../errors.ts';
import { type Body, openBody, requireContentType } from '../../http/body.ts';
import type {
  Asked,
  Endpoint,
  RunQueries,
  Shaped,
  StreamedBody,
  Weight,
} from '../../http/endpoint.ts';
import { EventPath, eventNotFound } from '../../http/validation.ts';
import { findEventOf, type SenderKind } from '../sender.ts';

/** Reads a body as it arrives. */
export type ReadBody<Read> = (
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  grow: Body['grow'],
) => Promise<Read>;

export type AskedUpload<Query = unknown, Header = unknown> = Asked<
  unknown,
  z.output<typeof EventPath>,
  Query,
  Header
>;

/** Answers what was read. The answer releases the body. */
export type AnswerRead<Read, Query = unknown> = (
  read: Read,
  asked: AskedUpload<Query>,
  body: Body,
) => Promise<Response>;

/** An endpoint that reads the rows of an event as they arrive. */
export const receiving = <Query, Header, Read>({
  by,
  weight,
  query,
  header,
  body,
  read,
  answer,
}: {
  by: SenderKind;
  weight: Weight | ((asked: { bytes: number }) => Weight);
  query?: z.ZodMiniType<Query> & Shaped;
  header?: z.ZodMiniType<Header> & Shaped;
  body: StreamedBody;
  read(asked: AskedUpload<Query, Header>): ReadBody<Read>;
  answer: AnswerRead<Read, Query>;
}): Endpoint<
  unknown,
  z.output<typeof EventPath>,
  Query,
  Header,
  unknown,
  readonly [Statement<object[]>]
> => ({
  weight,
  param: EventPath,
  ...(query && { query }),
  ...(header && { header }),
  body,
  statements: ({ param }) => [findEventOf[by]({ eventId: param.event_id })],
  answer: ([[event]], asked) => receive(asked, event, body, read(asked), answer),
});

/**
 * Reads the whole body, then looks whether the event exists, and answers. The network holds the first bytes of the
 * body until the caller is checked.
 */
async function receive<Read, Query, Header>(
  asked: AskedUpload<Query, Header>,
  event: object | undefined,
  { mediaTypes, ...size }: StreamedBody,
  read: ReadBody<Read>,
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
