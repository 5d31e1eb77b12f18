import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod/mini';
import { transact } from '../../db/client.ts';
import { cancelStreams } from '../../db/row-stream.ts';
import { ApiError, notFound, unauthorized } from '../../errors.ts';
import { bearerToken } from '../../http/bearer.ts';
import type { AppEnv } from '../../http/context.ts';
import { createGuard, type RunQueries } from '../../http/guard.ts';
import { timed } from '../../log.ts';
import { findMember, type MemberValues } from './queries.ts';

/** A user of the panel with a valid session. */
type Member = {
  /** The user's id in the panel. */
  userId: string;
  /**
   * Checks the user's role and runs the statements, in one round trip. Each trip checks the role, so a
   * removed member can do nothing more.
   * @throws ApiError NOT_FOUND if the user is not a member, INSUFFICIENT_SCOPE if the member is neither
   *   owner nor admin
   */
  run: RunQueries;
};

export type MemberEnv = AppEnv & { Variables: { member: Member } };

const OrganizationId = z.guid();

/**
 * Answers 401, 404 or 403 unless the session's user is the owner or an admin of the organization in
 * the path. The handler's first `member.run` checks the role, in the same trip as its queries.
 */
export const requireManager = createMiddleware<MemberEnv>(async (c, next) => {
  const { sessions, now } = c.var.services;
  const userId = await sessions.userId(presentedToken(c.req.raw.headers), now());
  const organizationId = OrganizationId.safeParse(c.req.param('organization_id'));
  if (!organizationId.success) throw organizationNotFound();
  const { run, enforce } = createGuard(
    checkRole(c, { organizationId: organizationId.data, userId }),
  );
  c.set('member', { userId, run });
  await enforce(c, next);
});

function checkRole(c: Context<MemberEnv>, values: MemberValues): RunQueries {
  const { db } = c.var.services;
  return async (...statements) => {
    const { logFields } = c.var;
    logFields.trips += 1;
    const answered = transact(db, [findMember({}), ...statements], values);
    const [[member], ...answers] = await timed(logFields, 'postgres_ms', answered);
    if (!member?.manages) {
      cancelStreams(answers);
      throw member ? notAManager() : organizationNotFound();
    }
    logFields.organization_id = values.organizationId;
    return answers;
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
