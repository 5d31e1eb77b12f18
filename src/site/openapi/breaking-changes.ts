import { isDeepStrictEqual } from 'node:util';

/** The parts of an OpenAPI 3.1 document that this file reads. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  uniqueItems?: boolean;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
} & Partial<Record<(typeof LOWER_BOUNDS)[number] | (typeof UPPER_BOUNDS)[number], number>>;

type Content = Record<string, { schema?: Schema }>;
type Parameter = { name: string; in: string; required?: boolean; schema?: Schema };
type Answer = { $ref?: string; headers?: Record<string, unknown>; content?: Content };
type Operation = {
  operationId?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses?: Record<string, Answer>;
};

export type ApiDocument = {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
};

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

/**
 * The changes that break a program written for the earlier document. The guide on versions says which they
 * are. Added operations, optional inputs and fields of answers are no breaks, nor are new values of a field.
 */
export function breakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  return Object.entries(before.paths ?? {}).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const place = `${method.toUpperCase()} ${path}`;
      const next = after.paths?.[path]?.[method];
      if (!next) return [`${place} is gone`];
      const compare = createComparison(before, after);
      return [
        ...(operation.operationId === next.operationId ? [] : [`${place} has another operationId`]),
        ...compareSecurity(operation, next, place),
        ...compareParameters(operation, next, place, compare.input),
        ...compareBody(operation, next, place, compare.input),
        ...compareAnswers(operation, next, place, compare.output),
      ];
    }),
  );
}

type Compare = (before: Schema, after: Schema, place: string) => string[];

/** Every way to authenticate must still be enough. */
const compareSecurity = (before: Operation, after: Operation, place: string): string[] =>
  (before.security ?? [])
    .filter((way) => !after.security?.some((other) => isDeepStrictEqual(way, other)))
    .map((way) => `${place} no longer accepts ${JSON.stringify(way)}`);

function compareParameters(
  before: Operation,
  after: Operation,
  place: string,
  compare: Compare,
): string[] {
  const named = ({ parameters = [] }: Operation) =>
    new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
  const [old, now] = [named(before), named(after)];
  const changed = [...old].flatMap(([name, parameter]) => {
    const next = now.get(name);
    if (!next) return [`${place}: ${name} is gone`];
    return compare(parameter.schema ?? {}, next.schema ?? {}, `${place}: ${name}`);
  });
  const required = [...now]
    .filter(([name, { required }]) => required && !old.get(name)?.required)
    .map(([name]) => `${place}: ${name} is now required`);
  return [...changed, ...required];
}

function compareBody(
  { requestBody: before }: Operation,
  { requestBody: after }: Operation,
  place: string,
  compare: Compare,
): string[] {
  if (!before) return after?.required ? [`${place} now needs a body`] : [];
  return Object.entries(before.content).flatMap(([type, { schema = {} }]) => {
    const next = after?.content[type];
    if (!next) return [`${place} no longer accepts ${type}`];
    return compare(schema, next.schema ?? {}, `${place}: body`);
  });
}

/** Errors have one form and their own table. Here only answers without an error are compared. */
function compareAnswers(
  before: Operation,
  after: Operation,
  place: string,
  compare: Compare,
): string[] {
  const good = Object.entries(before.responses ?? {}).filter(([status]) => Number(status) < 400);
  return good.flatMap(([status, { headers = {}, content = {} }]) => {
    const next = after.responses?.[status];
    if (!next) return [`${place} no longer answers ${status}`];
    const lost = Object.keys(headers).filter((name) => !(name in (next.headers ?? {})));
    return [
      ...lost.map((name) => `${place} ${status} has lost the header ${name}`),
      ...Object.entries(content).flatMap(([type, { schema = {} }]) => {
        const other = next.content?.[type];
        if (!other) return [`${place} ${status} is no longer ${type}`];
        return compare(schema, other.schema ?? {}, `${place} ${status}`);
      }),
    ];
  });
}

/** Compares schemas of two documents, whose references differ. */
function createComparison(before: ApiDocument, after: ApiDocument) {
  const resolve = ({ components = {} }: ApiDocument, schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (components.schemas?.[name] ?? {});
  };

  /** Accepted input must still be accepted. */
  const input: Compare = (old, now, place) => {
    const [was, is] = [resolve(before, old), resolve(after, now)];
    const [options, others] = [optionsOf(was), optionsOf(is)];
    if (options || others) {
      return (options ?? [was])
        .filter((one) => !(others ?? [is]).some((other) => input(one, other, place).length === 0))
        .map(() => `${place} accepts less`);
    }
    return [
      ...added(typesOf(is), typesOf(was)).map((type) => `${place} no longer accepts ${type}`),
      ...added(valuesOf(is), valuesOf(was)).map((value) => `${place} no longer accepts ${value}`),
      ...limitsAdded(was, is, place),
      ...missing(is.required, was.required).map((name) => `${place}.${name} is now required`),
      ...children(was, is, place, input),
    ];
  };

  /** An answer must still have the form that a program expects. */
  const output: Compare = (old, now, place) => {
    const [was, is] = [resolve(before, old), resolve(after, now)];
    const [options, others] = [optionsOf(was), optionsOf(is)];
    if (options || others) {
      return (others ?? [is])
        .filter(
          (one) => !(options ?? [was]).some((other) => output(other, one, place).length === 0),
        )
        .map(() => `${place} has another form`);
    }
    const isFormatLost = was.format !== undefined && was.format !== is.format;
    return [
      ...added(typesOf(was), typesOf(is)).map((type) => `${place} may now be ${type}`),
      ...(isFormatLost ? [`${place} no longer has the format ${was.format}`] : []),
      ...missing(was.required, is.required).map((name) => `${place}.${name} may now be missing`),
      ...children(was, is, place, output),
    ];
  };

  const children = (was: Schema, is: Schema, place: string, compare: Compare): string[] => [
    ...Object.entries(was.properties ?? {}).flatMap(([name, property]) => {
      const next = is.properties?.[name];
      return next ? compare(property, next, `${place}.${name}`) : [`${place}.${name} is gone`];
    }),
    ...(was.items ? compare(was.items, is.items ?? {}, `${place}[]`) : []),
    ...(typeof was.additionalProperties === 'object' && typeof is.additionalProperties === 'object'
      ? compare(was.additionalProperties, is.additionalProperties, `${place}.*`)
      : []),
  ];

  return { input, output };
}

const optionsOf = ({ anyOf, oneOf }: Schema): Schema[] | undefined => anyOf ?? oneOf;

const typesOf = ({ type }: Schema): unknown[] | undefined =>
  type === undefined ? undefined : [type].flat();

const valuesOf = (schema: Schema): unknown[] | undefined =>
  'const' in schema ? [schema.const] : schema.enum;

/** The values of `others` that are not in `allowed`. Without a list, everything is allowed. */
const added = (allowed: unknown[] | undefined, others: unknown[] | undefined): unknown[] => {
  if (!allowed) return [];
  if (!others) return ['anything'];
  return others.filter(
    (one) => !allowed.includes(one) && !(one === 'integer' && allowed.includes('number')),
  );
};

const missing = (names: string[] = [], others: string[] = []): string[] =>
  names.filter((name) => !others.includes(name));

function limitsAdded(was: Schema, is: Schema, place: string): string[] {
  const lower = LOWER_BOUNDS.filter(
    (bound) => (is[bound] ?? -Infinity) > (was[bound] ?? -Infinity),
  );
  const upper = UPPER_BOUNDS.filter((bound) => (is[bound] ?? Infinity) < (was[bound] ?? Infinity));
  const forms = (['format', 'pattern'] as const).filter(
    (form) => is[form] !== undefined && is[form] !== was[form],
  );
  const unique = is.uniqueItems && !was.uniqueItems ? ['uniqueItems'] : [];
  return [...lower, ...upper, ...forms, ...unique].map((limit) => `${place} has a new ${limit}`);
}
