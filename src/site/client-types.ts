import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { CODES } from './error-codes.ts';
import { openApiDocument } from './openapi/document.ts';
import { EXTENSIBLE } from './openapi/override.ts';

const LINE_MAX = 100;

/** Types of query parameters, each with an operation as an example. The document has no name for these types. */
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

/** Types of values, each with an example of a field. */
const VALUES: Record<string, [schema: string, field: string]> = {
  ResultStatus: ['Result', 'status'],
  RankingRule: ['Result', 'rank_by'],
  Scope: ['ApiKeyRecord', 'scopes'],
  EventStatus: ['Event', 'status'],
  KitStatus: ['Participant', 'kit_status'],
  BatchSource: ['ResultBatch', 'source'],
  OfficialState: ['OfficialResults', 'state'],
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

/** The OpenAPI document with references to `$defs`, and the names of its lists of values. */
export function documentOf() {
  const written = JSON.stringify(openApiDocument()).replaceAll('#/components/schemas/', '#/$defs/');
  const values = valuesOf(JSON.parse(written));
  const document: Document = JSON.parse(written, (_, node) => withNamedValues(node, values));
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  return { operations, schemas: document.components.schemas, values };
}

/**
 * Writes the client's types from the OpenAPI document alone. openapi-typescript needs the compiler API,
 * which TypeScript 7 does not have.
 */
export async function generateTypes(): Promise<string> {
  const {
    operations,
    schemas: { Error: _, ...schemas },
    values,
  } = documentOf();

  const sent = namesIn(
    operations.map(({ requestBody }) => requestBody),
    schemas,
  );
  const [requests, others] = split(schemas, (name) => sent.has(name));
  for (const [name, id] of Object.entries(QUERIES)) requests[name] = queryOf(operations, id);
  for (const [id, name] of queriesOf(operations)) requests[name] ??= queryOf(operations, id);
  for (const schema of Object.values(requests)) acceptUndefined(schema);
  // The client has its own type for the pages of all lists.
  const [, answers] = split(others, (name) => name.endsWith('List'));

  const $defs = { ...extended(requests), ...extended(answers) };
  const typesOf = async (named: Schemas) =>
    (await Promise.all(Object.keys(named).map((name) => typeOf(name, $defs)))).join('\n');
  return [
    '// Generated from the OpenAPI document by `npm run generate:client`.\n',
    `export const ERROR_CODES = [\n${CODES.map((code) => `  '${code}',\n`).join('')}] as const;\n`,
    '/** The kind of an error, for a program to branch on. */',
    'export type ErrorCode = (typeof ERROR_CODES)[number];\n',
    '/** One of the values of today, or a later one. */',
    'export type Extensible<Values extends string> = Values | (string & {});\n',
    ...Array.from(values, ([union, name]) => typeOfValues(name, union)),
    (await typesOf(requests)).replaceAll(LIST, 'readonly $&'),
    await typesOf(answers),
    '/** The answer of each operation. The answer of a list or an export is one of its items. */',
    'export interface Answers {',
    ...operations.map((one) => `  ${one.operationId}: ${answerOf(one, schemas)};`),
    '}\n',
  ].join('\n');
}

export const isOfFile = ({ requestBody }: Operation): boolean =>
  requestBody !== undefined && 'multipart/form-data' in requestBody.content;

/** Query parameters that become options of a call, or choose the form of a file. */
const OPTIONS = ['reason', 'dry_run', 'shift', 'delimiter'];

/** The type name of each operation's query, by the operation's id. Operations with equal parameters share a type. */
export function queriesOf(operations: Operation[]): Map<string, string> {
  const parametersOf = (operation: Operation) => {
    const { parameters = [], requestBody } = operation;
    const options = ['by_hand', 'leave', 'sender', ...(isOfFile(operation) ? [] : ['time_format'])];
    return (
      parameters
        .filter((one) => one.in === 'query' && !one.required && !OPTIONS.includes(one.name))
        // For an upload, these parameters are options; for a list, filters.
        .filter(({ name }) => !options.includes(name) || !requestBody)
        .map(({ name }) => name)
        .join()
    );
  };
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

/** The type name of an operation's answer. */
export function answerOf({ responses }: Operation, schemas: Schemas): string {
  const [{ content } = {}] = Object.values(responses);
  if (content && !('application/json' in content)) return 'string';
  const name = nameOf(content?.['application/json']?.schema);
  const item = name?.endsWith('List') && nameOf(schemas[name]?.properties?.['data']?.items);
  return item || name || 'undefined';
}

export const nameOf = (schema: JSONSchema | undefined): string | undefined =>
  schema?.$ref?.split('/').at(-1);

const unionOf = (values: unknown): string =>
  [values]
    .flat()
    .map((value) => `'${value}'`)
    .join(' | ');

function typeOfValues(name: string, union: string): string {
  const line = `export type ${name} = ${union};\n`;
  if (line.length <= LINE_MAX) return line;
  return `export type ${name} =\n  | ${union.replaceAll(' | ', '\n  | ')};\n`;
}

/** The name of each named list of values, by the union of the values. @throws Error if a field has no values */
const valuesOf = ({ components }: Document): Map<string, string> =>
  new Map(
    Object.entries(VALUES).map(([name, [schema, field]]) => {
      const [values] = findValues(components.schemas[schema]?.properties?.[field]);
      if (!values) throw new Error(`${schema}.${field} has no list of values.`);
      return [unionOf(values), name];
    }),
  );

const findValues = (schema: unknown): unknown[] =>
  typeof schema === 'object' && schema !== null
    ? EXTENSIBLE in schema
      ? [schema[EXTENSIBLE]]
      : Object.values(schema).flatMap(findValues)
    : [];

/** A text with listed values gets the type of the values. A text with an open list accepts every text. */
function withNamedValues(node: unknown, names: Map<string, string>): unknown {
  if (typeof node !== 'object' || node === null) return node;
  const { [EXTENSIBLE]: open, enum: closed, type, ...rest }: JSONSchema = node;
  const union = unionOf(open ?? closed);
  const name = names.get(union);
  if (open) return { ...rest, tsType: `Extensible<${name ?? union}>` };
  return closed && name ? { ...rest, tsType: name } : node;
}

/** The client does not change sent values, so the client accepts readonly arrays. */
const LIST = /(\w+|\([^()]*\))\[\]/g;

/** The names of the schemas behind a part of the document, directly or through references. */
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

/** Optional fields may be undefined, even for callers that compile with exactOptionalPropertyTypes. */
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

/** A type with fewer fields than this stands whole in the types that have its fields. */
const EXTENDED_FIELDS = 6;

/** A type with all fields of a further type extends the largest of these types. */
function extended(schemas: Schemas): Schemas {
  const fieldsOf = ({ properties = {}, required = [] }: JSONSchema) =>
    Object.entries(properties).map(([name, type]) =>
      JSON.stringify([name, type, Array.isArray(required) && required.includes(name)]),
    );
  const all = Object.entries(schemas)
    .map(([name, schema]) => ({ name, fields: new Set(fieldsOf(schema)) }))
    .filter(({ name, fields }) => name === 'PageQuery' || fields.size >= EXTENDED_FIELDS)
    .sort((a, b) => b.fields.size - a.fields.size);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const own = new Set(fieldsOf(schema));
      const base = all.find(
        ({ fields }) => fields.size < own.size && [...fields].every((field) => own.has(field)),
      );
      if (!base) return [name, schema];
      const inherited = schemas[base.name]?.properties ?? {};
      const properties = Object.fromEntries(
        Object.entries(schema.properties ?? {}).filter(([field]) => !(field in inherited)),
      );
      return [name, { ...schema, properties, extends: [{ $ref: `#/$defs/${base.name}` }] }];
    }),
  );
}

const typeOf = async (name: string, schemas: Schemas): Promise<string> => {
  // The compiler walks through all definitions several times, so it gets those behind the type alone.
  const used = namesIn(schemas[name], schemas);
  const [$defs] = split(schemas, (other) => used.has(other));
  const code = await compile({ ...schemas[name], $defs, title: name }, name, {
    additionalProperties: false,
    bannerComment: '',
    declareExternallyReferenced: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: LINE_MAX },
  });
  return code.replaceAll(COMMENT_OF_A_LINE, '/** $1 */');
};

const COMMENT_OF_A_LINE = /\/\*\*\n *\* (.*)\n *\*\//g;
