import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { LIMIT_LOCK_WAIT } from '../../db/locks.ts';
import { statement } from '../../db/statement.ts';

/** Values of the placeholders for the caller. */
export type MemberValues = { organizationId: string; userId: string };

/** The panel's id of the calling user. */
export const memberUserId = sql.placeholder('userId' satisfies keyof MemberValues);

const IS_MEMBER = sql`user_id = ${memberUserId}
  and organization_id = ${sql.placeholder('organizationId' satisfies keyof MemberValues)}`;

const MANAGES = sql`role in ('owner', 'admin')`;

/** SQL for the organization's id; null unless the calling user is an owner or an admin. */
export const managedOrganizationId: SQL = sql`(
  select organization_id from organization_members where ${IS_MEMBER} and ${MANAGES}
)`;

const membership = () => z.strictObject({ manages: z.boolean() });

export type Membership = z.output<ReturnType<typeof membership>>;

/**
 * Whether the member manages the organization; no row if the user is not a member. The statement comes first in each
 * trip, and so also limits how long later statements wait for locks.
 */
export const findMember = statement(
  'findMember',
  membership,
  () => sql`
  select ${MANAGES} as manages from organization_members cross join ${LIMIT_LOCK_WAIT}
  where ${IS_MEMBER}`,
);
