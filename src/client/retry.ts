import { NetworkError, type RaceResultsError, TimeoutError } from './errors.ts';

/** The rate limit, or a temporary failure of the API or a proxy. */
const TRANSIENT_STATUSES = [429, 502, 503, 504];

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;
/** The API asks for a minute at most. The client does not wait for longer than this. */
const LONGEST_RETRY_AFTER_SECONDS = 120;

/**
 * The delay before the next attempt: `Retry-After` plus a random backoff, so clients failing together do not retry
 * together.
 * @param attempt number of the failed attempt, from 1
 * @returns undefined if a retry would fail again
 */
export function retryDelayMs(error: RaceResultsError, attempt: number): number | undefined {
  const backoffMs =
    Math.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
  if (error instanceof NetworkError || error instanceof TimeoutError) return backoffMs;
  const { status, retryAfterSeconds = 0 } = error;
  if (!TRANSIENT_STATUSES.includes(status)) return undefined;
  if (retryAfterSeconds > LONGEST_RETRY_AFTER_SECONDS) return undefined;
  return retryAfterSeconds * 1_000 + backoffMs;
}
