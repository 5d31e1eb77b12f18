import type * as z from 'zod/v4/core';
import { createSchema, type SchemaResult } from 'zod-openapi';
import { override } from './override.ts';

type Node = SchemaResult['schema'];

/**
 * Builds an example of a schema from the examples of its parts.
 * @throws Error for a part without an example
 */
export function exampleOf(schema: z.$ZodType, io: 'input' | 'output'): unknown {
  const { schema: root, components } = createSchema(schema, { io, opts: { override } });
  const build = (node: Node | undefined, path: string): unknown => {
    if (typeof node !== 'object') throw new Error(`${path} has no example.`);
    if (node.$ref) return build(components[node.$ref.split('/').at(-1) ?? ''], path);
    if ('examples' in node) return node['examples'][0];
    if ('items' in node) return [build(node['items'], `${path}[]`)];
    if (!('properties' in node)) throw new Error(`${path} has no example.`);
    return Object.fromEntries(
      Object.entries<Node>(node['properties']).map(([name, property]) => [
        name,
        build(property, `${path}.${name}`),
      ]),
    );
  };
  return build(root, 'body');
}
