import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { managedOrganizationId } from '../auth/panel/queries.ts';
import { type RowSchema, statement } from '../db/statement.ts';
import type { Organization } from './answer-schemas.ts';

const organizationRow = () => z.strictObject({ id: z.guid(), name: z.string() });

export const findOrganization = statement(
  'findOrganization',
  organizationRow satisfies RowSchema<Organization>,
  () => sql`select id, name from organizations where id = ${managedOrganizationId}`,
);
