/** Every error code of the API, with its HTTP status. */
export const ERROR_STATUS = {
  UNAUTHORIZED: 401,
  INSUFFICIENT_SCOPE: 403,
  NOT_FOUND: 404,
  VALIDATION_ERROR: 400,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[];
type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode] | 409 | 413;

/** Why a request was refused with 400, 409 or 413: the word for the log, which must not have the `detail`. */
const REFUSALS = [
  'invalid_input',
  'unknown_input',
  'unexpected_body',
  'body_too_large',
  'body_broke_off',
  'body_too_slow',
  'wrong_content_type',
  'content_encoding',
  'not_json',
  'json_too_large',
  'not_an_upload',
  'not_a_form',
  'unreadable_file',
  'no_bib_column',
  'no_time_column',
  'unknown_column',
  'too_many_rows',
  'too_many_splits',
  'splits_too_long',
  'board_too_large',
  'too_many_points',
  'too_many_keys',
  'too_many_versions',
  'no_results',
  'document_too_large',
  'bad_cursor',
  'filter_beside_cursor',
  'key_not_live',
  'key_of_other_content',
  'changed_since_swap',
  'not_confirmed',
  'not_present',
  'no_such_runner',
  'nothing_to_swap',
] as const;

export type Refusal = (typeof REFUSALS)[number];

/** The values of a `detail`, for a sentence in another language. `case` chooses a sentence of a refusal. */
type Values = Readonly<Record<string, string | number | readonly string[]>>;

/** An argument against the sent input, as in the answer of a preview. */
type ErrorWarning = {
  code: string;
  detail: string;
  values: Values;
  rows: readonly number[];
};

type ErrorOptions = {
  /** Why a person is asked. */
  warnings?: readonly ErrorWarning[];
  /** Replaces the code's status: a body that is too large answers 413. */
  status?: ErrorStatus;
  retryAfterSeconds?: number;
  /** Why, in a word for programs and the log. `count` is how many inputs are wrong. */
  refusal?: Refusal;
  values?: Values;
  count?: number;
  /** The names of the wrong inputs, as in the API document. */
  inputs?: readonly string[];
  cause?: unknown;
};

/** An error that the client sees. `message` becomes `detail`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly retryAfterSeconds: number | undefined;
  readonly refusal: Refusal | undefined;
  readonly values: Values;
  readonly count: number | undefined;
  readonly inputs: readonly string[] | undefined;
  readonly warnings: readonly ErrorWarning[] | undefined;

  constructor(code: ErrorCode, detail: string, options: ErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? ERROR_STATUS[code];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.refusal = options.refusal;
    this.values = options.values ?? {};
    this.count = options.count;
    this.inputs = options.inputs;
    this.warnings = options.warnings;
  }
}

export const unauthorized = (detail: string): ApiError => new ApiError('UNAUTHORIZED', detail);

export const invalid = (
  refusal: Refusal,
  detail: string,
  { count = 1, ...options }: Pick<ErrorOptions, 'count' | 'inputs' | 'values'> = {},
): ApiError => new ApiError('VALIDATION_ERROR', detail, { refusal, count, ...options });

/** The request would be stored, but a person should look first. */
export const notConfirmed = (detail: string, warnings: readonly ErrorWarning[]): ApiError =>
  new ApiError('VALIDATION_ERROR', detail, {
    status: 409,
    refusal: 'not_confirmed',
    count: warnings.length,
    warnings,
  });

/** The request is about a thing changed meanwhile. */
export const changedMeanwhile = (detail: string): ApiError =>
  new ApiError('VALIDATION_ERROR', detail, { status: 409, refusal: 'not_present', count: 1 });

export const notFound = (what: string): ApiError =>
  new ApiError('NOT_FOUND', `${what} does not exist.`);

export const tooLarge = (refusal: Refusal, detail: string): ApiError =>
  new ApiError('VALIDATION_ERROR', detail, { status: 413, refusal, count: 1 });

export const unavailable = (detail: string, retryAfterSeconds: number, cause?: unknown): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds, cause });
