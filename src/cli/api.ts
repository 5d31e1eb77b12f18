import { isRaceResultsError, RaceResultsClient, type RaceResultsError } from '../client/index.ts';
import { CliError, EXIT } from './exit-codes.ts';
import type { Settings } from './settings.ts';

type Access = Pick<Settings, 'apiUrl' | 'apiKey'>;

/** @throws CliError for a key that no header can carry */
export function connect({ apiUrl, apiKey }: Access, maxAttempts: number): RaceResultsClient {
  try {
    return new RaceResultsClient({ baseUrl: apiUrl, apiKey, maxAttempts });
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new CliError(
      EXIT.key,
      `The key cannot be used: ${what}. Copy it from the panel once more.`,
    );
  }
}

/** The consequence of a failed call for the command. */
type Failure =
  /** Temporary: the same call may work later. */
  | { kind: 'offline'; why: string; retryAfterSeconds: number | undefined }
  | { kind: 'key'; why: string }
  /** The API understood the call and refuses what it says. */
  | { kind: 'refused'; why: string; status: number };

const TEMPORARY = new Set([429, 500, 502, 503, 504]);

export function classify(error: RaceResultsError): Failure {
  const temporary = (why: string, retryAfterSeconds?: number): Failure => ({
    kind: 'offline',
    why,
    retryAfterSeconds,
  });
  switch (error.code) {
    case 'NETWORK_ERROR':
      return temporary(`the API cannot be reached${reasonOf(error.cause)}`);
    case 'TIMEOUT':
      return temporary('the API does not answer in time');
    case 'UNEXPECTED_ANSWER': {
      const why = `something that is not the API answers (${error.status}, ${error.contentType ?? 'no type'})`;
      return temporary(
        `${why}: check the address, and that no hotspot asks for a login`,
        error.retryAfterSeconds,
      );
    }
    case 'RATE_LIMITED':
      return temporary('the key has used up its requests of this minute', error.retryAfterSeconds);
  }
  const { status, detail, requestId, retryAfterSeconds } = error;
  if (status === 401 || status === 403) return { kind: 'key', why: keyProblem(status, detail) };
  if (TEMPORARY.has(status)) {
    const isNamed = requestId === undefined || detail.includes(requestId);
    const request = isNamed ? '' : ` (request ${requestId})`;
    return temporary(`the API has a problem of its own: ${detail}${request}`, retryAfterSeconds);
  }
  return { kind: 'refused', why: detail, status };
}

const keyProblem = (status: number, detail: string): string =>
  status === 401
    ? `the API refuses the key: ${detail} Set RACE_RESULTS_KEY to a live key.`
    : `the key may not do this: ${detail} Make a key with this scope in the panel, and set RACE_RESULTS_KEY to it.`;

/** `(ECONNREFUSED)`, where the runtime says so. */
function reasonOf(cause: unknown): string {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return ` (${error.code})`;
  }
  return '';
}

/** Returns the exit code and the message for an error; undefined if the error is a bug. */
export function explainError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (!isRaceResultsError(error)) return fileProblem(error);
  const failure = classify(error);
  const options = { cause: error };
  if (failure.kind === 'key') return new CliError(EXIT.key, sentence(failure.why), options);
  if (failure.kind === 'offline') {
    return new CliError(
      EXIT.offline,
      `${sentence(failure.why)} Nothing is lost. Try again later.`,
      options,
    );
  }
  return failure.status === 404
    ? new CliError(
        EXIT.usage,
        `${failure.why} Check --event and RACE_RESULTS_EVENT, or run \`race-results setup\`.`,
        options,
      )
    : new CliError(EXIT.unclear, `The API refuses this: ${failure.why}`, options);
}

/** Explains an error of the file system, such as a folder without write permission. */
function fileProblem(error: unknown): CliError | undefined {
  const isOfFile = error instanceof Error && 'syscall' in error && 'path' in error;
  return isOfFile
    ? new CliError(EXIT.usage, `The system refuses: ${error.message}.`, { cause: error })
    : undefined;
}

const sentence = (text: string): string => {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
};
