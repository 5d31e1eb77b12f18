import * as z from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import {
  deadApiKey,
  lacksScope,
  malformedApiKey,
  missingApiKey,
  overRateLimit,
} from '../../worker/auth/api-key/require-scope.ts';
import { overPanelLimit } from '../../worker/auth/panel/panel-limit.ts';
import { missingSession, notAManager } from '../../worker/auth/panel/require-manager.ts';
import {
  expiredSession,
  invalidSession,
  sessionsUnavailable,
} from '../../worker/auth/panel/session.ts';
import { boardTooLarge } from '../../worker/board/documents.ts';
import { databaseUnavailable } from '../../worker/db/client.ts';
import { ERROR_STATUS } from '../../worker/errors.ts';
import { busy } from '../../worker/gate/turns.ts';
import { bodyTooLarge, compressedBody } from '../../worker/http/body.ts';
import { isIdempotent, isStreamed } from '../../worker/http/endpoint.ts';
import { internalError, withRequestId } from '../../worker/http/error-handler.ts';
import { PANEL_BODY_MAX } from '../../worker/http/json-body.ts';
import {
  type KnownInputs,
  unexpectedBody,
  unknownParameter,
} from '../../worker/http/known-inputs.ts';
import { tooManyRefusals } from '../../worker/rate-limit/refusals.ts';
import { PreviewWarning } from '../../worker/results/upload/answer-schemas.ts';
import { CODES } from '../error-codes.ts';
import { type Area, areaOf, type HeaderName, headersOf, keptHeaders } from './headers.ts';
import type { Operation } from './operations.ts';
import { badPageCases, notFoundErrors } from './parameters.ts';

export const ErrorBody = z
  .object({
    detail: z.string().meta({
      description: 'An explanation for people. The wording may change: never branch on `detail`.',
      examples: ['This event does not exist.'],
    }),
    code: z.enum(CODES).meta({
      description: 'The kind of error, for programs. A code is stable: branch on `code`.',
      examples: ['NOT_FOUND'],
    }),
    refusal: z
      .string()
      .optional()
      .meta({
        description:
          'Only with the request header `Prefer: values`. Why the request was refused, in a stable word that is finer ' +
          'than `code`. With `values`, a program can say the error in another language.',
        examples: ['no_bib_column'],
      }),
    values: PreviewWarning.shape.values.optional().meta({
      description:
        'Only with the request header `Prefer: values`. The values in `detail`, as in a warning. `case` tells the ' +
        'sentences of a `refusal` apart.',
      examples: [{ case: 'no_bib_column', accepted: 'dorsal, bib', names: '"name", "club"' }],
    }),
    warnings: z.array(PreviewWarning).optional().meta({
      description: 'Only with 409, where a person is asked: what speaks against the request.',
    }),
  })
  .meta({ id: 'Error', description: 'The body of every error.' });

/** Errors by the name of the case. */
type Errors = Record<string, string | Error>;

/** The description of an error and the headers of this error alone. */
const ERRORS: Record<number, { description: string; headers?: HeaderName[] }> = {
  400: { description: 'The request has a wrong value or a wrong format. Nothing was written.' },
  401: {
    description: 'The key or the session is missing, malformed, unknown, revoked or expired.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    description:
      'The key lacks the scope of the operation, or the user is neither owner nor admin.',
  },
  404: { description: 'The resource does not exist, or belongs to a different organization.' },
  409: {
    description: 'A person should look first: `warnings` say why. Nothing was written.',
  },
  413: { description: 'The body, or the event, is too large. Nothing was written.' },
  429: {
    description:
      'The key, the session or the organization used all its requests of the last minute. The API ' +
      'admits the next request after `Retry-After`. A refused request does not count. Or too many ' +
      'false keys came from the address.',
    headers: ['Retry-After'],
  },
  500: { description: 'The service has a bug. Report the request id.' },
  503: {
    description:
      'The service is unavailable or busy. Nothing was written. Send the same request again after ' +
      '`Retry-After`.',
    headers: ['Retry-After'],
  },
};

const REQUEST_ID = 'd0000000-0000-4000-8000-000000000001';

/** An error response. `id` makes the response a component. */
function response(area: Area, status: number, errors: Errors, id?: string) {
  const code = CODES.find((one) => ERROR_STATUS[one] === status) ?? 'VALIDATION_ERROR';
  const examples = Object.entries(errors).map(([name, error]) => {
    const text = typeof error === 'string' ? error : error.message;
    const detail = status >= 500 ? withRequestId(text, REQUEST_ID) : text;
    return [name, { value: { detail, code } }];
  });
  return {
    description: `\`${code}\` – ${ERRORS[status]?.description}`,
    headers:
      area === 'board' && [404, 413].includes(status)
        ? keptHeaders()
        : headersOf(area, ERRORS[status]?.headers),
    content: { 'application/json': { schema: ErrorBody, examples: Object.fromEntries(examples) } },
    ...(id !== undefined && { id }),
  } satisfies ZodOpenApiResponseObject;
}

const keyErrors = { missing: missingApiKey(), malformed: malformedApiKey(), dead: deadApiKey() };
const limitErrors = { overLimit: overRateLimit({ resetSeconds: 1 }), refusals: tooManyRefusals() };
const sessionErrors = {
  missing: missingSession(),
  invalid: invalidSession(),
  expired: expiredSession(),
};
const bug = { bug: internalError() };
const outage = { database: databaseUnavailable() };
const panelOutage = { ...outage, sessions: sessionsUnavailable() };

/** The errors of every operation. */
const COMMON = {
  public: {
    401: response('public', 401, keyErrors, 'ApiKeyRefused'),
    429: response('public', 429, limitErrors, 'RateLimited'),
    500: response('public', 500, bug, 'publicInternalError'),
    503: response('public', 503, outage, 'publicServiceUnavailable'),
  },
  board: {
    413: response('board', 413, { event: boardTooLarge() }, 'BoardTooLarge'),
    429: response('board', 429, { missing: tooManyRefusals() }, 'BoardRateLimited'),
    500: response('board', 500, bug, 'boardInternalError'),
    503: response('board', 503, outage, 'boardServiceUnavailable'),
  },
  panel: {
    401: response('panel', 401, sessionErrors, 'SessionRefused'),
    429: response(
      'panel',
      429,
      { overLimit: overPanelLimit({ resetSeconds: 1 }) },
      'PanelRateLimited',
    ),
    403: response('panel', 403, { member: notAManager() }, 'NotAManager'),
    500: response('panel', 500, bug, 'panelInternalError'),
    503: response('panel', 503, panelOutage, 'panelServiceUnavailable'),
  },
};

/** Every error of an operation, by status. */
export function errorResponsesOf(operation: Operation) {
  const { path, scope, isOpen, query, body, weight, errors = {} } = operation;
  const isHeavy = weight !== 'light';
  const area = areaOf(operation);
  const own: Record<number, Errors> = {
    400: {
      ...errors[400],
      ...badPageCases(query),
      ...(body && { compressed: compressedBody('gzip') }),
      ...unknownCases(operation),
    },
    403: scope === undefined ? {} : { scope: lacksScope(scope) },
    404: { ...(isOpen ? {} : notFoundErrors(path)), ...errors[404] },
    409: errors[409] ?? {},
    413: body ? { body: bodyTooLarge(isStreamed(body) ? body.maxBytes : PANEL_BODY_MAX) } : {},
    503: {
      ...((errors[503] || isHeavy) && outage),
      ...errors[503],
      ...(isHeavy && { turn: busy() }),
    },
  };
  const responses = Object.entries(own)
    .filter(([, cases]) => Object.keys(cases).length > 0)
    .map(([status, cases]) => [status, response(area, Number(status), cases)]);
  return { ...COMMON[area], ...Object.fromEntries(responses) };
}

/** A write answers 400 to an unknown input. */
function unknownCases(operation: Operation): Errors {
  const { method, query, body } = operation;
  if (method === 'get') return {};
  const known: KnownInputs = { query: query?.(), isIdempotent: isIdempotent(operation) };
  return {
    unknown: unknownParameter('dryrun', known),
    ...(!body && { noBody: unexpectedBody(known) }),
  };
}
