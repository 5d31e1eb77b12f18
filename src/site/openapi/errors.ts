import * as z from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import {
  deadApiKey,
  lacksScope,
  malformedApiKey,
  missingApiKey,
  overRateLimit,
} from '../../worker/auth/api-key/require-scope.ts';
import { missingSession, notAManager } from '../../worker/auth/panel/require-manager.ts';
import {
  expiredSession,
  invalidSession,
  sessionsUnavailable,
} from '../../worker/auth/panel/session.ts';
import { databaseUnavailable } from '../../worker/db/client.ts';
import type { ErrorCode } from '../../worker/errors.ts';
import { bodyTooLarge, compressedBody } from '../../worker/http/body.ts';
import type { Cases, Operation } from '../../worker/http/documentation.ts';
import { internalError, withRequestId } from '../../worker/http/error-handler.ts';
import {
  type KnownInputs,
  unexpectedBody,
  unknownParameter,
} from '../../worker/http/known-inputs.ts';
import { tooManyRefusals } from '../../worker/http/middleware.ts';
import { CODES } from '../error-codes.ts';
import { type HeaderName, headersOf } from './headers.ts';
import { badPageCases, notFoundCases } from './parameters.ts';

/** The body of every error. */
export const ErrorBody = z
  .object({
    detail: z.string().meta({
      description: 'An explanation for people. Its wording may change: never branch on it.',
      examples: ['This event does not exist.'],
    }),
    code: z.enum(CODES).meta({
      description: 'The kind of error, for programs. It is stable: branch on it.',
      examples: ['NOT_FOUND'],
    }),
  })
  .meta({ id: 'Error', description: 'The body of every error.' });

type Area = 'public' | 'panel';

type ErrorResponse = {
  description: string;
  cases: Cases;
  headers?: readonly HeaderName[];
  /** Makes it a component of this name. */
  id?: string;
};

const errorResponse = (
  area: Area,
  code: ErrorCode,
  { description, cases, headers = [], id }: ErrorResponse,
): ZodOpenApiResponseObject => ({
  description: `\`${code}\` – ${description}`,
  headers: headersOf(area, headers),
  content: {
    'application/json': {
      schema: ErrorBody,
      examples: Object.fromEntries(
        Object.entries(cases).map(([name, detail]) => [name, { value: { detail, code } }]),
      ),
    },
  },
  ...(id !== undefined && { id }),
});

const REQUEST_ID = 'd0000000-0000-4000-8000-000000000001';

const withRequestIds = (cases: Cases): Cases =>
  Object.fromEntries(
    Object.entries(cases).map(([name, detail]) => [name, withRequestId(detail, REQUEST_ID)]),
  );

const unavailable = (area: Area, { id, cases }: Pick<ErrorResponse, 'id' | 'cases'>) =>
  errorResponse(area, 'SERVICE_UNAVAILABLE', {
    ...(id !== undefined && { id }),
    description:
      'The service is unavailable or busy. Nothing was written. Send the same request again after ' +
      '`Retry-After`.',
    cases: withRequestIds({ database: databaseUnavailable().message, ...cases }),
    headers: ['Retry-After'],
  });

const bugResponse = (area: Area) =>
  errorResponse(area, 'INTERNAL_ERROR', {
    id: `${area}InternalError`,
    description: 'The service has a bug. Report the request id.',
    cases: withRequestIds({ bug: internalError().message }),
  });

const COMMON = {
  public: {
    401: errorResponse('public', 'UNAUTHORIZED', {
      id: 'ApiKeyRefused',
      description: 'The API key is missing, malformed, unknown, revoked or expired.',
      cases: {
        missing: missingApiKey().message,
        malformed: malformedApiKey().message,
        dead: deadApiKey().message,
      },
      headers: ['WWW-Authenticate'],
    }),
    429: errorResponse('public', 'RATE_LIMITED', {
      id: 'RateLimited',
      description:
        'The key used all its requests of the last minute. The API admits the next request after ' +
        '`Retry-After`. A refused request does not count. Or too many requests from the address were ' +
        'refused: false keys, boards that do not exist.',
      cases: {
        overLimit: overRateLimit({ resetSeconds: 1 }).message,
        refusals: tooManyRefusals().message,
      },
      headers: ['Retry-After'],
    }),
    500: bugResponse('public'),
    503: unavailable('public', { id: 'publicServiceUnavailable', cases: {} }),
  },
  panel: {
    401: errorResponse('panel', 'UNAUTHORIZED', {
      id: 'SessionRefused',
      description: 'The session is missing, invalid or expired.',
      cases: {
        missing: missingSession().message,
        invalid: invalidSession().message,
        expired: expiredSession().message,
      },
      headers: ['WWW-Authenticate'],
    }),
    403: errorResponse('panel', 'INSUFFICIENT_SCOPE', {
      id: 'NotAManager',
      description: 'The user is a member of the organization, but not its owner or an admin.',
      cases: { member: notAManager().message },
    }),
    500: bugResponse('panel'),
    503: unavailable('panel', {
      id: 'panelServiceUnavailable',
      cases: { sessions: sessionsUnavailable().message },
    }),
  },
};

/** Every error that an operation answers with, by status. */
export function errorResponsesOf(operation: Operation) {
  const { path, scope, query, body, errors = {} } = operation;
  const area = scope === undefined ? 'panel' : 'public';
  const invalid = {
    ...errors[400],
    ...badPageCases(query),
    ...(body && COMPRESSED),
    ...unknownCases(operation),
  };
  const missing = { ...notFoundCases(path), ...errors[404] };
  return {
    ...(hasCases(invalid) && {
      400: errorResponse(area, 'VALIDATION_ERROR', {
        description: 'The request has a wrong value or a wrong format. Nothing was written.',
        cases: invalid,
      }),
    }),
    ...(scope !== undefined && {
      403: errorResponse(area, 'INSUFFICIENT_SCOPE', {
        description: `The key lacks the scope \`${scope}\`.`,
        cases: { scope: lacksScope(scope).message },
      }),
    }),
    ...(hasCases(missing) && {
      404: errorResponse(area, 'NOT_FOUND', {
        description: 'The resource does not exist, or it belongs to another organization.',
        cases: missing,
      }),
    }),
    ...(body && {
      413: errorResponse(area, 'VALIDATION_ERROR', {
        description: 'The body is too large. Nothing was written.',
        cases: { body: bodyTooLarge(body.maxBytes).message },
      }),
    }),
    ...COMMON[area],
    ...(errors[503] && { 503: unavailable(area, { cases: errors[503] }) }),
  };
}

/** A write answers 400 to what it does not know. */
function unknownCases({ method, query, body, idempotent }: Operation): Cases {
  if (method === 'get') return {};
  const known: KnownInputs = {
    ...(query && { query: { shape: query._zod.def.shape } }),
    ...(idempotent && { isIdempotent: true }),
  };
  return {
    unknown: unknownParameter('dryrun', known).message,
    ...(!body && { noBody: unexpectedBody(known).message }),
  };
}

const COMPRESSED: Cases = { compressed: compressedBody('gzip').message };

const hasCases = (cases: Cases): boolean => Object.keys(cases).length > 0;
