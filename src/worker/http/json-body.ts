import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { openBody, requireContentType } from './body.ts';
import { type AppEnv, bodyGateOf, senderOf } from './context.ts';
import { openJson, readBytes } from './json-text.ts';
import { invalidInput } from './validation.ts';

/** The largest JSON body of the panel's operations, in bytes. */
export const PANEL_BODY_MAX = 64 * 1_024;

/** Reads and validates a small JSON body. @throws ApiError VALIDATION_ERROR */
export async function readJson<E extends AppEnv, T extends z.ZodMiniType>(
  c: Context<E>,
  schema: T,
): Promise<z.infer<T>> {
  requireContentType(c.req.raw, 'application/json');
  const size = { maxBytes: PANEL_BODY_MAX, roomPerByte: 2 };
  const body = openBody(c.req.raw, size, bodyGateOf(c), senderOf(c));
  try {
    const sent = openJson(await readBytes(body.pieces())).parse();
    const parsed = schema.safeParse(sent);
    if (!parsed.success) throw invalidInput(parsed.error, sent);
    return parsed.data;
  } finally {
    body.release();
  }
}
