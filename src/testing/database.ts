import { neon } from '@neondatabase/serverless';
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http';
// The import leads the driver to the local gateway.
import '../worker/db/neon-transport.ts';

/** Drizzle with a connection of the owner, for tests that prepare or read the database. */
export function openDatabase(databaseUrl: string): NeonHttpDatabase {
  const asOwner = new URL(databaseUrl);
  asOwner.username = 'owner';
  return drizzle({ client: neon(asOwner.href) });
}
