import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { organizationMembers } from '../../db/schema.ts';

type Role = (typeof organizationMembers.role.enumValues)[number];

const MANAGING_ROLES: Role[] = ['owner', 'admin'];

const isMember = (organizationId: string, userId: string) =>
  and(
    eq(organizationMembers.organization_id, organizationId),
    eq(organizationMembers.user_id, userId),
  );

/** SQL for the organization's id; null unless the user is its owner or an admin of it. */
export const managedOrganization = (db: Database, organizationId: string, userId: string): SQL =>
  sql`${db
    .select({ id: organizationMembers.organization_id })
    .from(organizationMembers)
    .where(
      and(isMember(organizationId, userId), inArray(organizationMembers.role, MANAGING_ROLES)),
    )}`;

/** Whether the member manages the organization; no row if the user is not a member. */
export const findMember = (db: Database, organizationId: string, userId: string) =>
  db
    .select({ manages: sql<boolean>`${inArray(organizationMembers.role, MANAGING_ROLES)}` })
    .from(organizationMembers)
    .where(isMember(organizationId, userId));
