import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { CODES } from './error-codes.ts';
import { openApiDocument } from './openapi/document.ts';
import { EXTENSIBLE } from './openapi/override.ts';

const LINE_MAX = 100;

/** Types of query parameters, each with an operation that takes them. The document has no name for them. */
const QUERIES: Record<string, string> = {
  PageQuery: 'listEvents',
  ParticipantQuery: 'listEventParticipants',
  ParticipantExportQuery: 'exportEventParticipants',
  StartListQuery: 'exportEventStartList',
  LookupQuery: 'lookupEventParticipants',
  ResultQuery: 'listEventResults',
  ResultExportQuery: 'exportEventResults',
  MissingResultQuery: 'listMissingResults',
  RunnerQuery: 'listOrganizationEventRunners',
  PassingQuery: 'listEventPassings',
  PassingExportQuery: 'exportEventPassings',
  ResultsFileQuery: 'uploadEventResultsFile',
  EventRankingQuery: 'getEventRanking',
  BoardResultQuery: 'listBoardResults',
};

type Schemas = Record<string, JSONSchema>;
export type Operation = {
  operationId: string;
  description: string;
  method: string;
  path: string;
  parameters?: { in: string; name: string; required?: boolean; schema: JSONSchema }[];
  requestBody?: { content: Record<string, { schema?: JSONSchema }> };
  responses: Record<string, { content?: Record<string, { schema?: JSONSchema }> }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Schemas };
};

/** The OpenAPI document, whose references name `$defs`. */
export function documentOf(): { operations: Operation[]; schemas: Schemas } {
  const document: Document = JSON.parse(
    JSON.stringify(openApiDocument()).replaceAll('#/components/schemas/', '#/$defs/'),
    withOpenValues,
  );
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  return { operations, schemas: document.components.schemas };
}

/**
 * Writes the client's types from the OpenAPI document alone. openapi-typescript needs the compiler API,
 * which TypeScript 7 does not have.
 */
export async function generateTypes(): Promise<string> {
  const {
    operations,
    schemas: { Error: _, ...schemas },
  } = documentOf();

  const sent = namesIn(
    operations.map(({ requestBody }) => requestBody),
    schemas,
  );
  const [requests, others] = split(schemas, (name) => sent.has(name));
  for (const [name, id] of Object.entries(QUERIES)) requests[name] = queryOf(operations, id);
  for (const [id, name] of queriesOf(operations)) requests[name] ??= queryOf(operations, id);
  for (const schema of Object.values(requests)) acceptUndefined(schema);
  // The client has a type of its own for the pages of all lists.
  const [, answers] = split(others, (name) => name.endsWith('List'));

  const $defs = { ...requests, ...answers };
  const typesOf = async (named: Schemas) =>
    (await Promise.all(Object.keys(named).map((name) => typeOf(name, $defs)))).join('\n');
  return [
    '// Generated from the OpenAPI document by `npm run generate:client`.\n',
    `export const ERROR_CODES = [\n${CODES.map((code) => `  '${code}',\n`).join('')}] as const;\n`,
    '/** The kind of an error, for a program to branch on. */',
    'export type ErrorCode = (typeof ERROR_CODES)[number];\n',
    (await typesOf(requests)).replaceAll(LIST, 'readonly $&'),
    await typesOf(answers),
    '/** The answer of each operation. The answer of a list or an export is one of its items. */',
    'export interface Answers {',
    ...operations.map((one) => `  ${one.operationId}: ${answerOf(one, schemas)};`),
    '}\n',
  ].join('\n');
}

/** Whether an operation takes a file. */
export const isOfFile = ({ requestBody }: Operation): boolean =>
  requestBody !== undefined && 'multipart/form-data' in requestBody.content;

/** Query parameters that a method takes as an option of the call, or that choose the form of a file. */
const OPTIONS = ['reason', 'dry_run', 'delimiter'];

/**
 * The name of the type of the query of each operation that has one, by its id. Operations with the same parameters have
 * the same type.
 */
export function queriesOf(operations: Operation[]): Map<string, string> {
  const parametersOf = ({ parameters = [], requestBody }: Operation) =>
    parameters
      .filter((one) => one.in === 'query' && !one.required && !OPTIONS.includes(one.name))
      // Of an upload it is an option, of a list a filter.
      .filter(({ name }) => name !== 'by_hand' || !requestBody)
      .map(({ name }) => name)
      .join();
  const names = new Map<string, string>();
  for (const [name, id] of Object.entries(QUERIES)) {
    const operation = operations.find(({ operationId }) => operationId === id);
    if (!operation) throw new Error(`No operation has the id ${id}.`);
    names.set(parametersOf(operation), name);
  }
  const queries = new Map<string, string>();
  for (const operation of operations) {
    const { operationId: id } = operation;
    const parameters = parametersOf(operation);
    // How a file is read is an option of the call.
    if (parameters === '' || isOfFile(operation)) continue;
    const name = names.get(parameters) ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}Query`;
    names.set(parameters, name);
    queries.set(id, name);
  }
  return queries;
}

/** The name of the type that an operation answers with. */
export function answerOf({ responses }: Operation, schemas: Schemas): string {
  const [{ content } = {}] = Object.values(responses);
  if (content && !('application/json' in content)) return 'string';
  const name = nameOf(content?.['application/json']?.schema);
  return nameOf(schemas[name ?? '']?.properties?.['data']?.items) ?? name ?? 'undefined';
}

export const nameOf = (schema: JSONSchema | undefined): string | undefined =>
  schema?.$ref?.split('/').at(-1);

/** A text that may get more values accepts every text. Its type names those of today. */
function withOpenValues(_: string, node: unknown): unknown {
  if (typeof node !== 'object' || node === null || !(EXTENSIBLE in node)) return node;
  const { [EXTENSIBLE]: values, ...rest } = node;
  const known = [values].flat().map((value) => ({ const: value }));
  return { ...rest, type: undefined, anyOf: [...known, { tsType: '(string & {})' }] };
}

/** The client does not change what it sends, so it accepts readonly arrays. */
const LIST = /(\w+|\([^()]*\))\[\]/g;

/** The names of the schemas that a part of the document refers to, directly or through others. */
function namesIn(part: unknown, schemas: Schemas, names = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/\$defs\/(\w+)"/g)) {
    if (names.has(name)) continue;
    names.add(name);
    namesIn(schemas[name], schemas, names);
  }
  return names;
}

const split = (schemas: Schemas, isFirst: (name: string) => boolean): [Schemas, Schemas] => {
  const entries = Object.entries(schemas);
  return [
    Object.fromEntries(entries.filter(([name]) => isFirst(name))),
    Object.fromEntries(entries.filter(([name]) => !isFirst(name))),
  ];
};

/** @throws Error if no operation has this id */
function queryOf(operations: Operation[], id: string): JSONSchema {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (!operation) throw new Error(`No operation has the id ${id}.`);
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Optional fields may be undefined, also for callers that compile with exactOptionalPropertyTypes. */
function acceptUndefined({ properties = {}, required = [] }: JSONSchema): void {
  for (const [field, { description, ...type }] of Object.entries(properties)) {
    if (Array.isArray(required) && required.includes(field)) continue;
    const types = Array.isArray(type.type) ? type.type.map((name) => ({ type: name })) : [type];
    properties[field] = {
      ...(description !== undefined && { description }),
      anyOf: [...(type.anyOf ?? types), { tsType: 'undefined' }],
    };
  }
}

const typeOf = (name: string, $defs: Schemas): Promise<string> =>
  compile({ ...$defs[name], $defs, title: name }, name, {
    additionalProperties: false,
    bannerComment: '',
    declareExternallyReferenced: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: LINE_MAX },
  });
