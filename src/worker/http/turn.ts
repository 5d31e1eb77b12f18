import type { Context } from 'hono';
import type { Turn } from '../gate/turns.ts';
import { type AppEnv, senderOf } from './context.ts';

/** Heavy work in the database, or on a file. */
type Kind = 'heavy' | 'files';

/** So many requests of a sender wait at most, those for operations of the contract aside. */
export const QUEUE_MAX = 100;

/** The operations of the contract wait for their turns, however many wait. */
const CONTRACT = new Set([
  'listEvents',
  'getEvent',
  'listEventParticipants',
  'lookupEventParticipants',
  'getEventStats',
  'uploadEventResults',
  'uploadEventResultsFile',
]);

/** Waits for a turn of the sender. @throws ApiError SERVICE_UNAVAILABLE */
export async function waitForTurn(
  c: Context<AppEnv>,
  kind: Kind,
  { sender = senderOf(c), id = '' }: { sender?: string; id?: string },
): Promise<Turn> {
  const { signal } = c.req.raw;
  const queueMax = CONTRACT.has(id) ? Number.POSITIVE_INFINITY : QUEUE_MAX;
  return endingWith(signal, await c.get('services').gate[kind].wait(sender, { queueMax, signal }));
}

/**
 * A turn at once if there is one. Else the caller is checked, and waits in the queue of its organization. A caller of
 * whom the isolate does not know the organization has a turn at once only if nobody else has one.
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

/** The turn as one of the caller's organization: if that has as many as it may, another turn in its queue. */
export async function ownTurn(c: Context<AppEnv>, id: string, turn: Turn): Promise<Turn> {
  if (turn.moveTo(senderOf(c))) return turn;
  turn.end();
  return waitForTurn(c, 'heavy', { id });
}

/** The turn of the next piece of a long answer, after those of the sender's other answers. */
export const nextPieceOf = (c: Context<AppEnv>) => (): Promise<Turn> =>
  c.get('services').gate.pieces.wait(senderOf(c));

/** Nothing else of a request is sure to run once its client has gone. */
function endingWith(signal: AbortSignal, turn: Turn): Turn {
  signal.addEventListener('abort', turn.end);
  return turn;
}

/** Answers in a turn, which ends with the answer: a streamed one keeps it until it is read. */
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
