import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';

/** Sets an ETag, a digest of the body, and answers 304 to a client that sends the same ETag. */
export const withETag = etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'X-Request-Id'] });

/**
 * Does what `withETag` does.
 * @param cacheControl of a successful answer
 */
const revalidated = (cacheControl: string) =>
  createMiddleware((c, next) =>
    withETag(c, async () => {
      await next();
      if (c.res.ok) c.res.headers.set('Cache-Control', cacheControl);
    }),
  );

/** A client may cache the answer, but must ask each time whether it changed. */
export const polled = revalidated('private, no-cache');
