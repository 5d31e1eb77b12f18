import { openApiDocument } from '../site/openapi/document.ts';
import { OPERATIONS } from '../site/openapi/operations.ts';
import { EXTENSIBLE } from '../site/openapi/override.ts';

export type Node = { [name: string]: unknown };

export const document = JSON.parse(JSON.stringify(openApiDocument()));
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

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

/** The JSON answers of all operations, each as the service may answer it later. */
export const LATER_ANSWERS = OPERATIONS.flatMap((operation) => {
  const { content } =
    document.paths[operation.path][operation.method].responses[operation.answer.status];
  const json = content?.['application/json'];
  if (!json) return [];
  const { id, answer } = operation;
  return [
    { id, status: answer.status, schema: json.schema, later: grown(json.example, json.schema) },
  ];
});
