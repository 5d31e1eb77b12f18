import { readFileSync } from 'node:fs';
import type { ApiDocument, Content, Operation, Schema } from './document-types.ts';

const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
const FORMS = ['format', 'pattern', 'uniqueItems'];
const LEAST = ['minimum', 'minLength', 'minItems', 'minProperties'];
const MOST = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

/**
 * The changes that break programs written for the earlier document. The guide on versions lists these changes. Added
 * operations, optional inputs and fields of answers are no breaks, nor are new values of a field. All errors have a
 * common form and their own table, so only the answers without errors are compared.
 */
export const breakingChanges = (before: ApiDocument, after: ApiDocument): string[] =>
  eachNamed('', operationsOf(before), operationsOf(after), operationChanges);

/** The operations by method and path, with schemas in place of references. */
function operationsOf({ paths, components }: ApiDocument): Record<string, Operation> {
  const named = (node: Schema | null) => components.schemas[node?.$ref?.split('/').at(-1) ?? ''];
  const inlined: ApiDocument['paths'] = JSON.parse(
    JSON.stringify(paths, (_, node) => named(node) ?? node),
  );
  const operations = Object.entries(inlined).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => [`${method.toUpperCase()} ${path}`, one] as const),
  );
  return Object.fromEntries(operations);
}

/** Compares entries with equal names. An entry only on the old side is gone. */
function eachNamed<T>(
  part: string,
  old: Readonly<Record<string, T>> = {},
  now: Readonly<Record<string, T>> = {},
  compare: (part: string, old: T, now: T) => string[] = () => [],
): string[] {
  return Object.entries(old).flatMap(([name, before]) => {
    const { [name]: after } = now;
    const named = `${part} ${name}`.trim();
    return after === undefined ? [`${named} is gone`] : compare(named, before, after);
  });
}

function operationChanges(part: string, old: Operation, now: Operation): string[] {
  const ways = ({ security }: Operation) =>
    Object.fromEntries(security.map((way) => [JSON.stringify(way), way]));
  const isNewlyRequired = now.requestBody?.required && !old.requestBody?.required;
  const successes = ({ responses }: Operation) =>
    Object.fromEntries(Object.entries(responses).filter(([status]) => Number(status) < 400));
  return [
    ...(old.operationId === now.operationId ? [] : [`${part} has another operationId`]),
    ...eachNamed(`${part} security`, ways(old), ways(now)),
    ...parameterChanges(part, old, now),
    ...(isNewlyRequired ? [`${part} body is required`] : []),
    ...eachNamed(`${part} body`, old.requestBody?.content, now.requestBody?.content, inputChanges),
    ...eachNamed(`${part} answer`, successes(old), successes(now), (status, before, after) => [
      ...eachNamed(`${status} header`, before.headers, after.headers),
      ...eachNamed(status, before.content, after.content, answerChanges),
    ]),
  ];
}

function parameterChanges(part: string, old: Operation, now: Operation): string[] {
  const byName = ({ parameters = [] }: Operation) =>
    Object.fromEntries(parameters.map((one) => [`${one.in} ${one.name}`, one]));
  const before = byName(old);
  const added = Object.entries(byName(now)).filter(
    ([name, { required }]) => required && !before[name]?.required,
  );
  return [
    ...added.map(([name]) => `${part} ${name} is required`),
    ...eachNamed(part, before, byName(now), inputChanges),
  ];
}

/** Accepted input must still be accepted. */
const inputChanges = (part: string, old: Content, now: Content): string[] =>
  gaps(part, now.schema, old.schema, false);

/** An answer must still have the form that a program expects. */
const answerChanges = (part: string, old: Content, now: Content): string[] =>
  gaps(part, old.schema, now.schema, true);

/** The values of the narrow schema that the wide schema forbids, as sentences with the parts of the values. */
function gaps(part: string, wide: Schema = {}, narrow: Schema = {}, isAnswer: boolean): string[] {
  return optionsOf(narrow).flatMap((option) => {
    const [closest] = optionsOf(wide)
      .filter(
        ({ type }) => type === option.type || (type === 'number' && option.type === 'integer'),
      )
      .map((one) => optionGaps(part, one, option, isAnswer))
      .sort((one, other) => one.length - other.length);
    return closest ?? [`${part} ${isAnswer ? 'may be' : 'is no longer'} ${option.type}`];
  });
}

/** The alternatives of a schema. Each alternative has a single type. */
const optionsOf = (schema: Schema): Schema[] =>
  (schema.anyOf ?? schema.oneOf)?.flatMap(optionsOf) ??
  [schema.type ?? TYPES].flat().map((type) => ({ ...schema, type }));

function optionGaps(part: string, wide: Schema, narrow: Schema, isAnswer: boolean): string[] {
  const compare = (name: string, old: Schema, now: Schema) =>
    isAnswer ? gaps(name, old, now, true) : gaps(name, now, old, false);
  const [old, now] = isAnswer ? [wide, narrow] : [narrow, wide];
  const required = wide.required?.filter((name) => !narrow.required?.includes(name)) ?? [];
  return [
    ...FORMS.filter(
      (name) =>
        wide[name] !== undefined &&
        wide[name] !== narrow[name] &&
        !(name === 'pattern' && !isAnswer && hasMoreWords(wide, narrow)),
    ).map((name) => `has another ${name}`),
    // An answer may get more values.
    ...(isAnswer ? [] : limitGaps(wide, narrow)),
    ...required.map((name) => (isAnswer ? `${name} may be missing` : `${name} is required`)),
  ]
    .map((gap) => `${part} ${gap}`)
    .concat(
      eachNamed(part, old.properties, now.properties, compare),
      eachNamed(part, partsOf(old), partsOf(now), compare),
    );
}

/** The words that a pattern such as `^(FINISHED|DNS)$` offers to a client. */
const WORDS = /\((\w+(?:\|\w+)*)\)/;

/** The pattern of words, for a pattern with words in any case, such as `[Dd][Nn][Ss]`. */
const inOneCase = (pattern: string): string => pattern.replace(/\[(\p{Lu})\p{Ll}\]/gu, '$1');

/** Whether two patterns differ only in words that the narrow pattern lacks. */
function hasMoreWords(one: Schema, other: Schema): boolean {
  if (typeof one['pattern'] !== 'string' || typeof other['pattern'] !== 'string') return false;
  const [wide, narrow] = [inOneCase(one['pattern']), inOneCase(other['pattern'])];
  const wordsOf = (pattern: string) => WORDS.exec(pattern)?.[1]?.split('|') ?? [];
  const isFrameEqual = wide.replace(WORDS, '') === narrow.replace(WORDS, '');
  return isFrameEqual && wordsOf(narrow).every((word) => wordsOf(wide).includes(word));
}

/** The schemas of the items of an array and of the values of an object. */
const partsOf = ({ items, additionalProperties }: Schema): Record<string, Schema> => ({
  ...(items && { items }),
  ...(typeof additionalProperties === 'object' && { values: additionalProperties }),
});

function limitGaps(wide: Schema, narrow: Schema): string[] {
  const valuesOf = (schema: Schema) => ('const' in schema ? [schema.const] : schema.enum);
  const allowed = valuesOf(wide);
  const refused = allowed && (valuesOf(narrow) ?? ['any']).filter((one) => !allowed.includes(one));
  const amount = (limit: unknown, other: number) => (typeof limit === 'number' ? limit : other);
  const stricter = [
    ...MOST.filter((name) => amount(wide[name], Infinity) < amount(narrow[name], Infinity)),
    ...LEAST.filter((name) => amount(wide[name], -Infinity) > amount(narrow[name], -Infinity)),
  ];
  return [
    ...(refused ?? []).map((value) => `refuses the value ${value}`),
    ...stricter.map((name) => `has a stricter ${name}`),
  ];
}

// Prints the breaking changes between two documents.
if (import.meta.main) {
  const [before, after] = process.argv
    .slice(2, 4)
    .map((path): ApiDocument => JSON.parse(readFileSync(path, 'utf8')));
  if (!before || !after) throw new Error('Name two API documents: before and after.');
  const changes = breakingChanges(before, after);
  for (const change of changes) process.stderr.write(`${change}\n`);
  if (changes.length > 0) process.exitCode = 1;
}
