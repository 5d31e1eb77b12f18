/** Every code the API answers with and its HTTP status: contract section 7, and the two of 5xx. */
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
export type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode] | 413;

type ErrorOptions = {
  /** Only where the code's own status is not precise enough: a body that is too large is 413. */
  status?: ErrorStatus;
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** A failure the client is told about: `detail` is written for people and may change. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail: string, options: ErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? ERROR_STATUS[code];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const invalid = (detail: string): ApiError => new ApiError('VALIDATION_ERROR', detail);

export const notFound = (what: string): ApiError =>
  new ApiError('NOT_FOUND', `${what} does not exist.`);

export const tooLarge = (detail: string): ApiError =>
  new ApiError('VALIDATION_ERROR', detail, { status: 413 });
