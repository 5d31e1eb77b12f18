import type { ErrorCode } from '../errors.ts';

/** Of each code: what it means, and what whoever gets it does. Texts are Markdown. */
export const ERROR_CODES: Record<ErrorCode, { means: string; remedy: string }> = {
  VALIDATION_ERROR: {
    means: 'What was sent cannot be read; as `413`, it is too large. Nothing was written.',
    remedy: 'Read `detail`: it names what was found and what is accepted. Change the request.',
  },
  UNAUTHORIZED: {
    means: 'There is no key in the request, or none that works: mistyped, expired or revoked.',
    remedy: 'Check the header and the key; make another in the [panel](/panel).',
  },
  INSUFFICIENT_SCOPE: {
    means: 'The key works, but may not do this.',
    remedy: '`detail` names the scope that is missing; make a key that has it.',
  },
  NOT_FOUND: {
    means: 'Nothing is there, or it belongs to another organization.',
    remedy:
      'Check the path and the event id; [list your events](/docs/quickstart#list-your-events).',
  },
  RATE_LIMITED: {
    means: 'The key has used up its requests for this minute. Nothing was written.',
    remedy: 'Wait the seconds that `Retry-After` says, then send the same request again.',
  },
  INTERNAL_ERROR: {
    means: 'A mistake of ours.',
    remedy: 'Report the request id, which stands in `detail` and in `X-Request-Id`.',
  },
  SERVICE_UNAVAILABLE: {
    means: 'The database cannot be reached.',
    remedy: 'Wait the seconds that `Retry-After` says, then send the same request again.',
  },
};
