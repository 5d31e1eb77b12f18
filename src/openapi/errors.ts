import * as z from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { ERROR_STATUS, type ErrorCode } from '../errors.ts';
import { type HeaderName, headersOf } from './headers.ts';

const CODES = Object.keys(ERROR_STATUS).filter((code): code is ErrorCode => code in ERROR_STATUS);

/** The body of every error (contract section 2). */
export const ErrorBody = z
  .object({
    detail: z.string().meta({
      description: 'For people. It may change: never branch on it.',
      examples: ['This event does not exist.'],
    }),
    code: z.enum(CODES).meta({
      description: 'For programs. It is stable: branch on it.',
      examples: ['NOT_FOUND'],
    }),
  })
  .meta({ id: 'Error', description: 'What every failure is answered with.' });

type Area = 'public' | 'panel';

/** Cases in which the answer is given, each with the `detail` that is then said. */
export type Cases = Record<string, string>;

type Refusal = {
  description: string;
  cases: Cases;
  headers?: readonly HeaderName[];
  /** Names it as a component. */
  id?: string;
};

const errorResponse = (
  area: Area,
  code: ErrorCode,
  { description, cases, headers = [], id }: Refusal,
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

const commonTo = (area: Area) => ({
  500: errorResponse(area, 'INTERNAL_ERROR', {
    id: `${area}InternalError`,
    description: 'our bug. Tell us the request id.',
    cases: { bug: `Something broke on our side. Request id: ${REQUEST_ID}` },
  }),
  503: errorResponse(area, 'SERVICE_UNAVAILABLE', {
    id: `${area}ServiceUnavailable`,
    description:
      'what the service stands on is away. Nothing was half-written: send the same request again ' +
      'after `Retry-After`.',
    cases: {
      database: `The database does not answer. Try again. Request id: ${REQUEST_ID}`,
      ...(area === 'panel' && {
        sessions: `Sessions cannot be checked now. Try again. Request id: ${REQUEST_ID}`,
      }),
    },
    headers: ['Retry-After'],
  }),
});

const PUBLIC_COMMON = {
  401: errorResponse('public', 'UNAUTHORIZED', {
    id: 'ApiKeyRefused',
    description: 'the API key is missing, malformed, unknown, revoked or expired.',
    cases: {
      missing: 'Send an API key: "Authorization: Bearer <key>" or "X-API-Key: <key>".',
      malformed: 'The API key is malformed: a part of it is missing or mistyped.',
      dead: 'The API key does not exist, has expired or was revoked.',
    },
    headers: ['WWW-Authenticate'],
  }),
  429: errorResponse('public', 'RATE_LIMITED', {
    id: 'RateLimited',
    description: 'the key has used up its quota. A retry after `Retry-After` is admitted.',
    cases: { overLimit: 'The API key has used up its requests for this minute.' },
    headers: ['Retry-After'],
  }),
  ...commonTo('public'),
};

const PANEL_COMMON = {
  401: errorResponse('panel', 'UNAUTHORIZED', {
    id: 'SessionRefused',
    description: 'the session is missing, not valid or over.',
    cases: {
      missing: 'Send the session of the panel: "Authorization: Bearer <token>".',
      invalid: 'Send a session of the panel that is valid now: "Authorization: Bearer <token>".',
      expired: 'The session has expired. Sign in to the panel again.',
    },
    headers: ['WWW-Authenticate'],
  }),
  403: errorResponse('panel', 'INSUFFICIENT_SCOPE', {
    id: 'NotAManager',
    description: 'the user is a member of the organization, but neither its owner nor an admin.',
    cases: { member: 'API keys are managed by the owner and the admins of the organization.' },
  }),
  ...commonTo('panel'),
};

export type Refusals = {
  /** Of the public API: the scope that the key must hold. Without one the operation is the panel's. */
  scope?: string;
  /** 404, where something may not be there. */
  missing?: Cases;
  /** 400, where what is sent may be wrong. */
  invalid?: Cases;
  /** 413, where there is a body. */
  tooLarge?: Cases;
};

/** Every error that an operation answers with, by status. */
export function errorsOf({ scope, missing, invalid, tooLarge }: Refusals) {
  const area = scope === undefined ? 'panel' : 'public';
  return {
    ...(invalid && {
      400: errorResponse(area, 'VALIDATION_ERROR', {
        description: 'what was sent cannot be taken as it is. Nothing was written.',
        cases: invalid,
      }),
    }),
    ...(scope !== undefined && {
      403: errorResponse(area, 'INSUFFICIENT_SCOPE', {
        description: `the key lacks the scope \`${scope}\`.`,
        cases: { scope: `The API key lacks the scope ${scope}.` },
      }),
    }),
    ...(missing && {
      404: errorResponse(area, 'NOT_FOUND', {
        description: 'there is no such thing, or it belongs to another organization.',
        cases: missing,
      }),
    }),
    ...(tooLarge && {
      413: errorResponse(area, 'VALIDATION_ERROR', {
        description: 'the body is too large. Nothing was written.',
        cases: tooLarge,
      }),
    }),
    ...(area === 'public' ? PUBLIC_COMMON : PANEL_COMMON),
  };
}
