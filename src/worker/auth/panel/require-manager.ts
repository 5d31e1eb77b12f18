import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { Statement } from '../../db/statement.ts';
import { ApiError, notFound, unauthorized } from '../../errors.ts';
import { bearerToken } from '../../http/bearer.ts';
import type { AppEnv } from '../../http/context.ts';
import { answering, type Endpoint, type Entrance } from '../../http/endpoint.ts';
import { later } from '../../later.ts';
import { countPanelRequest } from './panel-limit.ts';
import { findMember, type Membership, type MemberValues } from './queries.ts';

/** A user of the panel with a valid session. */
type Manager = {
  /** The user's id in the panel. */
  userId: string;
};

const OrganizationId = later(() => z.guid());

/** The panel chooses the ids of its users. An id that may be an address or a name is not logged. */
const LOGGED_USER_ID = /^[\w|:.-]{1,64}$/;

/**
 * The handler of an operation for owners and admins of the organization in the path. Each trip checks the role, so a
 * removed member can do nothing more.
 */
export const requireManager = <Id extends string, P, Q, H, B, const S extends readonly Statement[]>(
  id: Id,
  endpoint: Endpoint<Manager, P, Q, H, B, S>,
) => answering({ id }, enter, endpoint);

async function enter(c: Context<AppEnv>): Promise<Entrance<Manager, Membership>> {
  const logFields = c.get('logFields');
  const services = c.get('services');
  const token = presentedToken(c.req.raw.headers);
  const { id, userId } = await services.sessions.verify(token, services.now());
  const organizationId = OrganizationId().safeParse(c.req.param('organization_id'));
  if (!organizationId.success) throw organizationNotFound();
  const values: MemberValues = { organizationId: organizationId.data, userId };
  await countPanelRequest(c, id, values);
  return {
    caller: { userId },
    check: findMember({}),
    values,
    judge(member) {
      if (!member?.manages) services.panelLimits.sessions.forget(id);
      if (!member) throw organizationNotFound();
      if (!member.manages) throw notAManager();
      logFields.organization_id = values.organizationId;
      if (LOGGED_USER_ID.test(userId)) logFields.user_id = userId;
    },
  };
}

function presentedToken(headers: Headers): string {
  const token = bearerToken(headers);
  if (!token) throw missingSession();
  return token;
}

export const missingSession = () =>
  unauthorized('Send a panel session: "Authorization: Bearer <token>".');

export const organizationNotFound = () => notFound('This organization');

export const notAManager = () =>
  new ApiError(
    'INSUFFICIENT_SCOPE',
    'Only the owner and the admins of the organization can do this.',
  );
