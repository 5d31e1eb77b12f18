import { RaceResultsClient, type Result } from '../../client/index.ts';
import { type Difference, misheld, unconfirmed } from './check.ts';
import { type Mistake, makeMistake } from './mistake.ts';
import { type Entrant, planRace } from './plan.ts';
import { type PlayedRace, play, type RaceProgress } from './player.ts';

export type RaceOptions = {
  /** The API's address. */
  origin: string;
  /** Needs the scopes participants:read, results:write and events:read. */
  apiKey: string;
  eventId: string;
  /** Seconds of the race clock in one real second. */
  speed: number;
  /** The same seed and registrations make the same race. */
  seed: number;
  /** The most registrations that take part. */
  runners: number;
  /** Ends the race. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: RaceProgress) => void) | undefined;
};

export type Rehearsal = PlayedRace & {
  /** HTTP requests, including failed ones that the client sent again. */
  requests: number;
  failedRequests: number;
  /** The wrong upload in the middle of the race. Undefined if the race ended earlier. */
  mistake: Mistake | undefined;
  /** Differences between the plan and the stored results, for a race that was played to its end. */
  differences: readonly Difference[];
};

/**
 * Plays a synthetic race with the registrations of an event through the public API. It replaces their
 * earlier results.
 * @throws Error if the race cannot start. A race that ends early has an `interruption` instead
 */
export async function playRace(options: RaceOptions): Promise<Rehearsal> {
  const { origin, apiKey, eventId, speed, onProgress } = options;
  const { signal = new AbortController().signal } = options;
  const traffic = { requests: 0, failedRequests: 0 };
  const countedFetch = async (url: string, init: RequestInit) => {
    traffic.requests += 1;
    // Counted as failed until the answer is successful.
    traffic.failedRequests += 1;
    const response = await fetch(url, init);
    if (response.ok) traffic.failedRequests -= 1;
    return response;
  };
  const client = new RaceResultsClient({ baseUrl: origin, apiKey, fetch: countedFetch });

  // An empty upload proves before the start that the key may write.
  await client.uploadEventResults(eventId, { results: [] }, { signal });
  const entrants = await readEntrants(client, options, signal);
  const plan = planRace(entrants, options.seed);
  const upload: Parameters<typeof play>[0]['upload'] = (results) =>
    client.uploadEventResults(eventId, { results });
  const end = new AbortController();
  const [mistake, played] = await Promise.all([
    makeMistake({
      client,
      eventId,
      bibs: entrants.map(({ bib }) => bib),
      afterMs: plan.endsAtMs / 2 / speed,
      signal: AbortSignal.any([signal, end.signal]),
    }),
    play({ plan, speed, upload, signal, onProgress }).finally(() => end.abort()),
  ]);
  const differences: Difference[] = [];
  if (played.interruption === undefined) {
    const held: Result[] = [];
    for await (const result of client.listEventResults(eventId, {}, { signal })) held.push(result);
    differences.push(...unconfirmed(played), ...misheld(played.stored, held));
  }
  return { ...played, ...traffic, mistake, differences };
}

/**
 * The registrations that take part.
 * @throws Error if no paid registration has a bib
 */
export async function readEntrants(
  client: RaceResultsClient,
  { eventId, runners }: RaceOptions,
  signal: AbortSignal,
): Promise<Entrant[]> {
  const entrants: Entrant[] = [];
  for await (const participant of client.listEventParticipants(eventId, {}, { signal })) {
    const { bib_number: bib, distance } = participant;
    if (bib !== null) entrants.push({ bib, distance });
    if (entrants.length === runners) return entrants;
  }
  if (entrants.length > 0) return entrants;
  throw new Error(`No paid registration of the event ${eventId} has a bib. Nobody can start.`);
}
