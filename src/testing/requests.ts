import type { Schema } from '@cfworker/json-schema';
import {
  type DocumentedOperation,
  errorsIn,
  type MediaType,
  type Parameter,
} from './documented.ts';

/** A request generated from the document alone. */
export type GeneratedRequest = {
  /** The difference from the documented example. */
  change: string;
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string | FormData;
  /** Whether the document allows this request. */
  allowed: boolean;
};

type Sent = {
  query: [string, string][];
  headers?: Record<string, string>;
  body?: string | FormData;
};

/** The first numbers beyond 32 and 64 bits, with a sign or without, and their neighbours. */
export const LARGE_NUMBERS = [31n, 32n, 53n, 63n, 64n].flatMap((bits) =>
  [-1n, 0n, 1n].map((more) => String(2n ** bits + more)),
);

/** Values of every type and of unusual lengths, each of which replaces every value of an example. */
const REPLACEMENTS: unknown[] = [
  ...[
    null,
    true,
    0,
    1,
    -1,
    1.5,
    ...LARGE_NUMBERS.map(Number),
    [],
    [null],
    ['x'],
    ['x', 'x'],
    {},
    { x: 1 },
  ],
  ...['', ' ', 'x', '17', '\0', 'a\0b', '00:41:02', 'DNF'],
  ...['x'.repeat(100), 'x'.repeat(101), '🏃'.repeat(100), '🏃'.repeat(101)],
];

const FORM = 'multipart/form-data';

const QUERY_VALUES = [
  ...['', ' ', 'x', '\0', 'a\0b', '🏃'],
  ...['0', '1', '-1', '1.5', '1e2', '9'.repeat(400), ...LARGE_NUMBERS],
];

/** Whether a parameter gets values beyond its example. A cursor is an answer of the API, not a text of a form. */
export const isVaried = (parameter: Pick<Parameter, 'in' | 'name'>): boolean =>
  parameter.in === 'query' && parameter.name !== 'changed_since';

/** Requests to an operation. Each request differs in a single point from the examples. `ids` exist in the database. */
export function* requestsTo(
  operation: DocumentedOperation,
  ids: Record<string, string>,
): Generator<GeneratedRequest> {
  const { method, parameters = [], requestBody } = operation;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(ids[name] ?? ''),
  );
  // A cursor is valid alone, and in a single list: copy.test.ts tests cursors.
  const query = parameters.filter(isVaried);
  // Such a parameter names a part of another file than the example.
  const examples = query
    .filter(({ schema }) => !dependsOnFile(schema))
    .flatMap(({ name, example }) =>
      // A list is sent as a pair for each item.
      [ids[name] ?? example].flat().map((value): [string, string] => [name, String(value)]),
    );
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const body = type && media ? bodyOf(type, media.example) : {};
  const request = (change: string, allowed: boolean, sent: Partial<Sent>): GeneratedRequest => {
    const { query: pairs, ...rest } = { query: examples, headers: {}, ...body, ...sent };
    const search = new URLSearchParams(pairs).toString();
    return { change, method, target: search ? `${path}?${search}` : path, allowed, ...rest };
  };

  yield request('nothing', true, {});
  const isRead = method === 'GET';
  yield request('an unknown parameter', isRead, { query: [...examples, ['unknown', '1']] });
  if (!isRead && !requestBody) yield request('a body', false, bodyOf('application/json', [1]));
  for (const parameter of query) {
    for (const [change, allowed, pairs] of changesOf(parameter)) {
      const others = examples.filter(([name]) => name !== parameter.name);
      yield request(change, allowed, { query: [...others, ...pairs] });
    }
  }
  if (!(type && media)) return;
  yield request('no body', false, { headers: { 'Content-Type': type }, body: '' });
  yield request('another type', false, { headers: { 'Content-Type': 'text/plain' }, body: 'x' });
  if (type === 'application/json') {
    yield request(
      'half a body',
      false,
      bodyOf(type, media.example, (text) => text.slice(0, -1)),
    );
  }
  const whole = withoutItemsThatFailAlone(media.schema);
  const hasRows = JSON.stringify(media.schema).includes('x-items-fail-alone');
  for (const { change, value } of type === FORM ? formsLike(media) : variantsOf(media)) {
    const allowed = errorsIn(whole, value).length === 0 && (hasRows || !hasNul(value));
    yield request(change, allowed, bodyOf(type, value));
  }
}

/** The description of the document forbids NUL in every text: no pattern can say so in every language. */
const hasNul = (value: unknown): boolean => JSON.stringify(value)?.includes('\\u0000') ?? false;

const dependsOnFile = (schema: Schema): boolean => Object.hasOwn(schema, 'x-depends-on-file');

type Change = [change: string, allowed: boolean, pairs: [string, string][]];

function* changesOf({ name, required, schema }: Parameter): Generator<Change> {
  const { minimum, maximum } = schema;
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined);
  const numbers = bounds.flatMap((bound) => [bound - 1, bound, bound + 1]).map(String);
  const isList = schema.type === 'array';
  for (const value of [...QUERY_VALUES, ...numbers]) {
    const read = schema.type === 'integer' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
    const allowed = errorsIn(schema, isList ? [read] : read).length === 0 && !hasNul(value);
    if (allowed && dependsOnFile(schema)) continue;
    yield [`${name}=${value.slice(0, 40)}`, allowed, [[name, value]]];
  }
  yield [`no ${name}`, !required, []];
  if (isList) return;
  yield [
    `${name} twice`,
    false,
    [
      [name, '1'],
      [name, '1'],
    ],
  ];
}

/** Variants of the example of a body: each value is replaced, removed or gets a further value. */
function* variantsOf({
  schema,
  example,
}: MediaType): Generator<{ change: string; value: unknown }> {
  for (const path of pathsIn(example)) {
    const name = path.join('.') || 'the body';
    for (const replacement of REPLACEMENTS) {
      const value = changed(example, path, () => replacement);
      yield { change: `${name}: ${JSON.stringify(replacement).slice(0, 40)}`, value };
    }
    if (path.length > 0) {
      yield { change: `no ${name}`, value: changed(example, path, () => undefined) };
    }
    yield { change: `more in ${name}`, value: changed(example, path, oneMore) };
    const { maxItems } = schemaAt(schema, path);
    for (const length of maxItems === undefined ? [] : [maxItems, maxItems + 1]) {
      const value = changed(example, path, (items) => repeated(items, length));
      yield { change: `${length} in ${name}`, value };
    }
  }
}

/** Variants of a form. The document describes the content of a file in words, so the content stays. */
function* formsLike({ example }: MediaType): Generator<{ change: string; value: unknown }> {
  for (const [name, content] of Object.entries(Object(example))) {
    yield { change: `no ${name}`, value: changed(example, [name], () => undefined) };
    yield { change: `${name} twice`, value: changed(example, [name], () => [content, content]) };
  }
  yield { change: 'more in the form', value: oneMore(example) };
}

const oneMore = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...value, value[0]];
  if (typeof value === 'object' && value !== null) return { ...value, unknown: 1 };
  return typeof value === 'string' ? `${value}x` : value;
};

const repeated = (items: unknown, length: number): unknown =>
  Array.isArray(items) ? Array.from({ length }, (_, index) => items[index % items.length]) : items;

export function* pathsIn(value: unknown, path: string[] = []): Generator<string[]> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) yield* pathsIn(child, [...path, key]);
}

/** A copy with a changed value. An undefined value is left out. */
export function changed(
  value: unknown,
  path: readonly string[],
  to: (value: unknown) => unknown,
): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return to(value);
  const copy = Object.entries(Object(value)).flatMap(([name, child]) => {
    const next = name === key ? changed(child, rest, to) : child;
    return next === undefined ? [] : [[name, next] as const];
  });
  return Array.isArray(value) ? copy.map(([, child]) => child) : Object.fromEntries(copy);
}

/** The schema of a property, or an empty schema if the path is no property. */
function schemaAt(schema: Schema, [key, ...rest]: readonly string[]): Schema {
  if (key === undefined) return schema;
  const property = schema.properties?.[key];
  return typeof property === 'object' ? schemaAt(property, rest) : {};
}

/** The schema of a whole request, without the items: an item may fail alone. */
const withoutItemsThatFailAlone = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema), (_, node) => {
    if (node?.['x-items-fail-alone']) delete node.items;
    return node;
  });

function bodyOf(type: string, value: unknown, cut = (text: string) => text): Partial<Sent> {
  if (type !== FORM) {
    return { headers: { 'Content-Type': type }, body: cut(JSON.stringify(value)) };
  }
  const form = new FormData();
  for (const [name, sent] of Object.entries(Object(value))) {
    for (const one of [sent].flat()) form.append(name, new File([String(one)], 'results.csv'));
  }
  return { headers: {}, body: form };
}
