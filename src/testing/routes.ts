import { isOperation } from '../worker/http/documentation.ts';
import type { Operation } from '../worker/http/endpoint.ts';
import type { TestApp } from './harness.ts';

export type Route = { method: string; path: string; operation?: Operation };

/** Every route of the application once. Hono also lists the validators of a route. */
export const routesOf = ({ routes }: TestApp['app']): Route[] => [
  ...new Map(
    routes
      // Middleware has a pattern as the path. `all` on a fixed path is a route.
      .filter(({ method, path }) => method !== 'ALL' || !path.endsWith('*'))
      .map(({ method, path, handler }) => {
        const operation = isOperation(handler) && { operation: handler.operation };
        return [`${method} ${path}`, { method, path, ...operation }];
      }),
  ).values(),
];

/** A row of `test.each`. */
export const named = (route: Route): [string, Route] => [`${route.method} ${route.path}`, route];
