import * as z from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';

/** What JSON Schema says of a zod schema, where the two libraries do not say it all. */
export const override: ZodOpenApiOverride = ({ zodSchema, jsonSchema, io }) => {
  const { def } = zodSchema._zod;
  // A format says it all; the pattern behind it is a screenful.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // Every integer is a safe one; these bounds say no more than that.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (io === 'output') return;
  // A number in a query string is text to us, and a number to whoever writes a client.
  if (def.type === 'pipe' && def.out._zod.def.type === 'number') {
    delete jsonSchema.pattern;
    const { $schema, ...number } = z.toJSONSchema(def.out);
    Object.assign(jsonSchema, number);
  }
  // Left out wherever there is a transformation, of which these are the input all the same.
  if (def.type === 'default') jsonSchema.default = def.defaultValue;
  const examples = z.globalRegistry.get(zodSchema)?.examples;
  if (examples !== undefined) jsonSchema.examples = examples;
};
