import { ERROR_CODES, type ErrorCode } from './types.ts';

/** What every answer tells, whoever gave it. */
type AnswerFacts = {
  status: number;
  /** Finds the request in the API's log. */
  requestId: string | undefined;
  /** Whole seconds after which another attempt makes sense. */
  retryAfterSeconds: number | undefined;
};

/** The API refused, or failed, and says why. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  /** Written for people; it may change. */
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(operation: string, code: ErrorCode, detail: string, facts: AnswerFacts) {
    super(`${operation}: ${facts.status} ${code}: ${detail}`);
    this.code = code;
    this.status = facts.status;
    this.detail = detail;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** Something answered that is not the API, such as a proxy with a page of its own. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  readonly code = 'UNEXPECTED_ANSWER';
  readonly status: number;
  readonly contentType: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(operation: string, contentType: string | undefined, facts: AnswerFacts) {
    super(`${operation}: ${facts.status} with ${contentType ?? 'no type'}, no answer of the API`);
    this.status = facts.status;
    this.contentType = contentType;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** No answer came, or not all of it; `cause` is what the runtime says of it. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly code = 'NETWORK_ERROR';

  constructor(operation: string, cause: unknown) {
    super(`${operation}: the connection failed`, { cause });
  }
}

/** No answer came in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  readonly code = 'TIMEOUT';

  constructor(operation: string, timeoutMs: number, cause: unknown) {
    super(`${operation}: no answer within ${timeoutMs} ms`, { cause });
  }
}

/**
 * Whatever a call can fail with, told apart by `code`; but for the reason of the caller's own signal,
 * and what is wrong with the arguments.
 */
export type RaceResultsError = ApiError | UnexpectedAnswerError | NetworkError | TimeoutError;

export const isRaceResultsError = (error: unknown): error is RaceResultsError =>
  error instanceof ApiError ||
  error instanceof UnexpectedAnswerError ||
  error instanceof NetworkError ||
  error instanceof TimeoutError;

/** The error that a failed answer tells. */
export function errorOf(
  operation: string,
  { status, headers }: Response,
  body: unknown,
): ApiError | UnexpectedAnswerError {
  const facts = {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: secondsOf(headers.get('Retry-After')),
  };
  if (typeof body === 'object' && body !== null && 'code' in body && 'detail' in body) {
    const code = ERROR_CODES.find((known) => known === body.code);
    if (code && typeof body.detail === 'string') {
      return new ApiError(operation, code, body.detail, facts);
    }
  }
  return new UnexpectedAnswerError(operation, headers.get('Content-Type') ?? undefined, facts);
}

/** `Retry-After` is seconds or, from a proxy, a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const seconds = Math.ceil((Date.parse(retryAfter) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
