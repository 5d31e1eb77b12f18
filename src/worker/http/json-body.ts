import type * as z from 'zod/mini';
import { type BodyLimits, openBody, requireContentType } from './body.ts';
import { parseJson, readJsonText } from './json-text.ts';
import { invalidInput } from './validation.ts';

/**
 * Reads and validates a small JSON body.
 * @param owner the sender of the body
 * @throws ApiError VALIDATION_ERROR
 */
export async function readJson<T extends z.ZodMiniType>(
  request: Request,
  schema: T,
  { maxBytes, limits, owner }: { maxBytes: number; limits: BodyLimits; owner: string },
): Promise<z.infer<T>> {
  requireContentType(request, 'application/json');
  const body = openBody(request, { maxBytes, roomPerByte: 2 }, limits, owner);
  try {
    const sent = parseJson(await readJsonText(body.pieces()));
    const parsed = schema.safeParse(sent);
    if (!parsed.success) throw invalidInput(parsed.error, sent);
    return parsed.data;
  } finally {
    body.release();
  }
}
