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
type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode] | 413;

type ErrorOptions = {
  /** Replaces the code's status: a body that is too large answers 413. */
  status?: ErrorStatus;
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** An error that the client sees. `message` becomes `detail`. */
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

export const unauthorized = (detail: string): ApiError => new ApiError('UNAUTHORIZED', detail);

export const invalid = (detail: string): ApiError => new ApiError('VALIDATION_ERROR', detail);

export const notFound = (what: string): ApiError =>
  new ApiError('NOT_FOUND', `${what} does not exist.`);

export const tooLarge = (detail: string): ApiError =>
  new ApiError('VALIDATION_ERROR', detail, { status: 413 });

export const unavailable = (detail: string, retryAfterSeconds: number, cause?: unknown): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds, cause });
