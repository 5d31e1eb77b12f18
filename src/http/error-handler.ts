import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import { ApiError } from '../errors.ts';
import type { AppEnv } from './context.ts';

/** Answers every failure in the one envelope; one nobody foresaw says nothing but where to look. */
export const handleError: ErrorHandler<AppEnv> = (error, c) => {
  if (error instanceof ApiError) {
    if (error.status >= 500) report(c, error.message, error.cause);
    return answer(c, error);
  }
  report(c, 'Unexpected failure', error);
  return answer(c, new ApiError('INTERNAL_ERROR', 'Something broke on our side.'));
};

export const handleNotFound: NotFoundHandler<AppEnv> = (c) =>
  answer(c, new ApiError('NOT_FOUND', 'There is nothing at this method and path.'));

function answer(c: Context<AppEnv>, { code, message, status, retryAfterSeconds }: ApiError) {
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds));
  const detail = status >= 500 ? `${message} Request id: ${c.var.requestId}` : message;
  return c.json({ detail, code }, status);
}

const report = (c: Context<AppEnv>, message: string, error: unknown) =>
  c.var.services.log.error(message, error, { request_id: c.var.requestId });
