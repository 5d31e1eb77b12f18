import { and, arrayContains, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { apiKeys } from '../db/schema.ts';
import type { Scope } from '../scopes.ts';

const isLive = (keyHash: string): SQL | undefined =>
  and(
    eq(apiKeys.key_hash, keyHash),
    isNull(apiKeys.revoked_at),
    or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, sql`now()`)),
  );

/** A column of the key as an SQL value; null unless the key is live and holds the scope. */
export const ofPermittedKey = (
  db: Database,
  column: 'id' | 'organization_id',
  keyHash: string,
  needed: Scope,
): SQL =>
  sql`${db
    .select({ value: apiKeys[column] })
    .from(apiKeys)
    .where(and(isLive(keyHash), arrayContains(apiKeys.scopes, [needed])))}`;

/** The live key, and whether it holds the scope. Marks the key as used. */
export function findKey(db: Database, keyHash: string, needed: Scope) {
  // A key in steady use is written once a minute, by one of its concurrent requests.
  const dueForMark = db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(
        isLive(keyHash),
        or(
          isNull(apiKeys.last_used_at),
          lt(apiKeys.last_used_at, sql`now() - interval '1 minute'`),
        ),
      ),
    )
    .for('no key update', { skipLocked: true });
  const marked = db
    .$with('marked')
    .as(
      db
        .update(apiKeys)
        .set({ last_used_at: sql`now()` })
        .where(eq(apiKeys.id, dueForMark))
        .returning({ id: apiKeys.id }),
    );
  return db
    .with(marked)
    .select({
      id: apiKeys.id,
      permitted: sql<boolean>`${arrayContains(apiKeys.scopes, [needed])}`,
    })
    .from(apiKeys)
    .where(isLive(keyHash));
}
