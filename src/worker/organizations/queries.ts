import { sql } from 'drizzle-orm';
import { managedOrganizationId } from '../auth/panel/queries.ts';
import { answered, statement } from '../db/statement.ts';
import type { Organization } from './answer-schemas.ts';

export const findOrganization = statement(
  answered<Organization>,
  () => sql`select id, name from organizations where id = ${managedOrganizationId}`,
);
