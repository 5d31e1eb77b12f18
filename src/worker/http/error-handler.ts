import type { Context, ErrorHandler } from 'hono';
import { ApiError } from '../errors.ts';
import type { AppEnv } from './context.ts';

/** The name of unforeseen errors in the log. */
export const UNEXPECTED = 'Unexpected failure';

/**
 * Answers `{detail, code}` to every error, and `warnings` where a person is asked. A refused request with
 * `Prefer: values` also gets `refusal` and `values`. An unexpected error shows the request id and no detail.
 */
export const handleError: ErrorHandler<AppEnv> = (error, c) => {
  if (error instanceof ApiError) {
    if (error.status >= 500) report(c, error.message, error.cause);
    return answerError(c, error);
  }
  report(c, UNEXPECTED, error);
  return answerError(c, internalError());
};

export const internalError = () => new ApiError('INTERNAL_ERROR', 'Something broke on our side.');

/** The `detail` of every 5xx names the request, so that a client can report the request. */
export const withRequestId = (detail: string, requestId: string): string =>
  `${detail} Request id: ${requestId}`;

export function answerError(
  c: Context<AppEnv>,
  { code, message, status, retryAfterSeconds, refusal, values, count, inputs, warnings }: ApiError,
) {
  Object.assign(c.get('logFields'), { code, ...(refusal && { refusal, count, inputs }) });
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds));
  const detail = status >= 500 ? withRequestId(message, c.get('requestId')) : message;
  const why = refusal && c.req.header('Prefer') === 'values' && { refusal, values };
  return c.json({ detail, code, ...why, ...(warnings && { warnings }) }, status);
}

const report = (c: Context<AppEnv>, message: string, error: unknown) =>
  c.get('services').log.error(message, error, { request_id: c.get('requestId') });
