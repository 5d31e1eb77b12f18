import { neon } from '@neondatabase/serverless';
import { drizzle, type NeonHttpDatabase } from 'drizzle-orm/neon-http';
// It leads the driver to the local gateway.
import '../worker/db/neon-transport.ts';

/** Drizzle with a connection, for tests that prepare the database or look into it. */
export const openDatabase = (databaseUrl: string): NeonHttpDatabase =>
  drizzle({ client: neon(databaseUrl) });
