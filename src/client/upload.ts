import type { RequestOptions } from './connection.ts';

export type UploadOptions = RequestOptions & {
  /**
   * Names the upload. The API stores uploads of the same content under the same key once. The default is a
   * new key for each call. A program that may be restarted keeps the key with what it sends.
   */
  idempotencyKey?: string | undefined;
};

export const idempotencyHeader = (options: UploadOptions | undefined) => ({
  'Idempotency-Key': options?.idempotencyKey ?? crypto.randomUUID(),
});
