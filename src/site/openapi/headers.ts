import { RANKING_RULES } from '../../timing-files/read/ranking-rule.ts';
import type { RoutedOperation } from '../../worker/http/documentation.ts';
import { REQUEST_ID_MAX } from '../../worker/http/middleware.ts';
import { REQUESTS_PER_WINDOW, WINDOW_SECONDS } from '../../worker/rate-limit/rate-limiter.ts';

type Header = {
  description: string;
  schema: { type: 'string' | 'integer'; pattern?: string; minimum?: number };
  example: string | number;
};

/** Every documented response header. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      `Identifies the request in our log. You may send your own id: at most ${REQUEST_ID_MAX} letters, digits, ` +
      '`_`, `-` and `=`.',
    schema: { type: 'string', pattern: `^[0-9A-Za-z_=-]{1,${REQUEST_ID_MAX}}$` },
    example: 'd0000000-0000-4000-8000-000000000001',
  },
  'Cache-Control': {
    description: 'No cache may store the answer.',
    schema: { type: 'string', pattern: '^private, no-store$' },
    example: 'private, no-store',
  },
  ETag: {
    description: 'A digest of the body. Send the digest in `If-None-Match`.',
    schema: { type: 'string', pattern: '^"[0-9a-f]{64}"$' },
    example: '"7d793037a0760186574b0282f2f435e7d1f2b6f4e7d1a0c38b5f96214d0e8a73"',
  },
  'Idempotency-Replayed': {
    description:
      'The upload repeats an earlier upload with this `Idempotency-Key`: nothing was written, and the answer is the answer ' +
      'of the earlier upload. A first upload does not have the header.',
    schema: { type: 'string', pattern: '^true$' },
    example: 'true',
  },
  'Content-Disposition': {
    description: 'The name of the file, after the event.',
    schema: {
      type: 'string',
      pattern: '^attachment; filename="[^"]*"; filename\\*=UTF-8\'\'[^ ]+$',
    },
    example:
      'attachment; filename="Harbour Half - results.csv"; filename*=UTF-8\'\'Harbour%20Half%20-%20results.csv',
  },
  'Results-State': {
    description:
      '`provisional` before the first official version; then `official`, or `changed_since` if the results differ from the ' +
      'last version. Not with `changed_since`.',
    schema: { type: 'string', pattern: '^(provisional|official|changed_since)$' },
    example: 'provisional',
  },
  'Next-Cursor': {
    description:
      'With `changed_since` alone: send the cursor as `changed_since` to get the changes since this answer.',
    schema: { type: 'string', pattern: '^[0-9A-Za-z_-]+$' },
    example:
      'cmVzdWx0cy5hMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDEuNWQxYzBmM2E5YjdlLjE3MzkuOGYwMzcyYWI',
  },
  Total: {
    description:
      'With `changed_since` alone: how many rows the list has. A copy with another number is read again.',
    schema: { type: 'integer', minimum: 0 },
    example: 2,
  },
  Link: {
    description: 'The address of the next page (RFC 8288). The last page has none.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
    example: '<https://api.example/public/v1/events?page=2&page_size=20>; rel="next"',
  },
  'Rank-By': {
    description:
      'The rule that the places within a distance and the order of the rows follow, as `rank_by` of a result.',
    schema: { type: 'string', pattern: `^(${RANKING_RULES.join('|')})$` },
    example: 'chip',
  },
  'Access-Control-Allow-Origin': {
    description: 'Web pages of every site may read the answer.',
    schema: { type: 'string', pattern: '^\\*$' },
    example: '*',
  },
  'RateLimit-Policy': {
    description: 'The quota of a key: `q` requests in any `w` seconds.',
    schema: { type: 'string', pattern: '^"per-key";q=[0-9]+;w=[0-9]+$' },
    example: `"per-key";q=${REQUESTS_PER_WINDOW};w=${WINDOW_SECONDS}`,
  },
  RateLimit: {
    description:
      'The rest of the quota: the key may make `r` more requests now. In `t` seconds the oldest ' +
      'counted request leaves the window, and one more is admitted.',
    schema: { type: 'string', pattern: '^"per-key";r=[0-9]+;t=[0-9]+$' },
    example: `"per-key";r=${REQUESTS_PER_WINDOW - 1};t=${WINDOW_SECONDS}`,
  },
  'Retry-After': {
    description: 'Seconds to wait before you send the request again, rounded up.',
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme.',
    schema: { type: 'string', pattern: '^Bearer$' },
    example: 'Bearer',
  },
} as const satisfies Record<string, Header>;

/** `Cache-Control` of an answer with an ETag. */
const REVALIDATED = {
  description: 'The client may store the answer, but must revalidate it before each use.',
  schema: { type: 'string', pattern: '^private, no-cache$' },
  example: 'private, no-cache',
} as const satisfies Header;

/** `Cache-Control` of an answer of the live board. */
const SHARED = {
  description:
    'Every cache may keep the answer for `max-age` seconds, until the board is read again.',
  schema: { type: 'string', pattern: '^public, max-age=[0-9]+, stale-[a-z0-9=, -]+$' },
  example: 'public, max-age=2, stale-while-revalidate=10, stale-if-error=86400',
} as const satisfies Header;

/** `Cache-Control` of an immutable answer, if the address contains the answer's digest. */
const IMMUTABLE = {
  description:
    'With `digest` in the address, the answer never changes: the client may store it and need not ask again. Without, the ' +
    'client may store it and asks again each time.',
  schema: { type: 'string', pattern: '^private, (max-age=[0-9]+, immutable|no-cache)$' },
  example: 'private, max-age=31536000, immutable',
} as const satisfies Header;

export type HeaderName = keyof typeof HEADERS;

/** The headers of a copy, which an export without `changed_since` has not. */
export const COPY_HEADERS = ['Next-Cursor', 'Total'] as const satisfies readonly HeaderName[];

/** Headers that an answer has in some cases: see their descriptions. */
const SOMETIMES: readonly string[] = [
  ...COPY_HEADERS,
  'Results-State',
  'Rank-By',
  'Link',
  'Idempotency-Replayed',
];

/** The components for the answers' references. Each further header stands in every answer with the header. */
export const headerComponents = Object.fromEntries(
  Object.entries({
    ...HEADERS,
    Revalidated: REVALIDATED,
    Shared: SHARED,
    Immutable: IMMUTABLE,
  }).map(([name, header]) => [name, { ...header, required: !SOMETIMES.includes(name) }]),
);

/** Every answer has the headers in ALWAYS and the headers of its area. */
const ALWAYS: readonly HeaderName[] = ['X-Request-Id', 'Cache-Control'];
const OF_AREA: Record<Area, readonly HeaderName[]> = {
  public: ['RateLimit-Policy', 'RateLimit'],
  board: ['Access-Control-Allow-Origin'],
  panel: [],
};

/** Requests with a key, without a key, and with a session of the panel. */
export type Area = 'public' | 'board' | 'panel';

export const areaOf = ({ scope, isOpen }: Pick<RoutedOperation, 'scope' | 'isOpen'>): Area =>
  isOpen ? 'board' : scope === undefined ? 'panel' : 'public';

/** References to the headers of an answer. */
export const headersOf = (area: Area, more: readonly HeaderName[] = []) =>
  Object.fromEntries(
    [...ALWAYS, ...OF_AREA[area], ...more].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );

/** References to the headers of an answer with an ETag. @param caching the component of its `Cache-Control` */
export const revalidatedHeaders = (
  area: Area,
  caching: 'Revalidated' | 'Immutable' | 'Shared',
  more: readonly HeaderName[] = [],
) => ({
  ...headersOf(area, ['ETag', ...more]),
  'Cache-Control': { $ref: `#/components/headers/${caching}` },
});

/** References to the headers of a refusal that caches keep: a closed board, or a board that is too large. */
export const keptHeaders = () => ({
  ...headersOf('board'),
  'Cache-Control': { $ref: '#/components/headers/Shared' },
});
