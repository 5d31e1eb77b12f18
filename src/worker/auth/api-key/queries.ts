import { and, arrayContains, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { apiKeys } from '../../db/schema.ts';
import type { Scope } from '../../scopes.ts';

const isLive = (keyHash: string): SQL | undefined =>
  and(
    eq(apiKeys.key_hash, keyHash),
    isNull(apiKeys.revoked_at),
    or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, sql`now()`)),
  );

/** A column of the key as an SQL value; null unless the key is live and holds the scope. */
export const permittedKeyColumn = (
  db: Database,
  column: 'id' | 'organization_id',
  keyHash: string,
  needed: Scope,
): SQL =>
  sql`${db
    .select({ value: apiKeys[column] })
    .from(apiKeys)
    .where(and(isLive(keyHash), arrayContains(apiKeys.scopes, [needed])))}`;

/** The live key, and whether it holds the scope. A read-only database runs this in place of `useLiveKey`. */
export const findLiveKey = (
  db: Database | ReturnType<Database['with']>,
  keyHash: string,
  needed: Scope,
) =>
  db
    .select({
      id: apiKeys.id,
      permitted: sql<boolean>`${arrayContains(apiKeys.scopes, [needed])}`,
    })
    .from(apiKeys)
    .where(isLive(keyHash));

/**
 * The live key, and whether it holds the scope. Writes `last_used_at` at most once a minute. Of
 * concurrent requests one writes it, and the others do not wait for its lock.
 */
export function useLiveKey(db: Database, keyHash: string, needed: Scope) {
  const dueForUpdate = db
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
  const used = db
    .$with('used')
    .as(
      db
        .update(apiKeys)
        .set({ last_used_at: sql`now()` })
        .where(eq(apiKeys.id, dueForUpdate))
        .returning({ id: apiKeys.id }),
    );
  return findLiveKey(db.with(used), keyHash, needed);
}
