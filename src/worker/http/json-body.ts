import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { openBody, requireContentType } from './body.ts';
import type { AppEnv } from './context.ts';
import { parseJson, readJsonText } from './json-text.ts';
import { parseInput } from './validation.ts';

/** The largest JSON body of the panel's operations, in bytes. */
export const PANEL_BODY_MAX = 64 * 1_024;

/** Reads and validates a small JSON body. @throws ApiError VALIDATION_ERROR */
export async function readJson<T>(c: Context<AppEnv>, schema: z.ZodMiniType<T>): Promise<T> {
  requireContentType(c.req.raw, 'application/json');
  const size = { maxBytes: PANEL_BODY_MAX, roomPerByte: 2 };
  const body = openBody(c.req.raw, size, c.var.services.bodyLimits, c.var.sender);
  try {
    return parseInput(schema, parseJson(await readJsonText(body.pieces())));
  } finally {
    body.release();
  }
}
