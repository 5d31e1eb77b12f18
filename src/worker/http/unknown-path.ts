import type { NotFoundHandler } from 'hono';
import { ApiError } from '../errors.ts';
import type { AppEnv } from './context.ts';
import { answerError } from './error-handler.ts';
import type { Hono } from './hono.ts';

const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'];
const PATH_SHOWN = 200;

/** Answers 404, and says which methods the path has, or which path was meant. */
export function unknownPath({ router }: Hono<AppEnv>): NotFoundHandler<AppEnv> {
  // Middleware has every method.
  const hasOperation = (method: string, path: string) =>
    router.match(method, path)[0].some(([[, route]]) => route.method !== 'ALL');
  const methodsOf = (path: string) =>
    METHODS.filter((method) => hasOperation(method === 'HEAD' ? 'GET' : method, path));

  return (c) => {
    const { path, method } = c.req;
    const methods = methodsOf(path);
    // A handler with nothing to show may answer like a missing path.
    if (methods.length > 0 && !methods.includes(method)) {
      const allowed = methods.join(', ');
      c.header('Allow', allowed);
      return answerError(c, notFoundAs(`This path has no ${method}. Its methods: ${allowed}.`));
    }
    const withoutSlash = path.replace(/\/+$/, '');
    if (withoutSlash !== path && methodsOf(withoutSlash).length > 0) {
      const meant = withoutSlash.slice(0, PATH_SHOWN).toWellFormed();
      return answerError(c, notFoundAs(`No path ends with a slash. Ask for ${meant}.`));
    }
    return answerError(
      c,
      notFoundAs('No operation has this method and path. See /docs/reference.'),
    );
  };
}

const notFoundAs = (detail: string) => new ApiError('NOT_FOUND', detail);
