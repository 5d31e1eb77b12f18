import { eq } from 'drizzle-orm';
import type { Member } from '../auth/panel/require-manager.ts';
import { organizations } from '../db/schema.ts';

export const findOrganization = ({ db, organizationId }: Member) =>
  db
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
