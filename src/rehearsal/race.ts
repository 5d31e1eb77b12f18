import { type Api, createApi } from './api.ts';
import { type Difference, unstored } from './check.ts';
import { planRace, type ResultRow } from './plan.ts';
import { type PlayedRace, play, type RaceProgress } from './player.ts';

export type RaceOptions = {
  origin: string;
  /** With the scopes participants:read and results:write. */
  apiKey: string;
  eventId: string;
  /** Seconds of the race in one of ours. */
  speed: number;
  /** The same seed and registrations make the same race. */
  seed: number;
  /** How many of the event's registrations take part, at most. */
  runners: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: RaceProgress) => void) | undefined;
};

export type Rehearsal = PlayedRace &
  ReturnType<Api['traffic']> & {
    /** Where what the API holds is not what was sent, or was to be sent. */
    differences: readonly Difference[];
  };

/**
 * Plays a synthetic race of an event's own registrations through the public API. Whoever ran
 * before gets a new result.
 * @throws Error when the race cannot begin; once it runs, what ends it early is its `interruption`
 */
export async function playRace(options: RaceOptions): Promise<Rehearsal> {
  const { eventId, speed, onProgress, signal = new AbortController().signal } = options;
  const api = createApi(options);
  const entrants = await api.entrants(eventId, options.runners, signal);
  if (entrants.length === 0) {
    throw new Error(`No paid registration of the event ${eventId} has a bib: nobody can start.`);
  }
  // An upload of nothing: whether the key may write is better known before the first gun.
  await api.uploadResults(eventId, []);
  const upload = (rows: ResultRow[]) => api.uploadResults(eventId, rows);
  const plan = planRace(entrants, options.seed);
  const played = await play({ plan, speed, upload, signal, onProgress });
  const differences = played.interruption === undefined ? unstored(played) : [];
  return { ...played, ...api.traffic(), differences };
}
