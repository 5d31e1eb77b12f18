import { createHash } from 'node:crypto';
import { zValidator } from '@hono/zod-validator';
import * as z from 'zod/mini';
import { invalid } from '../../errors.ts';
import { invalidInput } from '../../http/validation.ts';

const IdempotencyHeader = z.object({
  'idempotency-key': z.optional(
    z.pipe(z.string().check(z.trim()), z.guid({ error: 'expected a UUID' })),
  ),
});

/** Reads the header `Idempotency-Key`. @throws ApiError VALIDATION_ERROR if it is not a UUID */
export const idempotencyHeader = zValidator('header', IdempotencyHeader, (result) => {
  if (!result.success) throw invalidInput(result.error, result.data);
});

/**
 * The SHA-256 of an upload's content.
 * @param description tells equal bytes apart that are read in different ways
 */
export function createContentHash(description: string) {
  const hash = createHash('sha256').update(description).update('\0');
  return {
    /** Passes the pieces on. */
    async *of(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        hash.update(piece);
        yield piece;
      }
    },
    digest: (): string => hash.digest('hex'),
  };
}

export const otherContent = () =>
  invalid(
    'Idempotency-Key: this event has another upload with this key. Send new content with a new key.',
  );
