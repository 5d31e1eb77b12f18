import { createHash } from 'node:crypto';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { NOT_STORED } from './middleware.ts';

const READS = ['GET', 'HEAD'];

const notModified = etag({
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    ...['X-Request-Id', 'Next-Cursor', 'Total'],
    ...['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'],
  ],
});

/**
 * Sets an ETag, a digest of the body, and answers 304 if the client sends an equal ETag. The library would copy the
 * body as a stream and wait for the digest: four per cent of a small read.
 */
export const withETag = createMiddleware((c, next) =>
  notModified(c, async () => {
    await next();
    const answer = c.res;
    if (!answer.ok || !answer.body || answer.headers.has('ETag')) return;
    const body = new Uint8Array(await answer.arrayBuffer());
    const digested = new Response(body, answer);
    digested.headers.set('ETag', `"${createHash('sha256').update(body).digest('hex')}"`);
    // The context would copy the headers of the first answer once more.
    c.res = undefined;
    c.res = digested;
  }),
);

const strong = (tag: string | null): string => (tag ?? '').replace(/^W\//, '');

/** Answers 304 in place of an answer that the client has, from any source. */
export function notModifiedFor(request: Request, response: Response): Response {
  const etag = response.headers.get('ETag');
  const known = request.headers.get('If-None-Match')?.split(',') ?? [];
  const isKnown = known.some((tag) => ['*', strong(etag)].includes(strong(tag.trim())));
  if (response.status !== 200 || etag === null || !isKnown) return response;
  const headers = new Headers(response.headers);
  for (const name of ['Content-Type', 'Content-Length', 'Content-Encoding']) headers.delete(name);
  return new Response(null, { status: 304, headers });
}

/**
 * Does the work of `withETag` for reads. A client may cache the answer, but must ask each time for changes, unless the
 * operation says otherwise.
 */
export const polled = createMiddleware((c, next) =>
  READS.includes(c.req.method)
    ? withETag(c, async () => {
        await next();
        const { headers } = c.res;
        const isUndecided = headers.get('Cache-Control') === NOT_STORED;
        if (c.res.ok && isUndecided) headers.set('Cache-Control', 'private, no-cache');
      })
    : next(),
);
