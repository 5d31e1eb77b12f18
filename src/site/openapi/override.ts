import * as z from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';

/** Adds to the JSON Schema of a zod schema the parts that the libraries leave out, and removes noise. */
export const override: ZodOpenApiOverride = ({ zodSchema, jsonSchema, io }) => {
  const { def } = zodSchema._zod;
  // The format is enough: the pattern of a date-time fills a screen.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // These bounds only say "a safe integer".
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (io === 'output') return open(jsonSchema);
  // A number in a query string is parsed from text, but a client sends a number.
  if (def.type === 'pipe' && def.out._zod.def.type === 'number') {
    delete jsonSchema.pattern;
    const { $schema, ...number } = z.toJSONSchema(def.out);
    Object.assign(jsonSchema, number);
  }
  // zod leaves defaults and examples out where a schema has a transformation.
  if (def.type === 'default') jsonSchema.default = def.defaultValue;
  const examples = z.globalRegistry.get(zodSchema)?.examples;
  if (examples !== undefined) jsonSchema.examples = examples;
};

/** Lists every known value of a text that may get more values. */
export const EXTENSIBLE = 'x-extensible-enum';

/** Answers may get more fields and values at any time: clients generated from the document must accept both. */
function open(schema: Parameters<ZodOpenApiOverride>[0]['jsonSchema']): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.enum === undefined) return;
  Object.assign(schema, { [EXTENSIBLE]: schema.enum });
  delete schema.enum;
}
