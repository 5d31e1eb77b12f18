import {
  ApiError,
  isRaceResultsError,
  RaceResultsClient,
  type RaceResultsError,
} from '../../client/index.ts';
import { CliError, EXIT, type ExitCode, failure } from '../exit-codes.ts';
import { codeOf } from '../own-files.ts';
import { type Key, say } from '../words.ts';
import { isAnswer } from './answers.ts';

/** Where and how the API is called. */
type Access = {
  apiUrl: string;
  apiKey: string;
  /** Called when the API has accepted the key. */
  onAccepted: () => Promise<void>;
};

/** Short: a person and a queue wait, and need to know of a failed network soon. */
const TIMEOUT_MS = 20_000;

/** @throws CliError for a key with characters no header can carry */
export function connect(
  { apiUrl, apiKey, onAccepted }: Access,
  { maxAttempts = 1, timeoutMs = TIMEOUT_MS } = {},
): RaceResultsClient {
  const fetchAndBind = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    if (response.ok) await onAccepted();
    return response;
  };
  try {
    const options = { maxAttempts, timeoutMs, fetch: fetchAndBind, accepts: isAnswer };
    return new RaceResultsClient({ baseUrl: apiUrl, apiKey, ...options });
  } catch (error) {
    throw failure(EXIT.key, 'key_unusable', {
      why: say('detail_key_unusable', { detail: messageOf(error) }),
    });
  }
}

/** All items of a list. Node 20 has no `Array.fromAsync`. */
export async function allOf<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of list) found.push(item);
  return found;
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Why the system refuses to read or write a file. */
export function systemText(error: unknown): string {
  const detail = messageOf(error);
  const [, path = ''] = /'([^']*)'/.exec(detail) ?? [];
  return say('detail_system', { detail, code: codeOf(error) ?? '-', path });
}

/** A failed call, for the command: `offline` may work later, `unclear` never will. */
type Failure = { exitCode: ExitCode; why: string; retryAfterSeconds?: number | undefined };

const TEMPORARY = [500, 502, 503, 504];

export function failureOf(error: RaceResultsError): Failure {
  // A hotspot or a proxy knows nothing about the API: only the API's own answer sets a wait.
  const isApi = error instanceof ApiError && error.requestId !== undefined;
  const retryAfterSeconds = isApi ? error.retryAfterSeconds : undefined;
  const offline = (why: string) => ({ exitCode: EXIT.offline, why, retryAfterSeconds });
  if (error.code === 'TIMEOUT') return offline(say('api_too_slow'));
  if (error.code === 'NETWORK_ERROR') {
    return offline(say('api_unreachable', { why: causeOf(error.cause) }));
  }
  if (error.code === 'UNEXPECTED_ANSWER') {
    const { status, contentType = '-' } = error;
    return offline(say('api_is_something_else', { status, type: contentType }));
  }
  if (error.code === 'RATE_LIMITED') return offline(say('key_used_up'));
  const { status, detail, requestId = '' } = error;
  if (status === 401) {
    const why = say('key_refused', { detail: say('detail_key', { detail }) });
    return { exitCode: EXIT.key, why };
  }
  if (status === 403) {
    return { exitCode: EXIT.key, why: say('key_lacks_scope', { detail: scopeText(detail) }) };
  }
  if (status === 404) return { exitCode: EXIT.usage, why: say('detail_not_found', { detail }) };
  if (!TEMPORARY.includes(status)) return { exitCode: EXIT.unclear, why: detail };
  const request = detail.includes(requestId) ? '' : ` (${requestId})`;
  const problem = say('detail_problem', { detail });
  return offline(say('api_has_a_problem', { detail: problem + request }));
}

/** The words for a key without a scope. @param detail of the API's error */
export const scopeText = (detail: string): string =>
  say('detail_scope', { detail, scope: /\b[a-z]+:[a-z]+\b/.exec(detail)?.[0] ?? '-' });

/** Codes of the runtime, with the text for a person. */
const CAUSES: Partial<Record<string, Key>> = {
  ECONNREFUSED: 'net_refused',
  ENOTFOUND: 'net_no_name',
  EAI_AGAIN: 'net_no_name',
  ENETUNREACH: 'net_none',
  EHOSTUNREACH: 'net_none',
  ECONNRESET: 'net_broke',
  EPIPE: 'net_broke',
  UND_ERR_SOCKET: 'net_broke',
  ETIMEDOUT: 'net_late',
  UND_ERR_CONNECT_TIMEOUT: 'net_late',
  CERT_HAS_EXPIRED: 'net_certificate',
  CERT_NOT_YET_VALID: 'net_certificate',
};

/** The cause of a network failure, in words if the code is known. */
export function causeOf(cause: unknown): string {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const code = codeOf(error);
    const key = code === undefined ? undefined : CAUSES[code];
    if (error.name === 'TimeoutError') return say('net_late');
    if (code !== undefined) return key ? say(key) : say('net_other', { code });
  }
  return say('net_broke');
}

/** @returns undefined and the failure while the API cannot be reached. @throws any other error */
export async function unlessOffline<T>(
  call: PromiseLike<T>,
): Promise<[found: T, offline?: undefined] | [found: undefined, offline: Failure]> {
  try {
    return [await call];
  } catch (error) {
    const found = isRaceResultsError(error) ? failureOf(error) : undefined;
    if (found?.exitCode !== EXIT.offline) throw error;
    return [undefined, found];
  }
}

/** Returns the exit code and the message for an error; undefined if the error is a bug. */
export function explainError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (!isRaceResultsError(error)) {
    const isOfFile = error instanceof Error && 'syscall' in error && 'path' in error;
    return isOfFile ? failure(EXIT.usage, 'system_refuses', { why: systemText(error) }) : undefined;
  }
  const found = failureOf(error);
  const why = sentence(found.why);
  const key = EXPLAINED[found.exitCode];
  return key ? failure(found.exitCode, key, { why }) : new CliError(found.exitCode, why);
}

const EXPLAINED: Partial<Record<ExitCode, Key>> = {
  [EXIT.offline]: 'try_again_later',
  [EXIT.usage]: 'check_the_event',
  [EXIT.unclear]: 'api_refuses',
};

const sentence = (text: string): string => {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
};

const LONGEST_RETRY_AFTER_SECONDS = 120;

/**
 * The wait before a queue is sent again: 0.5 to 1.5 s beyond `Retry-After`. The wait is random, because many commands
 * may have failed together.
 */
export const waitMs = (retryAfterSeconds = 0): number =>
  (Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER_SECONDS) + 0.5 + Math.random()) * 1_000;
