import { Validator } from '@cfworker/json-schema';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { openApiDocument } from './document.ts';
import { OPERATIONS } from './operations.ts';
import { EXTENSIBLE } from './override.ts';

type Node = { [name: string]: unknown };

const document = JSON.parse(JSON.stringify(openApiDocument()));
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** A schema of the document that stands alone. */
const alone = (schema: Node): Node =>
  JSON.parse(
    JSON.stringify({ ...schema, $defs: document.components.schemas }).replaceAll(
      '#/components/schemas/',
      '#/$defs/',
    ),
  );

const follow = (schema: unknown): Node => {
  if (!isNode(schema)) return {};
  const { $ref } = schema;
  return typeof $ref === 'string'
    ? follow(document.components.schemas[$ref.split('/').at(-1) ?? ''])
    : schema;
};

/** The example with one more field in every object, and a new value in every text that lists its values. */
function grown(example: unknown, schema: unknown): unknown {
  const { anyOf, items, properties, ...own } = follow(schema);
  if (Array.isArray(anyOf))
    return grown(
      example,
      anyOf.find((one) => follow(one)['type'] !== 'null'),
    );
  if (EXTENSIBLE in own) return 'A_NEW_VALUE';
  if (Array.isArray(example)) return example.map((item) => grown(item, items));
  if (!isNode(example) || !isNode(properties)) return example;
  const fields = Object.entries(example).map(([name, value]) => [
    name,
    grown(value, properties[name]),
  ]);
  return { ...Object.fromEntries(fields), a_new_field: { nested: true } };
}

const answers = OPERATIONS.flatMap((operation) => {
  const { content } =
    document.paths[operation.path][operation.method].responses[operation.answer.status];
  const json = content?.['application/json'];
  return json ? [[operation.id, json.schema, json.example] as const] : [];
});

test('lets answers have one more field and one more value', () => {
  const refused = answers.flatMap(([id, schema, example]) => {
    const later = grown(example, schema);
    expect(JSON.stringify(later)).toContain('a_new_field');
    const { errors } = new Validator(alone(schema), '2020-12', false).validate(later);
    // Clients that are generated with zod check this.
    const parsed = z.fromJSONSchema(alone(schema)).safeParse(later);
    return [
      ...errors.map(({ error }) => error),
      ...(parsed.success ? [] : [parsed.error.message]),
    ].map((error) => `${id}: ${error}`);
  });
  expect(answers.length).toBeGreaterThan(20);
  expect(refused).toEqual([]);
});

test('still refuses an answer without a field that it must have', () => {
  const accepting = answers.filter(
    ([, schema]) => new Validator(alone(schema), '2020-12').validate({}).valid,
  );
  expect(accepting.map(([id]) => id)).toEqual([]);
});

test('lists the values that answers have now', () => {
  const { schemas } = document.components;
  for (const { [EXTENSIBLE]: values, ...field } of [
    schemas.ResultFailure.properties.reason_code,
    schemas.Event.properties.status,
    schemas.ResultBatch.properties.source,
    schemas.PreviewWarning.properties.code,
    schemas.Error.properties.code,
  ]) {
    expect(values.length).toBeGreaterThan(3);
    expect(field).not.toHaveProperty('enum');
  }
});
