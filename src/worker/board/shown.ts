import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { ApiError } from '../errors.ts';
import type { AppEnv } from '../http/context.ts';
import type { BoardResult } from './answer-schemas.ts';
import { NO_NAMES } from './names.ts';
import { type Ranking, rowOfBib, type Shown } from './ranking.ts';
import { toResult } from './runner.ts';
import { BIB_MAX } from './schemas.ts';
import { inTurnOf, type Waiting } from './waiting.ts';

/**
 * How long a cache may serve an expired answer: during the request for the next answer, so that no reader waits, and if
 * this request fails.
 */
const STALE_IF_ERROR = 'stale-if-error=86400';
const STALE = `stale-while-revalidate=10, ${STALE_IF_ERROR}`;
/** How long a cache may keep a refusal. */
const KEPT = `public, max-age=4, ${STALE_IF_ERROR}`;
/** Answers that stay equal until the board changes. */
const REFUSED = [404, 413];
const ANSWERED = [200, 302, 304];

/** A disabled board and an unknown board get the same answer. */
export const noBoard = () => new ApiError('NOT_FOUND', 'No open board has this address.');

export const notOnBoard = () => new ApiError('NOT_FOUND', 'Nobody on this board has this bib.');

/** An id in the form of `toBoardRequest`. */
const EVENT_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * A cache may keep an answer until the next reading of the board. A disabled board and an unknown board get the same
 * answer with the same cache time, so the answer reveals nothing.
 */
export const cached = createMiddleware<AppEnv>(async (c, next) => {
  // Between two turns the isolate serves all other requests: an upload beside many requests for boards waits for a few
  // of these requests, not for all. A timer fires after the events of the meantime.
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  await inTurnOf(c.get('services').boards.turns, '', waitingOf(c), turn);
  await next();
  c.header('X-Robots-Tag', 'noindex');
  if (REFUSED.includes(c.res.status)) c.header('Cache-Control', KEPT);
  else if (c.get('freshSeconds') !== undefined && ANSWERED.includes(c.res.status)) {
    // A runner's card is requested again after a change of the board: an old card would contradict the board.
    const stale = c.req.param('bib_number') === undefined ? STALE : STALE_IF_ERROR;
    c.header('Cache-Control', `public, max-age=${c.get('freshSeconds')}, ${stale}`);
    const eventId = c.req.param('event_id');
    if (eventId !== undefined) c.header('Cache-Tag', eventId);
  }
});

/** The runner of a bib, or null if no runner has the bib. */
export async function findRunner(
  c: Context<AppEnv>,
  { owner, ...shown }: Found,
  bib: string,
): Promise<BoardResult | null> {
  const row = rowOfBib(shown.ranking, bib);
  if (!row) return null;
  // Before the first passing or result, a runner has nothing but a bib.
  const isBefore =
    shown.course.every(({ passed }) => passed === 0) && shown.ranking.changedMs === 0;
  const { findDetails } = c.get('services').boards;
  const details = isBefore ? undefined : await findDetails(owner, row.id, waitingOf(c));
  return toResult(shown, row, details ?? { splits: [], versions: [] });
}

/** The runner of a path. @throws ApiError as `findShown` does, and NOT_FOUND if no runner has this bib */
export async function findRunnerOfPath(c: Context<AppEnv>): Promise<BoardResult> {
  const bib = c.req.param('bib_number') ?? '';
  if (bib.length > BIB_MAX) throw notOnBoard();
  const runner = await findRunner(c, await findShown(c), bib);
  if (!runner) throw notOnBoard();
  return runner;
}

/** The event of a short address; undefined unless its board is open. */
export const findCode = (c: Context<AppEnv>, code: string): Promise<string | undefined> =>
  c.get('services').boards.findCode(code, waitingOf(c));

/** The content of a board, and its organization. */
type Found = Shown & { owner: string };

/** @throws ApiError NOT_FOUND unless the event has an open board, or 413 for too large a board */
export async function findRanking(c: Context<AppEnv>): Promise<{ value: Ranking; owner: string }> {
  const eventId = c.req.param('event_id') ?? '';
  const { rankings } = c.get('services').boards;
  const ranking = EVENT_ID.test(eventId) ? await rankings(eventId, waitingOf(c)) : undefined;
  if (!ranking) throw noBoard();
  c.set('freshSeconds', ranking.freshSeconds);
  return ranking;
}

/** @throws ApiError as `findRanking` does */
export async function findShown(c: Context<AppEnv>): Promise<Found> {
  const eventId = c.req.param('event_id') ?? '';
  const { names, courses } = c.get('services').boards;
  const { value, owner } = await findRanking(c);
  const [named, course] = await Promise.all([
    value.event.board_names !== 'none' ? names(eventId, waitingOf(c)) : undefined,
    courses(eventId, waitingOf(c)),
  ]);
  return { ranking: value, names: named?.value ?? NO_NAMES, course: course?.value ?? [], owner };
}

const waitingOf = (c: Context<AppEnv>): Waiting => ({
  waitUntil: (work) => c.executionCtx.waitUntil(work),
  logFields: c.get('logFields'),
});
