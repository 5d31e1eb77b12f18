import { ERROR_CODES, type ErrorCode, type PreviewWarning } from './types.ts';

/** The fields of every failed answer. */
type AnswerFacts = {
  status: number;
  /** Identifies the request in the log of the API. */
  requestId: string | undefined;
  /** Seconds to wait before the next attempt. */
  retryAfterSeconds: number | undefined;
};

/** The API, or a server before it, answered without success. */
class FailedAnswer extends Error implements AnswerFacts {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(operation: string, problem: string, facts: AnswerFacts) {
    super(`${operation}: ${facts.status} ${problem}`);
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** Why the API refused a request, in a stable word, with the values in `detail`. */
type Refusal = { refusal?: string; values?: PreviewWarning['values'] };

/** The API answered with an error. */
export class ApiError extends FailedAnswer {
  override readonly name = 'ApiError';
  /** `UNKNOWN_CODE` if the API sent a code newer than this client. Use the status then. */
  readonly code: ErrorCode | 'UNKNOWN_CODE';
  /** The code as the API sent it. */
  readonly sentCode: string;
  /** An explanation for people. The wording may change. */
  readonly detail: string;
  /** Why the request was refused, in a stable word, if the request preferred values. */
  readonly refusal: string | undefined;
  /** The values in `detail`, as in a warning. */
  readonly values: PreviewWarning['values'];
  /** The reasons to ask a person. Only a 409 has warnings. */
  readonly warnings: readonly PreviewWarning[];

  constructor(
    operation: string,
    sentCode: string,
    detail: string,
    facts: AnswerFacts,
    warnings: readonly PreviewWarning[] = [],
    { refusal, values = {} }: Refusal = {},
  ) {
    super(operation, `${sentCode}: ${detail}`, facts);
    this.code = ERROR_CODES.find((known) => known === sentCode) ?? 'UNKNOWN_CODE';
    this.sentCode = sentCode;
    this.detail = detail;
    this.warnings = warnings;
    this.refusal = refusal;
    this.values = values;
  }
}

/** The answer does not come from the API but, for example, from a proxy. */
export class UnexpectedAnswerError extends FailedAnswer {
  override readonly name = 'UnexpectedAnswerError';
  readonly code = 'UNEXPECTED_ANSWER';
  readonly contentType: string | undefined;

  constructor(operation: string, contentType: string | undefined, facts: AnswerFacts) {
    super(operation, `with ${contentType ?? 'no type'}, not an answer of the API`, facts);
    this.contentType = contentType;
  }
}

/** A list with more pages than the API announced. */
export const endlessList = (operation: string): UnexpectedAnswerError =>
  new UnexpectedAnswerError(operation, 'pages without an end', {
    status: 200,
    requestId: undefined,
    retryAfterSeconds: undefined,
  });

/** The answer is missing or incomplete. `cause` is the error of the runtime. */
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
 * Every error of a call, distinguished by `code`. Not included: the reason of the caller's signal and errors
 * about the arguments.
 */
export type RaceResultsError = ApiError | UnexpectedAnswerError | NetworkError | TimeoutError;

export const isRaceResultsError = (error: unknown): error is RaceResultsError =>
  error instanceof FailedAnswer || error instanceof NetworkError || error instanceof TimeoutError;

/** Makes the error of a failed answer. */
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
    const { code, detail } = body;
    if (typeof code === 'string' && typeof detail === 'string') {
      const warnings = 'warnings' in body && Array.isArray(body.warnings) ? body.warnings : [];
      return new ApiError(operation, code, detail, facts, warnings, refusalIn(body));
    }
  }
  return new UnexpectedAnswerError(operation, headers.get('Content-Type') ?? undefined, facts);
}

function refusalIn(body: object): Refusal {
  const { refusal, values }: Refusal = { ...body };
  return {
    ...(typeof refusal === 'string' && { refusal }),
    ...(typeof values === 'object' && { values }),
  };
}

/** The API sends `Retry-After` as seconds. A proxy may send a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const seconds = Math.ceil((Date.parse(retryAfter) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
