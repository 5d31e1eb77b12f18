import { eq } from 'drizzle-orm';
import { managedOrganizationId } from '../auth/panel/queries.ts';
import { db } from '../db/query-builder.ts';
import { organizations } from '../db/schema.ts';
import { statement } from '../db/statement.ts';

export const findOrganization = statement(() =>
  db
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, managedOrganizationId)),
);
