import type { Context } from 'hono';
import { giveWay } from '../../timing-files/read/turns.ts';
import type { Turn } from '../gate/turns.ts';
import { type AppEnv, senderOf } from './context.ts';

/** Heavy work in the database, or on a file. */
type Kind = 'heavy' | 'files';

/** The maximum of a sender's waiting requests, without operations of the contract. */
export const QUEUE_MAX = 100;

/** The operations of the contract wait for their turns, however many wait. */
export const CONTRACT = [
  'listEvents',
  'getEvent',
  'listEventParticipants',
  'lookupEventParticipants',
  'getEventStats',
  'uploadEventResults',
  'uploadEventResultsFile',
] as const;
const WAITING: ReadonlySet<string> = new Set(CONTRACT);

/** Waits for a turn of the sender. @throws ApiError SERVICE_UNAVAILABLE */
export async function waitForTurn(
  c: Context<AppEnv>,
  kind: Kind,
  { sender = senderOf(c), id = '' }: { sender?: string; id?: string },
): Promise<Turn> {
  const { signal } = c.req.raw;
  const queueMax = WAITING.has(id) ? Number.POSITIVE_INFINITY : QUEUE_MAX;
  return endingWith(signal, await c.get('services').gate[kind].wait(sender, { queueMax, signal }));
}

/**
 * A turn at once if a turn is free. Else the caller is checked, and waits in the queue of its organization. A caller
 * whose organization the isolate does not know has a turn at once only if no request has a turn.
 */
export async function takeTurn(
  c: Context<AppEnv>,
  id: string,
  check: () => Promise<unknown>,
): Promise<Turn> {
  const { heavy } = c.get('services').gate;
  const free = c.get('organizationId') || heavy.isIdle() ? heavy.take(senderOf(c)) : undefined;
  if (free) return endingWith(c.req.raw.signal, free);
  await check();
  return waitForTurn(c, 'heavy', { id });
}

/**
 * The turn, now counted for the caller's organization. If the organization has all its turns, waits for another turn in
 * its queue.
 */
export async function ownTurn(c: Context<AppEnv>, id: string, turn: Turn): Promise<Turn> {
  if (turn.moveTo(senderOf(c))) return turn;
  turn.end();
  return waitForTurn(c, 'heavy', { id });
}

/** The turn of the next piece of a long body or answer, after the pieces of the sender's other requests. */
export const nextPieceOf = (c: Context<AppEnv>) => (): Promise<Turn> =>
  c.get('services').gate.pieces.wait(senderOf(c));

/** Runs step after step. All requests of the sender together make a step at a time, so that other senders go on. */
export async function inPieces<Result>(
  c: Context<AppEnv>,
  steps: Generator<unknown, Result>,
): Promise<Result> {
  const nextPiece = nextPieceOf(c);
  for (;;) {
    const piece = await nextPiece();
    try {
      const step = steps.next();
      if (step.done) return step.value;
      await giveWay();
    } finally {
      piece.end();
    }
  }
}

/** After the client has gone, no other code of a request is sure to run. */
function endingWith(signal: AbortSignal, turn: Turn): Turn {
  signal.addEventListener('abort', turn.end);
  return turn;
}

/** Answers in a turn, which ends with the answer: a streamed answer keeps the turn until the end of the reading. */
export async function inTurn(
  c: Context<AppEnv>,
  turn: Turn,
  answer: () => Promise<Response>,
): Promise<Response> {
  c.set('turn', turn);
  try {
    const response = await answer();
    if (!turn.isKept()) turn.end();
    return response;
  } catch (error) {
    turn.end();
    throw error;
  }
}
