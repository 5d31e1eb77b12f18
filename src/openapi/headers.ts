import { REQUESTS_PER_WINDOW, WINDOW_SECONDS } from '../rate-limit/rate-limiter.ts';

type Header = {
  description: string;
  required: true;
  schema: { type: 'string' | 'integer'; pattern?: string; minimum?: number };
  example: string | number;
};

/** Every header that an answer is documented with. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      'Finds the request in our log. It is the one you sent, where you sent one of at most 255 ' +
      'letters, digits, `_`, `-` and `=`.',
    required: true,
    schema: { type: 'string', pattern: '^[\\w=-]{1,255}$' },
    example: 'd0000000-0000-4000-8000-000000000001',
  },
  'Cache-Control': {
    description: 'Nothing on the way may keep the answer.',
    required: true,
    schema: { type: 'string', pattern: '^private, no-store$' },
    example: 'private, no-store',
  },
  ETag: {
    description: 'The version of the answer, for `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[\\w.]+"$' },
    example: '"1.1795268389250000"',
  },
  'RateLimit-Policy': {
    description: 'The quota of a key: `q` requests in any `w` seconds.',
    required: true,
    schema: { type: 'string', pattern: '^"per-key";q=\\d+;w=\\d+$' },
    example: `"per-key";q=${REQUESTS_PER_WINDOW};w=${WINDOW_SECONDS}`,
  },
  RateLimit: {
    description: 'What is left of it: `r` requests, and the whole quota again after `t` seconds.',
    required: true,
    schema: { type: 'string', pattern: '^"per-key";r=\\d+;t=\\d+$' },
    example: `"per-key";r=${REQUESTS_PER_WINDOW - 1};t=${WINDOW_SECONDS}`,
  },
  'Retry-After': {
    description: 'Whole seconds after which to send the request again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer$' },
    example: 'Bearer',
  },
} as const satisfies Record<string, Header>;

/** In place of `Cache-Control`, where the client may keep what it asks for again. */
export const REVALIDATED = {
  description: 'The client may keep the answer, if it asks each time whether it still holds.',
  required: true,
  schema: { type: 'string', pattern: '^private, no-cache$' },
  example: 'private, no-cache',
} as const satisfies Header;

export type HeaderName = keyof typeof HEADERS;

/** What every answer carries, and those of the public API besides. */
const ALWAYS: readonly HeaderName[] = ['X-Request-Id', 'Cache-Control'];
const PUBLIC: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];

/** The headers of an answer, each by reference. */
export const headersOf = (area: 'public' | 'panel', more: readonly HeaderName[] = []) =>
  Object.fromEntries(
    [...ALWAYS, ...(area === 'public' ? PUBLIC : []), ...more].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );

/** The headers of an answer that is kept and asked for again. */
export const revalidatedHeaders = () => ({
  ...headersOf('public', ['ETag']),
  'Cache-Control': { $ref: '#/components/headers/Revalidated' },
});
