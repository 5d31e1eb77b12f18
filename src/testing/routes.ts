import type { TestApp } from './harness.ts';

export type Route = { method: string; path: string };

/** Every route of the application, once: a validator before a handler is an entry of its own. */
export const routesOf = ({ routes }: TestApp['app']): Route[] => [
  ...new Map(
    routes
      // Middleware has a pattern as its path. `all` on a fixed path is a route.
      .filter(({ method, path }) => method !== 'ALL' || !path.endsWith('*'))
      .map(({ method, path }) => [`${method} ${path}`, { method, path }]),
  ).values(),
];

/** For a table of tests. */
export const named = (route: Route): [string, Route] => [`${route.method} ${route.path}`, route];
