import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { db } from '../../db/query-builder.ts';
import { organizationMembers } from '../../db/schema.ts';
import { statement } from '../../db/statement.ts';

/** Values of the placeholders for the caller. */
export type MemberValues = { organizationId: string; userId: string };

type Role = (typeof organizationMembers.role.enumValues)[number];

const MANAGING_ROLES: Role[] = ['owner', 'admin'];

/** The panel's id of the calling user. */
export const memberUserId = sql.placeholder('userId' satisfies keyof MemberValues);

const isMember = and(
  eq(
    organizationMembers.organization_id,
    sql.placeholder('organizationId' satisfies keyof MemberValues),
  ),
  eq(organizationMembers.user_id, memberUserId),
);

const manages = inArray(organizationMembers.role, MANAGING_ROLES);

/** SQL for the organization's id; null unless the calling user is its owner or an admin of it. */
export const managedOrganizationId: SQL = sql`${db
  .select({ id: organizationMembers.organization_id })
  .from(organizationMembers)
  .where(and(isMember, manages))}`;

/** Whether the member manages the organization; no row if the user is not a member. */
export const findMember = statement(() =>
  db
    .select({ manages: sql<boolean>`${manages}` })
    .from(organizationMembers)
    .where(isMember),
);
