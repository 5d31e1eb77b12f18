import type * as z from 'zod/mini';
import { FileError } from '../../../timing-files/read/file-error.ts';
import type { Statement } from '../../db/statement.ts';
import { invalid, unavailable } from '../../errors.ts';
import type { Turn } from '../../gate/turns.ts';
import { declaredLength } from '../../http/arrival.ts';
import { type Body, openBody, requireContentType } from '../../http/body.ts';
import { senderOf } from '../../http/context.ts';
import {
  type Asked,
  type BodyRead,
  type Endpoint,
  type RunQueries,
  type Shaped,
  type StreamedBody,
  type Weight,
  weigh,
} from '../../http/endpoint.ts';
import { nextPieceOf } from '../../http/turn.ts';
import { EventPath, eventNotFound } from '../../http/validation.ts';
import { type Asking, askingOf, findDistances, findStarted, type LeaveQuery } from '../leave.ts';
import type { SenderKind } from '../sender.ts';
import { limitsOf } from './leave.ts';
import { findRace, hasTimesOfDay, type OfDayQuery, type Race } from './race.ts';

/** Reads a body during its arrival. */
export type ReadBody<Read> = (
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  grow: Body['grow'],
  heed: Heed,
) => Promise<Read>;

/** Waits for a turn if the received part of a body is heavy. @throws ApiError SERVICE_UNAVAILABLE */
type Heed = (read: Partial<BodyRead>) => Promise<void>;

/** An upload's turn and memory until the end of its answer. */
export type Held = {
  turn?: Turn;
  /** Waits for the turn of the sender's next piece of an answer. */
  nextPiece: () => Promise<Turn>;
  release(): void;
};

export type AskedUpload<Query = unknown, Header = unknown> = Asked<
  unknown,
  z.output<ReturnType<typeof EventPath>>,
  Query,
  Header
> & {
  /** The starts from which times of day count; undefined of an upload without any. */
  race?: Race;
  /** Somebody told the starts of the event. */
  hasStarts?: true;
};

/** An upload with an answer. `asking` decides which rows the upload leaves. */
type Answered<Query> = AskedUpload<Query> & { asking: Asking };

/** Answers a read upload. The answer releases `held`. */
export type AnswerRead<Read, Query = unknown> = (
  read: Read,
  asked: Answered<Query>,
  held: Held,
) => Promise<Response>;

/** An endpoint that reads the rows of an event during their arrival. */
export const receiving = <Query extends LeaveQuery & OfDayQuery, Header, Read>({
  by,
  isPersonal,
  hasLimits,
  weight,
  query,
  header,
  body,
  read,
  answer,
}: {
  by: SenderKind;
  /** The answer for a member has personal data. */
  isPersonal?: true;
  /** The times are finishes, which the distances limit. */
  hasLimits?: true;
  weight: Weight | ((read: BodyRead) => Weight);
  query?: () => z.ZodMiniType<Query> & Shaped;
  header?: () => z.ZodMiniType<Header> & Shaped;
  body: StreamedBody;
  read(asked: AskedUpload<Query, Header>): ReadBody<Read>;
  answer: AnswerRead<Read, Query>;
}): Endpoint<
  unknown,
  z.output<ReturnType<typeof EventPath>>,
  Query,
  Header,
  unknown,
  readonly [Statement<{ distances?: string[]; has_starts: boolean }[]>, ...Statement<Race[]>[]]
> => ({
  weight,
  ...(isPersonal && by === 'member' && { isPersonal }),
  param: EventPath,
  ...(query && { query }),
  ...(header && { header }),
  body,
  statements: ({ param: { event_id: eventId }, query: asked }) => [
    (askingOf(asked).impossible && hasLimits ? findDistances : findStarted)[by]({ eventId }),
    ...(hasTimesOfDay(asked)
      ? [findRace[by](body.schema ? { eventId } : { eventId, withBibs: true })]
      : []),
  ],
  answer: ([[event], races], asked) => {
    const race = races?.[0];
    const limits = event?.distances && limitsOf(event.distances);
    const hasStarts = event?.has_starts === true;
    const upload = {
      ...asked,
      ...(race && { race }),
      ...(hasStarts && { hasStarts }),
      asking: askingOf(asked.query, limits, hasStarts),
    };
    return receive(upload, event, { ...body, weight }, read(upload), answer);
  },
});

/**
 * Reads the whole body, then looks whether the event exists, and answers. The network holds the first bytes of the
 * body until the caller is checked.
 */
async function receive<Read, Query>(
  asked: Answered<Query>,
  event: object | undefined,
  { mediaTypes, weight, ...size }: StreamedBody & { weight: Weight | ((read: BodyRead) => Weight) },
  read: ReadBody<Read>,
  answer: AnswerRead<Read, Query>,
): Promise<Response> {
  const { c } = asked;
  const contentType = requireContentType(c.req.raw, ...mediaTypes);
  const body = openBody(c.req.raw, size, c.get('services').gate, senderOf(c));
  const held: Held = {
    nextPiece: nextPieceOf(c),
    release() {
      body.release();
      held.turn?.end();
    },
  };
  const known: Partial<BodyRead> = {};
  const heed: Heed = async (more) => {
    Object.assign(known, more);
    if (held.turn || weigh(weight, known) === 'light') return;
    held.turn = await asked.takeFileTurn();
    held.turn.keepFor(body.holder);
  };
  /** What one sender sends is read when the sender has a turn for so much. */
  async function* heeded() {
    let bytes = 0;
    for await (const piece of body.pieces()) {
      bytes += piece.length;
      await heed({ bytes });
      yield piece;
    }
  }
  try {
    await heed({ bytes: declaredLength(c.req.raw) ?? 0 });
    const received = await read(heeded(), contentType, body.grow, heed);
    if (!event) throw eventNotFound();
    return await answer(received, asked, held);
  } catch (error) {
    held.release();
    throw error instanceof FileError
      ? invalid(error.code, error.message, { values: error.said })
      : error;
  }
}

/**
 * Why nothing was written: somebody changed the starts of the times of day, or deleted the event or the key during the
 * upload. The key is checked first.
 */
export async function eventGone(run: RunQueries, { race, eventId, by }: Partial<Gone> = {}) {
  if (!race || !eventId || !by) {
    await run();
    return eventNotFound();
  }
  const [[current]] = await run(findRace[by]({ eventId }));
  return current && current.version !== race.version
    ? unavailable(
        'The starts of the event changed while the times of day were read. Nothing was stored. Send the upload again.',
        1,
      )
    : eventNotFound();
}

type Gone = { race: Race | undefined; eventId: string; by: SenderKind };
