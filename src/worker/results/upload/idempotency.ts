import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { invalid } from '../../errors.ts';
import { later } from '../../later.ts';

/** Visible characters, alone or as a string of RFC 9651 in quotes. */
const KEY_FORM = /^(?:"([!-~]{1,255})"|([!-~]{1,255}))$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The header `Idempotency-Key`, as the stored uuid. */
export const IdempotencyHeader = later(() =>
  z.object({
    'idempotency-key': z.optional(
      z.pipe(
        z
          .string()
          .check(z.trim(), z.regex(KEY_FORM, { error: 'expected 1 to 255 visible characters' })),
        z.transform((sent) => idOf(sent.replace(KEY_FORM, '$1$2'))),
      ),
    ),
  }),
);

export type IdempotencyHeader = z.output<ReturnType<typeof IdempotencyHeader>>;

/** The uuid stored for a key: the key, or the start of its digest. */
const idOf = (key: string): string =>
  UUID.test(key) ? key : createHash('sha256').update(key).digest('hex').slice(0, 32);

/** The `Idempotency-Key` as a uuid, and the SHA-256 of its content; empty without a key. */
export type NamedContent = { idempotencyKey?: string; contentHash?: string };

/**
 * The SHA-256 of an upload's content, if the upload has a key.
 * @param description distinguishes equal bytes with different readings
 */
export function createContentHash(key: string | undefined, description: string) {
  const hash = key && createHash('sha256').update(description).update('\0');
  return {
    /** Passes the pieces on. */
    async *of(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        if (hash) hash.update(piece);
        yield piece;
      }
    },
    /** The stored facts. */
    facts: (): NamedContent =>
      key && hash ? { idempotencyKey: key, contentHash: hash.digest('hex') } : {},
  };
}

/** The header of a replayed answer. */
export const REPLAYED = ['Idempotency-Replayed', 'true'] as const;

export const otherContent = () =>
  invalid(
    'key_of_other_content',
    'Idempotency-Key: this event has another upload with this key. Send new content with a new key.',
  );
