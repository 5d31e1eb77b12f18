import * as z from 'zod';
import {
  createDocument,
  createSchema,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { REQUESTS_PER_WINDOW, WINDOW_SECONDS } from '../rate-limit/rate-limiter.ts';
import { ResultIn } from '../results/schemas.ts';
import { errorsOf } from './errors.ts';
import { exampleOf } from './examples.ts';
import { HEADERS, headersOf, REVALIDATED, revalidatedHeaders } from './headers.ts';
import { OPERATIONS, type Operation, PATH_PARAMETERS, TAGS } from './operations.ts';
import { override } from './override.ts';

const DESCRIPTION = `
Organizations that run sporting events read their own events, participants and statistics, and upload
race results. All that is public is under \`/public/v1\`, and JSON, but for the CSV files of results.

## Authentication

Send an API key of your organization with every request, in \`Authorization: Bearer <key>\` or in
\`X-API-Key: <key>\`; the two are equal. The key says which organization asks: no other's data is
ever seen, and what belongs to another does not exist. A key holds scopes, and each operation names
the one that it needs. Keys belong in backends, never in pages or repositories.

API keys themselves are managed by the owner and the admins of the organization, with the session of
its panel, a JWT.

## Answers

A list is \`{data, meta}\`, a single thing stands alone, an error is \`{detail, code}\`. Query
parameters and body fields that are not documented are ignored.

## Errors

Branch on \`code\`; \`detail\` is for people, and may change.

| code | status | when |
|---|---|---|
| \`VALIDATION_ERROR\` | 400, 413 | what was sent cannot be taken as it is, or is too large |
| \`UNAUTHORIZED\` | 401 | no key or session, or none that is alive |
| \`INSUFFICIENT_SCOPE\` | 403 | the key or the user may not do this |
| \`NOT_FOUND\` | 404 | not there, or not yours |
| \`RATE_LIMITED\` | 429 | over the limit; \`Retry-After\` says when to go on |
| \`INTERNAL_ERROR\` | 500 | our bug; tell us the request id |
| \`SERVICE_UNAVAILABLE\` | 503 | away for now; nothing was half-written, send it again after \`Retry-After\` |

Of several that apply, the answer is the first of 401, 429, 403, 400 or 413, 404. A path or a method
that is not documented is 404.

## Limits

A key may make ${REQUESTS_PER_WINDOW} requests in ${WINDOW_SECONDS} seconds. Keys are counted each for itself;
\`RateLimit\` and \`RateLimit-Policy\` say what is left.

## Versioning

This is v1, as the path says. Its formats and codes are stable; its texts are not.`.trim();

const SECURITY_SCHEMES = {
  bearerKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'API key',
    description: 'An API key, as a bearer token. It goes first where both headers are sent.',
  },
  headerKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key, in a header of its own.',
  },
  panelSession: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "A session of the organization's panel, of its owner or an admin.",
  },
} as const;

const IF_NONE_MATCH = {
  'If-None-Match': z
    .string()
    .optional()
    .meta({
      description: 'The `ETag` of the answer that the client has, or several, or `*`.',
      examples: [HEADERS.ETag.example],
    }),
};

/** The whole public interface as OpenAPI 3.1, built from the schemas that requests are checked by. */
export function openApiDocument() {
  // Rows are judged one by one: the schema of a whole upload names theirs, and does not hold it.
  const row = createSchema(ResultIn, { io: 'input', opts: { override } });
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Race results API',
        version: '1.0.0',
        description: DESCRIPTION,
        license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
      },
      servers: [{ url: '/', description: 'Where this document was read.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths: paths(),
      components: {
        headers: { ...HEADERS, Revalidated: REVALIDATED },
        schemas: row.components,
        securitySchemes: SECURITY_SCHEMES,
      },
    },
    { override },
  );
}

function paths(): ZodOpenApiPathsObject {
  const items: ZodOpenApiPathsObject = {};
  for (const operation of OPERATIONS) {
    items[operation.path] = { ...items[operation.path], [operation.method]: describe(operation) };
  }
  return items;
}

function describe(operation: Operation): ZodOpenApiOperationObject {
  const { id, path, scope, tag, summary, description, query, body, answer, revalidated } =
    operation;
  const ids = Object.entries(PATH_PARAMETERS).filter(([name]) => path.includes(`{${name}}`));
  const area = scope === undefined ? 'panel' : 'public';
  return {
    operationId: id,
    tags: [tag],
    summary,
    description:
      scope === undefined ? description : `${description}\n\nThe key needs the scope \`${scope}\`.`,
    security:
      scope === undefined
        ? [{ panelSession: [] }]
        : [{ headerKey: [scope] }, { bearerKey: [scope] }],
    ...((ids.length > 0 || query) && {
      requestParams: {
        ...(ids.length > 0 && { path: parameters(Object.fromEntries(ids)) }),
        ...(query && { query: parameters(query.shape) }),
        ...(revalidated && { header: parameters(IF_NONE_MATCH) }),
      },
    }),
    ...(body && { requestBody: { required: true, content: body } }),
    responses: {
      [`${answer.status}`]: {
        description: answer.description,
        headers: revalidated ? revalidatedHeaders() : headersOf(area),
        ...(answer.schema && { content: json(answer.schema) }),
      },
      ...(revalidated && {
        304: { description: 'Nothing has changed since.', headers: revalidatedHeaders() },
      }),
      ...errorsOf(operation),
    },
  };
}

const json = (schema: z.ZodType) => ({
  'application/json': { schema, example: exampleOf(schema, 'output') },
});

/** Parameters with an example of their own, which is where tools look for one, not in the schema. */
const parameters = (shape: Record<string, z.ZodType>) =>
  z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, schema]) => {
        const meta = schema.meta();
        return [name, schema.meta({ ...meta, param: { example: meta?.examples?.[0] } })];
      }),
    ),
  );
