import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import {
  createDocument,
  createSchema,
  type ZodOpenApiContentObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { Meta } from '../../worker/http/answer-schemas.ts';
import type { Operation } from '../../worker/http/documentation.ts';
import { csvLine, type EXPORT_TYPES } from '../../worker/http/export.ts';
import { WORKBOOK_TYPE } from '../../worker/results/upload/file-bytes.ts';
import { ResultIn } from '../../worker/results/upload/schemas.ts';
import { FACTS, fill } from '../facts.ts';
import { errorResponsesOf } from './errors.ts';
import { exampleOf } from './examples.ts';
import { HEADERS, headersOf, REVALIDATED, revalidatedHeaders } from './headers.ts';
import { OPERATIONS, TAGS } from './operations.ts';
import { override } from './override.ts';
import {
  IDEMPOTENCY_KEY,
  IF_NONE_MATCH,
  PATH_PARAMETERS,
  pathParameters,
  withExamples,
} from './parameters.ts';

/** The text at the head of the document. */
const DESCRIPTION = fill(
  readFileSync(join(import.meta.dirname, 'description.md'), 'utf8'),
  FACTS,
).trim();

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

/** The OpenAPI 3.1 document. It is built from the schemas that validate the requests. */
export function openApiDocument() {
  // ResultsUploadIn refers to ResultIn by name only, because the API judges each row alone.
  const row = createSchema(ResultIn, { io: 'input', opts: { override } });
  return createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Race results API', version: '1.0.0', description: DESCRIPTION },
      servers: [{ url: '/', description: 'The server that this document comes from.' }],
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
    items[operation.path] = { ...items[operation.path], [operation.method]: toObject(operation) };
  }
  return items;
}

function toObject(operation: Operation): ZodOpenApiOperationObject {
  const { id, path, scope, tag, summary, query, body, answer, revalidated, idempotent } = operation;
  const ids = pathParameters(path).map((name) => [name, PATH_PARAMETERS[name]] as const);
  const { listOf: item, exportOf } = answer;
  const schema = item ? listOf(item) : answer.schema;
  const area = scope === undefined ? 'panel' : 'public';
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(operation),
    security:
      scope === undefined
        ? [{ panelSession: [] }]
        : [{ headerKey: [scope] }, { bearerKey: [scope] }],
    ...((ids.length > 0 || query) && {
      requestParams: {
        ...(ids.length > 0 && { path: withExamples(Object.fromEntries(ids)) }),
        ...(query && { query: withExamples(query._zod.def.shape) }),
        ...(revalidated && { header: withExamples(IF_NONE_MATCH) }),
        ...(idempotent && { header: withExamples(IDEMPOTENCY_KEY) }),
      },
    }),
    ...(body && { requestBody: { required: true, content: bodyContent(body) } }),
    responses: {
      [`${answer.status}`]: {
        description: answer.description,
        headers: (revalidated ? revalidatedHeaders : headersOf)(
          area,
          exportOf && ['Content-Disposition'],
        ),
        ...(schema && { content: jsonContent(schema, 'output') }),
        ...(exportOf && { content: exportContent(exportOf) }),
      },
      ...(revalidated && {
        304: { description: 'The answer has not changed.', headers: revalidatedHeaders(area) },
      }),
      ...errorResponsesOf(operation),
    },
  };
}

const POLLING =
  'To poll, send the last `ETag` in `If-None-Match`. The answer is an empty 304 until its body changes.';

const descriptionOf = ({ description, revalidated, scope }: Operation): string =>
  [
    description,
    ...(revalidated ? [POLLING] : []),
    ...(scope === undefined ? [] : [`The key needs the scope \`${scope}\`.`]),
  ].join('\n\n');

const lists = new Map<z.core.$ZodType, z.ZodType>();

/** The list of an item. Two operations that list the same items have one schema. */
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

/** The types of an export, in the order of `EXPORT_TYPES`. */
function exportContent(item: z.core.$ZodType): ZodOpenApiContentObject {
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
      schema: { type: 'string', description: 'One item as JSON per line.' },
      example: `${JSON.stringify(example)}\n`,
    },
    ...jsonContent(listOf(item), 'output'),
  } satisfies Record<(typeof EXPORT_TYPES)[number], ZodOpenApiContentObject[string]>;
}

const bodyContent = (body: NonNullable<Operation['body']>): ZodOpenApiContentObject =>
  'json' in body
    ? jsonContent(body.json, 'input')
    : {
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
          example: { file: body.fileExample },
        },
        'text/csv': {
          schema: { type: 'string', format: 'binary', description: 'The CSV file.' },
          example: body.fileExample,
        },
        [WORKBOOK_TYPE]: {
          schema: { type: 'string', format: 'binary', description: 'The workbook.' },
        },
      };
