import type { NotFoundHandler } from 'hono';
import { ApiError } from '../errors.ts';
import type { AppEnv } from './context.ts';
import { answerError } from './error-handler.ts';

type Route = { method: string; path: string };

/** No path of the API has more parts. */
const PARTS_MAX = 10;
const PATH_SHOWN = 200;

/** Answers 404, and says which methods the path has, or which path was meant. */
export function unknownPath(routes: readonly Route[]): NotFoundHandler<AppEnv> {
  // Middleware has every method.
  const operations = routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ method, parts: path.split('/') }));

  function methodsOf(path: string): string[] {
    const sent = path.split('/', PARTS_MAX + 1);
    const methods = operations.flatMap(({ method, parts }) => {
      const fits =
        parts.length === sent.length &&
        parts.every((part, at) => (part.startsWith(':') ? sent[at] !== '' : part === sent[at]));
      if (!fits) return [];
      return method === 'GET' ? ['GET', 'HEAD'] : [method];
    });
    return [...new Set(methods)].sort();
  }

  return (c) => {
    const { path } = c.req;
    const methods = methodsOf(path);
    // A handler that finds nothing to show may answer like a path that does not exist.
    if (methods.length > 0 && !methods.includes(c.req.method)) {
      const allowed = methods.join(', ');
      c.header('Allow', allowed);
      return answerError(
        c,
        notFoundAs(`This path has no ${c.req.method}. Its methods: ${allowed}.`),
      );
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
