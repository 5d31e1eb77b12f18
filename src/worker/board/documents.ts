import { databaseUnavailable } from '../db/client.ts';
import { type ApiError, tooLarge } from '../errors.ts';
import { createTurns, type Turns } from '../gate/turns.ts';
import { timed } from '../log.ts';
import { inTurnOf, WAIT_MS, type Waiting, waitFor } from './waiting.ts';

/** Board's documents of an event: all runners with their results, the public names, and the passings at points. */
export const KINDS = ['ranking', 'names', 'course'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Reads a document through the cache before Board. See boards.ts.
 * @param waitUntil for work after the document
 */
export type CachedFetch = (
  kind: Kind,
  eventId: string,
  waitUntil: Waiting['waitUntil'],
) => Promise<Response>;

/** An event with more registrations has no board. The limit equals the limit of a file of results. */
export const RUNNERS_MAX = 100_000;
/** Bytes of the largest document. Reading the document takes several times as much memory. */
export const DOCUMENT_MAX = 8 * 2 ** 20;
/** Characters of all documents in an isolate, and of an organization's documents. */
const KEPT_MAX = 24 * 2 ** 20;
const OWN_MAX = 12 * 2 ** 20;
/** The memory of a board beside its document. */
const BOARD_WEIGHT = 10_000;
/** The number of documents read at a time. */
const READ_AT_ONCE = 2;

export const boardTooLarge = (): ApiError =>
  tooLarge(
    'board_too_large',
    `This event has more than ${RUNNERS_MAX} registrations, or longer texts than a board can hold.`,
  );

type Entry = { owner: string; size: number; forget: () => void };

/** Counts kept entries. @returns a function that adds an entry and drops entries to make room */
type Room = (entry: Entry) => () => void;

/**
 * Drops the oldest entries of an owner above its part, then the oldest entries of the largest owner. So no owner pushes
 * out owners with less.
 */
export function createRoom(max = KEPT_MAX, ownMax = OWN_MAX): Room {
  /** The oldest first. */
  const entries = new Set<Entry>();

  function sizes(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const { owner, size } of entries) sums.set(owner, (sums.get(owner) ?? 0) + size);
    return sums;
  }

  function drop(owner: string, kept: Entry): boolean {
    const oldest = [...entries].find((entry) => entry.owner === owner && entry !== kept);
    if (!oldest) return false;
    entries.delete(oldest);
    oldest.forget();
    return true;
  }

  return (entry) => {
    entries.add(entry);
    while ((sizes().get(entry.owner) ?? 0) > ownMax && drop(entry.owner, entry));
    for (;;) {
      const held = [...sizes()].sort(([, one], [, other]) => other - one);
      if (held.reduce((sum, [, size]) => sum + size, 0) <= max) break;
      if (!held.some(([owner]) => drop(owner, entry))) break;
    }
    return () => void entries.delete(entry);
  };
}

/**
 * The value of a document, the organization of its event, and for how many seconds an answer from the document may be
 * kept.
 */
type Current<T> = { value: T; owner: string; freshSeconds: number };

/**
 * Finds the document of an event, or undefined if the event has no open board.
 * @throws ApiError SERVICE_UNAVAILABLE, or 413 for too large an event
 */
export type Documents<T> = (eventId: string, waiting: Waiting) => Promise<Current<T> | undefined>;

type Kept<T> = { value: T; digest: string; owner: string; freshUntilMs: number; drop: () => void };

/** Reads a header such as `public, max-age=5`. */
const secondsIn = (header: string | null): number =>
  Number(/(?:^|max-age=)(\d+)/.exec(header ?? '')?.[1] ?? 0);

/** The shared parts of all kinds of documents. */
type Shared = {
  fetch: CachedFetch;
  /** Finds the organization of an event with an open board. */
  findOwner: (eventId: string, waiting: Waiting) => Promise<string | undefined>;
  room: Room;
  turns: Turns;
  now: () => number;
};

export const shareDocuments = (given: Omit<Shared, 'room' | 'turns'>): Shared => ({
  ...given,
  room: createRoom(),
  turns: createTurns({ total: READ_AT_ONCE, each: 1, leaseMs: WAIT_MS }),
});

/** Keeps the documents of the boards with spectators until they expire. */
export function createDocuments<T>(
  kind: Kind,
  parse: (text: string, before?: T) => T,
  { fetch, findOwner, room, turns, now }: Shared,
): Documents<T> {
  const kept = new Map<string, Kept<T>>();
  const reading = new Map<string, Promise<Kept<T> | undefined>>();

  function forget(eventId: string) {
    kept.get(eventId)?.drop();
    kept.delete(eventId);
  }

  async function read(
    eventId: string,
    owner: string,
    { waitUntil }: Waiting,
  ): Promise<Kept<T> | undefined> {
    const response = await fetch(kind, eventId, waitUntil);
    const bytes = await response.arrayBuffer();
    if (response.status === 413) throw boardTooLarge();
    if (![200, 404].includes(response.status)) throw databaseUnavailable();
    const digest: string = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString(
      'hex',
    );
    const known = kept.get(eventId);
    forget(eventId);
    if (response.status === 404) return undefined;
    // A text that has not changed is not parsed again.
    const value =
      known?.digest === digest ? known.value : parse(new TextDecoder().decode(bytes), known?.value);
    // The document's lifetime and age, without the clock of the reader.
    const lifeMs = 1_000 * secondsIn(response.headers.get('Cache-Control'));
    const ageMs = 1_000 * secondsIn(response.headers.get('Age'));
    const drop = room({
      owner,
      size: bytes.byteLength + BOARD_WEIGHT,
      forget: () => void kept.delete(eventId),
    });
    const freshUntilMs = now() + Math.max(1_000, lifeMs - ageMs);
    const current = { value, digest, owner, freshUntilMs, drop };
    kept.set(eventId, current);
    return current;
  }

  function startReading(eventId: string, owner: string, waiting: Waiting) {
    const started = inTurnOf(turns, owner, waiting, async () => {
      waiting.logFields.trips += 1;
      try {
        return await timed(
          waiting.logFields,
          'postgres_ms',
          waitFor(read(eventId, owner, waiting)),
        );
      } finally {
        reading.delete(eventId);
      }
    });
    reading.set(eventId, started);
    return started;
  }

  async function refreshed(eventId: string, waiting: Waiting) {
    const owner = kept.get(eventId)?.owner ?? (await findOwner(eventId, waiting));
    if (owner === undefined) return undefined;
    try {
      return await waitFor(reading.get(eventId) ?? startReading(eventId, owner, waiting));
    } catch (error) {
      // The runtime may have ended the request behind the reading. The next request tries again.
      reading.delete(eventId);
      throw error;
    }
  }

  return async (eventId, waiting) => {
    const known = kept.get(eventId);
    const isFresh = known !== undefined && now() < known.freshUntilMs;
    const current = isFresh ? known : await refreshed(eventId, waiting);
    if (!current) return undefined;
    const freshSeconds = Math.max(1, Math.ceil((current.freshUntilMs - now()) / 1_000));
    return { value: current.value, owner: current.owner, freshSeconds };
  };
}
