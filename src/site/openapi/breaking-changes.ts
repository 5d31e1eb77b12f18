/** The parts of an OpenAPI 3.1 document that this file reads. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  [limit: string]: unknown;
};
type Content = Record<string, { schema?: Schema }>;
type Operation = {
  operationId?: string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses?: Record<string, { headers?: Record<string, unknown>; content?: Content }>;
};
export type ApiDocument = {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
};

const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
const LEAST = ['minimum', 'minLength', 'minItems', 'minProperties'];
const MOST = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

/**
 * The changes that break a program written for the earlier document. The guide on versions says which they
 * are. Added operations, optional inputs and fields of answers are no breaks, nor are new values of a field.
 * Errors have one form and their own table, so only other answers are compared.
 */
export function breakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  const [old, now] = [factsOf(before), factsOf(after)];
  /** A field that accepts any value accepts each value. */
  const held = (fact: string): number | undefined =>
    now.promised.get(fact) ?? now.promised.get(fact.replace(/(?<= accepts the \w+ ).*$/, 'any'));
  const lost = [...old.promised].filter(([fact, amount]) => amount > (held(fact) ?? -Infinity));
  const added = [...now.demanded].filter(
    ([fact, whole]) => old.promised.has(whole) && !old.demanded.has(fact),
  );
  return [...lost.map(([fact]) => `no longer: ${fact}`), ...added.map(([fact]) => `new: ${fact}`)];
}

/** The promises of a document, as sentences. */
function factsOf({ paths = {}, components = {} }: ApiDocument) {
  /** Promises to programs, each with the amount that it holds for. */
  const promised = new Map<string, number>();
  /** Demands on programs, each with the promise without which it is no demand on them. */
  const demanded = new Map<string, string>();
  const promise = (fact: string, amount = 1) =>
    promised.set(fact, Math.max(amount, promised.get(fact) ?? -Infinity));

  /** The alternatives of a schema, without references. */
  function optionsOf(schema: Schema): Schema[] {
    const name = schema.$ref?.split('/').at(-1);
    const known = name === undefined ? schema : (components.schemas?.[name] ?? {});
    return (known.anyOf ?? known.oneOf)?.flatMap(optionsOf) ?? [known];
  }

  function parts(schema: Schema, place: string, read: (part: Schema, place: string) => void): void {
    const { properties = {}, items, additionalProperties } = schema;
    for (const [name, field] of Object.entries(properties)) {
      promise(`${place}.${name} is there`);
      read(field, `${place}.${name}`);
    }
    if (items) read(items, `${place}[]`);
    if (typeof additionalProperties === 'object') read(additionalProperties, `${place}.*`);
  }

  function limits(schema: Schema, place: string): void {
    for (const limit of MOST) promise(`${place} has this ${limit}`, numberOf(schema[limit]));
    for (const limit of LEAST) promise(`${place} has this ${limit}`, numberOf(schema[limit], -1));
  }

  /** Accepted input must still be accepted. */
  function input(schema: Schema, place: string): void {
    for (const option of optionsOf(schema)) {
      const { format = 'any', pattern = 'any', required = [], uniqueItems = 'any' } = option;
      const values = 'const' in option ? [option.const] : (option.enum ?? ['any']);
      for (const type of typesOf(option)) promise(`${place} accepts ${type}`);
      for (const value of values) promise(`${place} accepts the value ${value}`);
      for (const [name, form] of Object.entries({ format, pattern, uniqueItems })) {
        promise(`${place} accepts the ${name} ${form}`);
      }
      limits(option, place);
      for (const name of required) {
        demanded.set(`${place}.${name} is required`, `${place} accepts object`);
      }
      parts(option, place, input);
    }
  }

  /** An answer must still have the form that a program expects. */
  function output(schema: Schema, place: string): void {
    const options = optionsOf(schema);
    const types = options.flatMap(typesOf);
    for (const type of TYPES) if (!types.includes(type)) promise(`${place} is never ${type}`);
    for (const option of options) {
      if (option.format !== undefined) promise(`${place} has the format ${option.format}`);
      for (const name of option.required ?? []) promise(`${place}.${name} is always there`);
      parts(option, place, output);
    }
  }

  function request({ parameters = [], requestBody }: Operation, place: string): void {
    for (const { name, in: where, required, schema = {} } of parameters) {
      const parameter = `${place}: ${where} ${name}`;
      promise(`${parameter} is there`);
      if (required) demanded.set(`${parameter} is required`, `${place} is there`);
      input(schema, parameter);
    }
    if (requestBody?.required) demanded.set(`${place}: a body is required`, `${place} is there`);
    for (const [type, { schema = {} }] of Object.entries(requestBody?.content ?? {})) {
      promise(`${place} accepts ${type}`);
      input(schema, `${place}: ${type}`);
    }
  }

  function answers({ responses = {} }: Operation, place: string): void {
    for (const [status, { headers = {}, content = {} }] of Object.entries(responses)) {
      if (Number(status) >= 400) continue;
      promise(`${place} answers ${status}`);
      for (const name of Object.keys(headers)) promise(`${place} ${status} has the header ${name}`);
      for (const [type, { schema = {} }] of Object.entries(content)) {
        promise(`${place} ${status} can be ${type}`);
        output(schema, `${place} ${status} ${type}`);
      }
    }
  }

  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const place = `${method.toUpperCase()} ${path}`;
      promise(`${place} is there`);
      promise(`${place} has the operationId ${operation.operationId}`);
      for (const way of operation.security ?? []) {
        promise(`${place} is open to ${JSON.stringify(way)}`);
      }
      request(operation, place);
      answers(operation, place);
    }
  }
  return { promised, demanded };
}

/** A limit as the amount that it leaves. Without one, everything. */
const numberOf = (limit: unknown, sign: 1 | -1 = 1): number =>
  typeof limit === 'number' ? sign * limit : Infinity;

/** Without a type, a value has any. An integer is a number. */
const typesOf = ({ type = TYPES }: Schema): string[] =>
  [type].flat().flatMap((name) => (name === 'number' ? ['number', 'integer'] : [name]));
