import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { managedOrganizationId } from '../auth/panel/queries.ts';
import { statement } from '../db/statement.ts';

export const findOrganization = statement(
  () => z.strictObject({ id: z.guid(), name: z.string() }),
  () => sql`select id, name from organizations where id = ${managedOrganizationId}`,
);
