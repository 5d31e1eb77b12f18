import type * as z from 'zod/mini';
import { type Pace, readBody, requireContentType } from './body.ts';
import { parseJson, readJsonText } from './json-text.ts';
import { invalidInput } from './validation.ts';

/**
 * Reads and validates a small JSON body.
 * @throws ApiError VALIDATION_ERROR
 */
export async function readJson<T extends z.ZodMiniType>(
  request: Request,
  schema: T,
  { maxBytes, pace }: { maxBytes: number; pace: Pace },
): Promise<z.infer<T>> {
  requireContentType(request, 'application/json');
  const sent = parseJson(await readJsonText(readBody(request, maxBytes, pace)));
  const parsed = schema.safeParse(sent);
  if (!parsed.success) throw invalidInput(parsed.error, sent);
  return parsed.data;
}
