import { type Schema, Validator } from '@cfworker/json-schema';
import { openApiDocument } from '../site/openapi/document.ts';
import { ErrorBody } from '../site/openapi/errors.ts';
import { HEADERS, headersOf } from '../site/openapi/headers.ts';
import { EXTENSIBLE } from '../site/openapi/override.ts';
import { ERROR_STATUS } from '../worker/errors.ts';

type SecurityScheme = { type: 'http' } | { type: 'apiKey'; name: string };
export type MediaType = {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
};
type DocumentedAnswer = {
  headers: Record<string, { schema: Schema; required?: boolean }>;
  content?: Record<string, MediaType>;
};
export type Parameter = {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: true;
  schema: Schema;
  example: unknown;
};
type OperationObject = {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, DocumentedAnswer>;
};
type Document = {
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    securitySchemes: Record<string, SecurityScheme>;
    schemas: Record<string, Schema>;
  };
};

export type DocumentedOperation = OperationObject & { method: string; path: string };

const isNode = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The content of /openapi.json. Each reference is replaced by its object. */
export function resolvedDocument(): Document {
  const whole = JSON.parse(JSON.stringify(openApiDocument()));
  const resolved = new Set<unknown>();
  const resolve = (node: unknown): unknown => {
    if (!isNode(node)) return node;
    const { $ref } = node;
    if (typeof $ref === 'string') {
      const names = $ref.split('/').slice(1);
      return resolve(names.reduce((parent, name) => parent[name], whole));
    }
    if (resolved.has(node)) return node;
    resolved.add(node);
    for (const [name, child] of Object.entries(node)) node[name] = resolve(child);
    return node;
  };
  resolve(whole);
  return whole;
}

/**
 * The document, closed: programs accept new fields and values of answers, but a test must not meet an undocumented
 * field.
 */
export const document = resolvedDocument();
for (const [name, schema] of Object.entries(document.components.schemas)) {
  if (!/In$/.test(name)) close(schema);
}

function close(node: unknown): void {
  if (!isNode(node)) return;
  if ('properties' in node && !('additionalProperties' in node)) {
    Object.assign(node, { additionalProperties: false });
  }
  if (EXTENSIBLE in node) Object.assign(node, { enum: node[EXTENSIBLE] });
  for (const child of Object.values(node)) close(child);
}

export const documentedOperations: readonly DocumentedOperation[] = Object.entries(
  document.paths,
).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
);

/** Paths outside the public contract: the health checks, the public keys, the board's page and its data. */
export const isUndocumented = (path: string): boolean =>
  /^\/(healthz|readyz|\.well-known|b|board(?!\/v1\/))(\/|$)/.test(path);

/** The fewest parameters first, so that a fixed path precedes a parameter. */
const matchers = documentedOperations
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => a.operation.path.split('{').length - b.operation.path.split('{').length);

export type HttpAnswer = { status: number; headers: Headers; body: string };

/**
 * Compares an answer with the document: status, headers, content type, body and error code. A path without an operation
 * must answer an error in the envelope.
 * @throws Error with every difference
 */
export function expectDocumented(method: string, path: string, answer: HttpAnswer): void {
  // A preflight is no operation.
  if (isUndocumented(path) || method === 'OPTIONS') return;
  // The answer to HEAD is the answer to GET without a body.
  const asked = method === 'HEAD' ? 'GET' : method;
  const operation = matchers.find(
    ({ operation: { method: known }, pattern }) => known === asked && pattern.test(path),
  )?.operation;
  const documented = operation
    ? operation.responses[answer.status]
    : undocumentedError(path, answer.status);
  const differences = documented
    ? [
        ...wrongHeaders(documented, answer),
        ...(method === 'HEAD' ? [] : wrongBody(documented, answer)),
      ]
    : ['The status is not documented.'];
  if (differences.length === 0) return;
  throw new Error(
    `${method} ${path} (${operation?.operationId ?? 'no operation'}) answered ${answer.status}, ` +
      `unlike the document:\n${differences.join('\n')}\n${answer.body.slice(0, 1_000)}`,
  );
}

/** Fetches from a running API and compares the answer with the document. */
export async function fetchDocumented(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const body = await response.clone().text();
  expectDocumented(init.method ?? 'GET', new URL(url).pathname, { status, headers, body });
  return response;
}

/** The examples of every error of an operation. */
export const documentedErrors = ({ responses }: DocumentedOperation) =>
  Object.entries(responses).flatMap(([status, answer]) =>
    Object.values(answer.content ?? {}).flatMap(({ examples = {} }) =>
      Object.entries(examples).map(([name, { value }]) => ({
        status: Number(status),
        name,
        value,
      })),
    ),
  );

/** The required error of an undocumented path or method. */
function undocumentedError(path: string, status: number): DocumentedAnswer | undefined {
  if (status < 400) return undefined;
  const isPublic = /^\/public\/v1(\/|$)/.test(path);
  const area = isPublic ? 'public' : path.startsWith('/board/') ? 'board' : 'panel';
  const names = Object.keys(headersOf(area, status === 503 ? ['Retry-After'] : []));
  // The address of a board decides how long its refusal is kept.
  const isOpen = (name: string) => area === 'board' && name === 'Cache-Control';
  const headers = Object.entries(HEADERS)
    .filter(([name]) => names.includes(name))
    .map(([name, header]) => [name, isOpen(name) ? { ...header, schema: {} } : header] as const);
  const { [String(ErrorBody.meta()?.id)]: schema = {} } = document.components.schemas;
  return { headers: Object.fromEntries(headers), content: { 'application/json': { schema } } };
}

/** Headers outside the document: of HTTP, of browsers and of caches. No program branches on them. */
const OF_TRANSPORT = [
  ...['allow', 'connection', 'content-encoding', 'content-length', 'content-type', 'date'],
  ...['keep-alive', 'transfer-encoding', 'vary', 'cache-tag', 'x-robots-tag'],
  ...['strict-transport-security', 'x-content-type-options', 'access-control-expose-headers'],
];

/** Headers that a page of another site may read without permission. */
const SAFELISTED = ['Cache-Control', 'Access-Control-Allow-Origin'];

/** Finds missing headers, undocumented headers, and headers that a page of another site cannot read. */
function wrongHeaders(documented: DocumentedAnswer, { headers }: HttpAnswer): string[] {
  const unknown = new Headers(headers);
  for (const name of [...OF_TRANSPORT, ...Object.keys(HEADERS)]) unknown.delete(name);
  const exposed = headers.get('Access-Control-Expose-Headers')?.split(',') ?? [];
  const isReadable = (name: string) =>
    !headers.has('Access-Control-Allow-Origin') || [...SAFELISTED, ...exposed].includes(name);
  return [
    ...Array.from(unknown.keys(), (name) => `HEADERS has no ${name}.`),
    ...Object.keys(HEADERS).flatMap((name) => {
      const sent = headers.get(name);
      const { schema, required = true } = documented.headers[name] ?? {};
      if (!schema) return sent === null ? [] : [`The header ${name} is not documented.`];
      if (sent === null) return required ? [`The header ${name} is missing.`] : [];
      if (!isReadable(name)) return [`A page of another site cannot read the header ${name}.`];
      const value = schema.type === 'integer' ? Number(sent) : sent;
      return errorsIn(schema, value).map((error) => `${name}: ${error}`);
    }),
  ];
}

const NDJSON = 'application/x-ndjson';

function wrongBody({ content }: DocumentedAnswer, { status, headers, body }: HttpAnswer): string[] {
  const sentType = headers.get('Content-Type')?.split(';', 1)[0] ?? null;
  if (!content) {
    return sentType === null && body === '' ? [] : ['No body is documented.'];
  }
  const media = sentType === null ? undefined : content[sentType];
  if (!media) return [`The type ${sentType} is not documented.`];
  // An export is a text of lines.
  const value: unknown =
    sentType?.endsWith('json') && sentType !== NDJSON ? JSON.parse(body) : body;
  const errors = errorsIn(media.schema, value);
  if (errors.length > 0 || status < 400) return errors;
  return wrongCode(media, value, status);
}

/** The document must show the error code beside its status. */
function wrongCode({ examples = {} }: MediaType, sent: unknown, status: number): string[] {
  const { code } = ErrorBody.parse(sent);
  const shown = Object.values(examples).map(({ value }) => ErrorBody.parse(value).code);
  const fits = shown.length > 0 ? shown.includes(code) : ERROR_STATUS[code] === status;
  return fits ? [] : [`The code ${code} is not documented.`];
}

const validators = new WeakMap<object, Validator>();

/** Validates a value with a schema of the document. */
export function errorsIn(schema: Schema, value: unknown): string[] {
  const validator = validators.get(schema) ?? new Validator(schema, '2020-12', false);
  validators.set(schema, validator);
  return validator
    .validate(value)
    .errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}
