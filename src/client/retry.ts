import { NetworkError, type RaceResultsError, TimeoutError } from './errors.ts';

/** Too many requests, or nobody behind the proxy for the moment. */
const TRANSIENT_STATUSES = [429, 502, 503, 504];

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;
/** The API asks for a minute at most; whoever asks for more than this is not waited for. */
const LONGEST_RETRY_AFTER_SECONDS = 120;

/**
 * How long to wait before the next attempt: as long as the answer asks for, and a random while on
 * top, so that those who failed together do not come back together.
 * @param attempt the one that failed, from 1
 * @returns undefined where another attempt would fail alike
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
