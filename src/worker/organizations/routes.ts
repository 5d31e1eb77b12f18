import { organizationNotFound, requireManager } from '../auth/panel/require-manager.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { findOrganization } from './queries.ts';

/** The organization, for its panel. */
export const organizationRoutes = new Hono<AppEnv>().get(
  '/',
  requireManager('getOrganization', {
    weight: 'light',
    statements: () => [findOrganization({})],
    answer: ([[found]], { c }) => {
      if (!found) throw organizationNotFound();
      return c.json(found);
    },
  }),
);
