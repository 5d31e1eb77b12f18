import type { Schema } from '@cfworker/json-schema';
import { EXTENSIBLE } from '../site/openapi/override.ts';
import { isObject } from '../worker/results/upload/schemas.ts';
import { resolvedDocument } from './documented.ts';

/** The example with a further field in every object, and a new value in every text with listed values. */
function grown(example: unknown, schema: Schema | boolean | undefined): unknown {
  if (typeof schema !== 'object') return example;
  const { anyOf, items, properties } = schema;
  if (anyOf) {
    const present = anyOf.find((one) => typeof one === 'object' && one.type !== 'null');
    return grown(example, present);
  }
  if (EXTENSIBLE in schema) return 'A_NEW_VALUE';
  if (Array.isArray(example)) return example.map((item) => grown(item, items));
  if (!isObject(example) || !properties) return example;
  const fields = Object.entries(example).map(([name, value]) => [
    name,
    grown(value, properties[name]),
  ]);
  return { ...Object.fromEntries(fields), a_new_field: { nested: true } };
}

export const openDocument = resolvedDocument();

/** The JSON answers of all operations, each in a form that the service may answer later. */
export const LATER_ANSWERS = Object.values(openDocument.paths).flatMap((item) =>
  Object.values(item).flatMap(({ operationId: id, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const json = content?.['application/json'];
      if (Number(status) >= 400 || !json) return [];
      const { schema, example } = json;
      return [{ id, status: Number(status), schema, later: grown(example, schema) }];
    }),
  ),
);
