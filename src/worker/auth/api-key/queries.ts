import { and, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { db } from '../../db/query-builder.ts';
import { apiKeys } from '../../db/schema.ts';
import { statement } from '../../db/statement.ts';
import type { Scope } from '../../scopes.ts';

/** Values of the placeholders for the caller. */
export type CallerValues = { keyHash: string; neededScope: Scope };

const isLive = and(
  eq(apiKeys.key_hash, sql.placeholder('keyHash' satisfies keyof CallerValues)),
  isNull(apiKeys.revoked_at),
  or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, sql`now()`)),
);

const isPermitted = sql<boolean>`${sql.placeholder('neededScope' satisfies keyof CallerValues)} = any(${apiKeys.scopes})`;

const permittedKeyColumn = (column: 'id' | 'organization_id' | 'key_prefix'): SQL =>
  sql`${db.select({ value: apiKeys[column] }).from(apiKeys).where(and(isLive, isPermitted))}`;

/** SQL for the organization of the caller's key; null unless the key is live and holds the scope. */
export const callerOrganizationId = permittedKeyColumn('organization_id');

/** SQL for the id of the caller's key, under the same conditions. */
export const callerKeyId = permittedKeyColumn('id');

/** SQL for the prefix of the caller's key, under the same conditions. */
export const callerKeyPrefix = permittedKeyColumn('key_prefix');

const liveKey = (from: Pick<typeof db, 'select'>) =>
  from
    .select({ id: apiKeys.id, organization_id: apiKeys.organization_id, permitted: isPermitted })
    .from(apiKeys)
    .where(isLive);

/** The live key, and whether it holds the scope. A read-only database runs this in place of `useLiveKey`. */
export const findLiveKey = statement(() => liveKey(db));

/**
 * The live key, and whether it holds the scope. Writes `last_used_at` at most once a minute. Of
 * concurrent requests one writes it, and the others do not wait for its lock.
 */
export const useLiveKey = statement(() => {
  const dueForUpdate = db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(
        isLive,
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
  return liveKey(db.with(used));
});
