import {
  type MemberEnv,
  organizationNotFound,
  requireManager,
} from '../auth/panel/require-manager.ts';
import { Hono } from '../http/hono.ts';
import { findOrganization } from './queries.ts';

/** The organization itself, from its panel. */
export const organizationRoutes = new Hono<MemberEnv>().get('/', requireManager, async (c) => {
  const { member } = c.var;
  const [[found]] = await member.run(findOrganization({}));
  if (!found) throw organizationNotFound();
  return c.json(found);
});
