import type { SQL } from 'drizzle-orm';
import type { BatchResponse } from 'drizzle-orm/batch';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod';
import { type Database, type Query, transact } from '../db/client.ts';
import { ApiError, notFound } from '../errors.ts';
import { bearerToken } from '../http/bearer.ts';
import type { AppEnv } from '../http/context.ts';
import { findMember, managedOrganization } from './queries.ts';

/**
 * Who asks from the panel: a user whose session is good, and whose place in the organization is
 * looked up in the trip that answers them, so that nobody acts after they were removed.
 */
export type Member = {
  db: Database;
  /** The user's id in the panel. */
  userId: string;
  /** SQL for the organization's id; null unless the user is its owner or an admin of it. */
  organizationId: SQL;
  /**
   * Looks the member up and runs the queries, in one round trip.
   * @throws ApiError NOT_FOUND to who is no member, INSUFFICIENT_SCOPE to who is neither owner nor
   *   admin (contract section 4.8).
   */
  ask<const T extends readonly Query[]>(...queries: T): Promise<BatchResponse<T>>;
};

export type MemberEnv = AppEnv & { Variables: { member: Member } };

const OrganizationId = z.guid();

/** Lets in the owner and the admins of the organization in the path; the handler's own query tells. */
export const manager = createMiddleware<MemberEnv>(async (c, next) => {
  const { sessions, now } = c.var.services;
  const userId = await sessions.userId(presentedToken(c.req.raw.headers), now());
  const organizationId = OrganizationId.safeParse(c.req.param('organization_id'));
  if (!organizationId.success) throw organizationNotFound();
  const member = createMember(c, organizationId.data, userId);
  c.set('member', member);
  await next();
  // What they sent was refused before anybody asked who they are: that is judged first.
  if (c.error && c.var.facts.trips === 0) await member.ask();
});

function createMember(c: Context<MemberEnv>, organizationId: string, userId: string): Member {
  const { db } = c.var.services;
  return {
    db,
    userId,
    organizationId: managedOrganization(db, organizationId, userId),

    async ask(...queries) {
      c.var.facts.trips += 1;
      const [[member], ...answers] = await transact(db, [
        findMember(db, organizationId, userId),
        ...queries,
      ]);
      if (!member) throw organizationNotFound();
      if (!member.manages) {
        throw new ApiError(
          'INSUFFICIENT_SCOPE',
          'API keys are managed by the owner and the admins of the organization.',
        );
      }
      return answers;
    },
  };
}

export const organizationNotFound = (): ApiError => notFound('This organization');

function presentedToken(headers: Headers): string {
  const token = bearerToken(headers);
  if (token) return token;
  throw new ApiError(
    'UNAUTHORIZED',
    'Send the session of the panel: "Authorization: Bearer <token>".',
  );
}
