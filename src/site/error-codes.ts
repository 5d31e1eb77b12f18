import { ERROR_STATUS, type ErrorCode } from '../worker/errors.ts';
import { markdownTable } from './markdown-table.ts';

/** The meaning of each error code and the remedy for a client, as Markdown. */
const ERROR_CODES: Record<ErrorCode, { means: string; remedy: string }> = {
  VALIDATION_ERROR: {
    means:
      'The request has a wrong value or a wrong format. With status `413`, its body is too large. Nothing was written.',
    remedy: '`detail` names the found and the accepted value. Correct the request.',
  },
  UNAUTHORIZED: {
    means: 'The request has no valid key. The key is missing, mistyped, expired or revoked.',
    remedy: 'Check the header and the key. If the key is lost, create a new key in the panel.',
  },
  INSUFFICIENT_SCOPE: {
    means: 'The key is valid, but lacks the scope of the operation.',
    remedy: '`detail` names the scope. Create a key with this scope.',
  },
  NOT_FOUND: {
    means: 'The resource does not exist, or belongs to a different organization.',
    remedy: 'Check the path and the ids. List your events to see the valid event ids.',
  },
  RATE_LIMITED: {
    means: 'The key used all its requests of the last 60 seconds. Nothing was written.',
    remedy: 'Wait as many seconds as `Retry-After` says. Then send the request again.',
  },
  INTERNAL_ERROR: {
    means: 'The service has a bug.',
    remedy: 'Report the request id from `detail` or from the header `X-Request-Id`.',
  },
  SERVICE_UNAVAILABLE: {
    means:
      'The database is unreachable or refuses writes, a lock takes too long, or uploads fill the memory.',
    remedy: 'Wait as many seconds as `Retry-After` says. Then send the request again.',
  },
};

const isErrorCode = (code: string): code is ErrorCode => code in ERROR_STATUS;

export const CODES = Object.keys(ERROR_STATUS).filter(isErrorCode);

/** The table of the error codes, by status, for the API document and the guide. */
export const errorTable = (): string =>
  markdownTable(
    ['Code', 'Status', 'Meaning', 'What to do'],
    CODES.map((code) => ({ code, status: ERROR_STATUS[code], ...ERROR_CODES[code] }))
      .sort((a, b) => a.status - b.status)
      .map(({ code, status, means, remedy }) => [`\`${code}\``, status, means, remedy]),
  );
