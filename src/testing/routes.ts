import type { TestApp } from './harness.ts';

export type Route = { method: string; path: string };

/** Every route of the application once. Hono also lists the validators of a route. */
export const routesOf = ({ routes }: TestApp['app']): Route[] => [
  ...new Map(
    routes
      // Middleware has a pattern as its path. `all` on a fixed path is a route.
      .filter(({ method, path }) => method !== 'ALL' || !path.endsWith('*'))
      .map(({ method, path }) => [`${method} ${path}`, { method, path }]),
  ).values(),
];

/** A row of `test.each`. */
export const named = (route: Route): [string, Route] => [`${route.method} ${route.path}`, route];
