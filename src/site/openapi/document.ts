import * as z from 'zod';
import {
  createDocument,
  createSchema,
  type ZodOpenApiContentObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { csvLine } from '../../timing-files/write/csv.ts';
import { PACE } from '../../worker/gate/pace.ts';
import { Meta } from '../../worker/http/answer-schemas.ts';
import { isIdempotent, isStreamed } from '../../worker/http/endpoint.ts';
import type { EXPORT_TYPES } from '../../worker/http/export.ts';
import {
  JSON_DEPTH_MAX,
  JSON_MEMBERS_MAX,
  JSON_ROW_MAX,
  JSON_VALUES_MAX,
} from '../../worker/http/json-text.ts';
import { PassingIn } from '../../worker/passings/schemas.ts';
import { REQUESTS_PER_WINDOW, WINDOW_SECONDS } from '../../worker/rate-limit/rate-limiter.ts';
import { WORKBOOK_TYPE } from '../../worker/results/upload/file-bytes.ts';
import { ResultIn } from '../../worker/results/upload/schemas.ts';
import { errorTable } from '../error-codes.ts';
import { errorResponsesOf } from './errors.ts';
import { exampleOf } from './examples.ts';
import {
  areaOf,
  COPY_HEADERS,
  type HeaderName,
  headerComponents,
  headersOf,
  revalidatedHeaders,
} from './headers.ts';
import { OPERATIONS, type Operation, TAGS } from './operations.ts';
import { override } from './override.ts';
import { IDEMPOTENCY_KEY, IF_NONE_MATCH, pathParameters, withExamples } from './parameters.ts';

const DESCRIPTION = `
Organizations that run sporting events use this API with their own data. They read events, participants
and statistics, and upload race results. The paths of the public API start with \`/public/v1\`. Bodies are
JSON. The only exception is the upload of a CSV file.

## Authentication

Send an API key of your organization with every request. Use the header \`Authorization: Bearer <key>\` or
\`X-API-Key: <key>\`. Both are equivalent. The key determines the organization. You see only the data of
your organization: everything else is 404. A key holds at least one scope, and each operation names the
needed scope. Use keys in a backend only, never in a web page or a repository.

The data of an event's live board needs no key: everybody may ask, also from a web page.

The owner and the admins of an organization manage its keys. These operations need a session of the panel,
a JWT, instead of a key.

## Answers

A list is \`{data, meta}\`. A single resource has no envelope. An error is \`{detail, code}\`. Answers may get more
fields and values at any time; \`x-extensible-enum\` lists the values of today. All instants are in UTC.

The public API ignores unknown body fields. The operations of the panel answer 400 to unknown body fields. A read ignores
unknown query parameters. A write answers 400 to an unknown query parameter, to an unexpected body and to a header that
resembles a known header.

## Errors

Branch on \`code\`. \`detail\` is for people, and its wording may change.

${errorTable()}

If several errors apply, the API answers with the first of 401, 429, 403, 400 or 413, 404. A busy service
answers an upload with 503 after 401, 429 and 403, during the read of the body. An undocumented path or method
is 404: \`detail\` names the right path or method, and \`Allow\` lists the methods.

## Limits

A key may make ${REQUESTS_PER_WINDOW} requests in any ${WINDOW_SECONDS} seconds. Refused requests do not count. Each key has its own
limit. The headers \`RateLimit\` and \`RateLimit-Policy\` state the rest. If a key is over its limit when you
revoke or rotate the key, the key may get 429 for one more second. After this second the key gets 401.

Send bodies uncompressed. After the first ${PACE.graceMs / 1_000} seconds, a body must arrive at ${PACE.bytesPerSecond / 1_024} KiB per second or faster. A
JSON body has at most ${JSON_DEPTH_MAX} levels of arrays and objects, at most ${JSON_MEMBERS_MAX} members in each array or object and at
most ${JSON_VALUES_MAX} values in total. A row has at most ${JSON_ROW_MAX / 1_024} KiB. Texts must not contain a NUL character (\`\\u0000\`): a query with NUL is 400,
and a row of results with NUL fails. The name of a point, a reason and the name of a file must not contain any control
character or mark of direction, such as U+202E. In such a text, each run of blanks becomes one space, blanks without a width
are removed, and accents are stored as in Unicode's form NFC.

## Versioning

This is v1, as the path says. The formats and codes of v1 are stable. The texts are not.`.trim();

const SECURITY_SCHEMES = {
  bearerKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'API key',
    description:
      'An API key as a bearer token. If you send both headers, this one is used if its token starts ' +
      'with `er_live_`. Other tokens are ignored.',
  },
  headerKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key in a header of its own.',
  },
  panelSession: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A panel session of the owner or an admin of the organization.',
  },
} as const;

/** The OpenAPI 3.1 document. The document comes from the schemas that validate the requests. */
export function openApiDocument() {
  // An upload names only the schema of its rows, because the API judges each row alone.
  const rows = [ResultIn, PassingIn].map(
    (row) => createSchema(row(), { io: 'input', opts: { override } }).components,
  );
  return createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Race results API', version: '1.0.0', description: DESCRIPTION },
      servers: [{ url: '/', description: 'The server that this document comes from.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths: paths(),
      components: {
        headers: headerComponents,
        schemas: Object.assign({}, ...rows, ...changeComponents()),
        securitySchemes: SECURITY_SCHEMES,
      },
    },
    { override },
  );
}

/** The ways to authenticate. An open operation needs no authentication. */
function waysIn({ scope, isOpen }: Operation): Record<string, string[]>[] {
  if (isOpen) return [];
  return scope === undefined
    ? [{ panelSession: [] }]
    : [{ headerKey: [scope] }, { bearerKey: [scope] }];
}

function paths(): ZodOpenApiPathsObject {
  const items: ZodOpenApiPathsObject = {};
  for (const operation of OPERATIONS) {
    items[operation.path] = { ...items[operation.path], [operation.method]: toObject(operation) };
  }
  return items;
}

function toObject(operation: Operation): ZodOpenApiOperationObject {
  const { id, path, tag, summary, query, body, answer, revalidated } = operation;
  const requestParams = {
    path: withExamples(pathParameters(path)),
    query: withExamples(query?.().shape ?? {}),
    header: withExamples({
      ...(revalidated && IF_NONE_MATCH),
      ...(isIdempotent(operation) && IDEMPOTENCY_KEY),
    }),
  };
  const { listOf: item, exportOf, file, isImmutable } = answer;
  const schema = item ? listOf(item) : answer.schema;
  const area = areaOf(operation);
  const copyHeaders = isFollowed(operation) ? COPY_HEADERS : [];
  const answerHeaders = [...ownHeaders(operation), ...copyHeaders];
  const caching = isImmutable ? 'Immutable' : area === 'board' ? 'Shared' : 'Revalidated';
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(operation),
    security: waysIn(operation),
    requestParams,
    ...(body && { requestBody: { required: true, content: bodyContent(operation) } }),
    responses: {
      [`${answer.status}`]: {
        description: answer.description,
        headers: revalidated
          ? revalidatedHeaders(area, caching, answerHeaders)
          : headersOf(area, answerHeaders),
        ...(schema && { content: jsonContent(schema, 'output') }),
        ...(exportOf && { content: exportContent(exportOf, isFollowed(operation)) }),
        ...(file && { content: fileContent(file) }),
      },
      ...(revalidated && {
        304: {
          description: 'The answer has not changed.',
          headers: revalidatedHeaders(area, caching, copyHeaders),
        },
      }),
      ...errorResponsesOf(operation),
    },
  };
}

/** The headers of a success that only some operations of the area have. */
function ownHeaders(operation: Operation): HeaderName[] {
  const { exportOf, file, hasState } = operation.answer;
  return [
    ...((exportOf ?? file) ? (['Content-Disposition'] as const) : []),
    ...(hasState ? (['Results-State', 'Rank-By'] as const) : []),
    ...('page' in (operation.query?.().shape ?? {}) ? (['Link'] as const) : []),
    ...(isIdempotent(operation) ? (['Idempotency-Replayed'] as const) : []),
  ];
}

const POLLING =
  'To poll, send the last `ETag` in `If-None-Match`. The answer is an empty 304 until its body changes.';

const descriptionOf = ({ description, revalidated, scope, answer }: Operation): string =>
  [
    description,
    ...(revalidated && !answer.isImmutable ? [POLLING] : []),
    ...(scope === undefined ? [] : [`The key needs the scope \`${scope}\`.`]),
  ].join('\n\n');

const lists = new Map<z.core.$ZodType, z.ZodType>();

/** The list of an item. Two operations with a common item have a common schema. */
function listOf(item: z.core.$ZodType): z.ZodType {
  const known = lists.get(item);
  if (known) return known;
  const made = z
    .object({ data: z.array(item).meta({ description: 'The items of the page.' }), meta: Meta })
    .meta({
      id: `${z.globalRegistry.get(item)?.id?.replace(/Record$/, '')}List`,
      description: 'A page of a list.',
    });
  lists.set(item, made);
  return made;
}

const jsonContent = (schema: z.core.$ZodType, io: 'input' | 'output') => ({
  'application/json': { schema, example: exampleOf(schema, io) },
});

/** Whether `changed_since` makes a copy of the list of an operation. */
const isFollowed = ({ query }: Operation): boolean => 'changed_since' in (query?.().shape ?? {});

const Removal = z
  .object({
    inscription_id: z.uuid().meta({
      description: 'The registration that left the list.',
      examples: ['a0000000-0000-4000-8000-000000000017'],
    }),
    removed: z
      .literal(true)
      .meta({ description: 'The row is no longer in the list.', examples: [true] }),
  })
  .meta({
    id: 'ListRemoval',
    description: 'Somebody who left a list since `changed_since`.',
  });

const changeNameOf = (item: z.core.$ZodType) =>
  `${z.globalRegistry.get(item)?.id?.replace(/^Exported/, '')}ListChange`;

/** An item in the form for a copy. A copy has no positions, because a position changes with other runners' results. */
function copiedItem(item: z.core.$ZodType): z.core.$ZodType {
  if (!(item instanceof z.ZodObject)) return item;
  const fields = Object.entries<z.core.$ZodType>(item.shape);
  const kept = fields.filter(([name]) => !/^position_|^rank_by$/.test(name));
  return kept.length === fields.length ? item : z.object(Object.fromEntries(kept));
}

/** The answers of `changed_since`, for each list with a copy. A line of text names only its schema. */
const changeComponents = () =>
  OPERATIONS.filter(isFollowed)
    .flatMap(({ answer: { exportOf } }) => exportOf ?? [])
    .map((item) => {
      const change = z.union([copiedItem(item), Removal]).meta({
        id: changeNameOf(item),
        description: 'A row that is new, different or gone since `changed_since`.',
      });
      return createSchema(change, { io: 'output', opts: { override } }).components;
    });

/** The types of an export, in the order of `EXPORT_TYPES`. */
function exportContent(item: z.core.$ZodType, canFollow: boolean): ZodOpenApiContentObject {
  const example = Object(exampleOf(item, 'output'));
  return {
    'text/csv': {
      schema: {
        type: 'string',
        description: 'One line per item. The first line has the names of the fields.',
      },
      example: csvLine(Object.keys(example)) + csvLine(Object.values(example)),
    },
    'application/x-ndjson': {
      schema: canFollow
        ? {
            type: 'string',
            description:
              'One item as JSON per line. With `changed_since` this is the answer to `Accept: application/json` too.',
            contentMediaType: 'application/json',
            contentSchema: { $ref: `#/components/schemas/${changeNameOf(item)}` },
          }
        : { type: 'string', description: 'One item as JSON per line.' },
      example: `${JSON.stringify(example)}\n`,
    },
    ...jsonContent(listOf(item), 'output'),
  } satisfies Record<(typeof EXPORT_TYPES)[number], ZodOpenApiContentObject[string]>;
}

const fileContent = ({
  type,
  description,
  example,
}: NonNullable<Operation['answer']['file']>): ZodOpenApiContentObject => ({
  [type]: { schema: { type: 'string', description }, example },
});

function bodyContent({ body, fileExample }: Operation): ZodOpenApiContentObject {
  const schema = body && isStreamed(body) ? body.schema : body;
  if (schema) return jsonContent(schema(), 'input');
  return {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          file: {
            type: 'string',
            format: 'binary',
            contentMediaType: 'text/csv',
            description: 'The CSV file or the workbook.',
          },
        },
        required: ['file'],
      },
      encoding: { file: { contentType: 'text/csv' } },
      example: { file: fileExample },
    },
    'text/csv': {
      schema: { type: 'string', format: 'binary', description: 'The CSV file.' },
      example: fileExample,
    },
    [WORKBOOK_TYPE]: {
      schema: { type: 'string', format: 'binary', description: 'The workbook.' },
    },
  };
}
