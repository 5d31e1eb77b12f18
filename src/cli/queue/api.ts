import * as z from 'zod/mini';
import {
  isRaceResultsError,
  type NetworkError,
  RaceResultsClient,
  type RaceResultsError,
  type TimeoutError,
  UnexpectedAnswerError,
} from '../../client/index.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { codeOf } from '../own-files.ts';
import { say } from '../words.ts';

/** Where and how the API is called. */
export type Access = {
  apiUrl: string;
  apiKey: string;
  eventId: string;
  /** Called when the API has accepted the key. */
  onAccepted: () => Promise<void>;
};

type Patience = { maxAttempts: number; timeoutMs?: number };

/** A person and a queue wait: they hear soon that the network is down. */
const TIMEOUT_MS = 20_000;

/** @throws CliError for a key that no header can carry */
export function connect(
  { apiUrl, apiKey, onAccepted }: Access,
  { maxAttempts, timeoutMs = TIMEOUT_MS }: Patience,
): RaceResultsClient {
  const fetchAndBind = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    if (response.ok) await onAccepted();
    return response;
  };
  try {
    const options = { maxAttempts, timeoutMs, fetch: fetchAndBind };
    return new RaceResultsClient({ baseUrl: apiUrl, apiKey, ...options });
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new CliError(EXIT.key, say('the_key_cannot_be_used', { what }));
  }
}

/**
 * An answer as far as it is believed.
 * @throws UnexpectedAnswerError for one that the API would not give
 */
export function checked<Value>(schema: z.ZodMiniType<Value>, answer: unknown, what: string): Value {
  const parsed = z.safeParse(schema, answer);
  if (parsed.success) return parsed.data;
  const facts = { status: 200, requestId: undefined, retryAfterSeconds: undefined };
  throw new UnexpectedAnswerError(what, undefined, facts);
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
  if (error.code === 'NETWORK_ERROR' || error.code === 'TIMEOUT') {
    return { kind: 'offline', why: `${networkProblem(error)}`, retryAfterSeconds: undefined };
  }
  const { retryAfterSeconds } = error;
  const offline = (why: string): Failure => ({ kind: 'offline', why, retryAfterSeconds });
  if (error.code === 'UNEXPECTED_ANSWER') {
    const what = `${error.status}, ${error.contentType ?? '-'}`;
    return offline(say('something_that_is_not_the', { what }));
  }
  const { status, detail, requestId } = error;
  if (error.code === 'RATE_LIMITED') {
    return offline(say('the_key_has_used_up'));
  }
  if (status === 401 || status === 403) return { kind: 'key', why: keyProblem(status, detail) };
  if (!TEMPORARY.has(status)) return { kind: 'refused', why: detail, status };
  const isNamed = requestId === undefined || detail.includes(requestId);
  const request = isNamed ? '' : ` (request ${requestId})`;
  return offline(`${say('the_api_has_a_problem')}: ${detail}${request}`);
}

const networkProblem = (error: NetworkError | TimeoutError): string =>
  error.code === 'TIMEOUT'
    ? say('the_api_does_not_answer')
    : say('the_api_cannot_be_reached') + causeOf(error.cause);

const keyProblem = (status: number, detail: string): string =>
  status === 401
    ? say('the_api_refuses_the_key', { detail })
    : say('the_key_may_not_do', { detail });

/** `(ECONNREFUSED)`, where the runtime says so. */
function causeOf(cause: unknown): string {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const code = codeOf(error);
    if (code !== undefined) return ` (${code})`;
  }
  return '';
}

/** Returns the exit code and the message for an error; undefined if the error is a bug. */
export function explainError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  const known = (code: ExitCode, text: string) => new CliError(code, text, { cause: error });
  if (!isRaceResultsError(error)) {
    const isOfFile = error instanceof Error && 'syscall' in error && 'path' in error;
    if (!isOfFile) return undefined;
    return known(EXIT.usage, `${say('the_system_refuses')}: ${error.message}.`);
  }
  const failure = classify(error);
  const why = sentence(failure.why);
  if (failure.kind === 'key') return known(EXIT.key, why);
  if (failure.kind === 'offline') {
    const hint = say('nothing_is_lost_try_again');
    return known(EXIT.offline, `${why} ${hint}`);
  }
  if (failure.status !== 404) {
    return known(EXIT.unclear, `${say('the_api_refuses_this')}: ${why}`);
  }
  const check = say('check_event_and_race_results');
  return known(EXIT.usage, `${why} ${check} \`race-results setup\`.`);
}

export const sentence = (text: string): string => {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
};

const SHORTEST_WAIT_MS = 1_000;
/** With it, a queue is empty 10 s after the network is back. */
const LONGEST_WAIT_MS = 4_000;
const LONGEST_RETRY_AFTER_SECONDS = 120;

/** How long to wait after so many failures in a row, and not as long as others that failed together. */
export function waitMs(failures: number, retryAfterSeconds = 0): number {
  const asked = Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER_SECONDS) * 1_000;
  const mostMs = Math.min(LONGEST_WAIT_MS, SHORTEST_WAIT_MS * 2 ** failures);
  return asked + SHORTEST_WAIT_MS + Math.random() * (mostMs - SHORTEST_WAIT_MS);
}
