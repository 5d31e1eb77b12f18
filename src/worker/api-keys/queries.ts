import { and, desc, eq, gt, isNull, ne, or, sql } from 'drizzle-orm';
import type { TypedQueryBuilder } from 'drizzle-orm/query-builders/query-builder';
import { apiKeyPrefix, hashApiKey } from '../auth/api-key/api-key.ts';
import { managedOrganizationId, memberUserId } from '../auth/panel/queries.ts';
import { db, rowCount } from '../db/query-builder.ts';
import { apiKeyEvents, apiKeys, organizations } from '../db/schema.ts';
import { type Slot, type Slots, statement } from '../db/statement.ts';
import type { Limits } from '../http/pagination.ts';
import type { ApiKeyIn } from './schemas.ts';

type EventKind = (typeof apiKeyEvents.kind.enumValues)[number];

/** The stored form of a key. */
type StoredSecret = Pick<typeof apiKeys.$inferSelect, 'key_prefix' | 'key_hash'>;

export const storedSecret = async (key: string): Promise<StoredSecret> => ({
  key_prefix: apiKeyPrefix(key),
  key_hash: await hashApiKey(key),
});

/** The columns that queries return. The hash is not among them. */
const recordColumns = {
  id: apiKeys.id,
  name: apiKeys.name,
  key_prefix: apiKeys.key_prefix,
  scopes: apiKeys.scopes,
  last_used_at: apiKeys.last_used_at,
  expires_at: apiKeys.expires_at,
  revoked_at: apiKeys.revoked_at,
  created_at: apiKeys.created_at,
};

/** The columns that a change returns. */
const changedColumns = { ...recordColumns, organization_id: apiKeys.organization_id };

/** The user who created the key; null if the history does not say it. */
const createdBy = sql<string | null>`${db
  .select({ actor: apiKeyEvents.actor })
  .from(apiKeyEvents)
  .where(
    and(
      eq(apiKeyEvents.api_key_id, apiKeys.id),
      eq(apiKeyEvents.organization_id, apiKeys.organization_id),
      eq(apiKeyEvents.kind, 'created'),
    ),
  )
  .limit(1)}`;

const isOwn = eq(apiKeys.organization_id, managedOrganizationId);

const isOwnKey = (keyId: Slot) => and(eq(apiKeys.id, keyId), isOwn);

const isOwnUnrevokedKey = (keyId: Slot) => and(isOwnKey(keyId), isNull(apiKeys.revoked_at));

const isOwnLiveKey = (keyId: Slot) =>
  and(isOwnUnrevokedKey(keyId), or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, sql`now()`)));

type OfKey = { keyId: string };

export const countApiKeys = statement(() =>
  db.select({ total: rowCount }).from(apiKeys).where(isOwn),
);

export const listApiKeys = statement(({ limit, offset }: Slots<Limits>) =>
  db
    .select({ ...recordColumns, created_by: createdBy })
    .from(apiKeys)
    .where(isOwn)
    .orderBy(desc(apiKeys.created_at), apiKeys.id)
    .limit(limit)
    .offset(offset),
);

export const findApiKey = statement(({ keyId }: Slots<OfKey>) =>
  db
    .select({ ...recordColumns, created_by: createdBy })
    .from(apiKeys)
    .where(isOwnKey(keyId)),
);

const isEventOfKey = (keyId: Slot) =>
  and(eq(apiKeyEvents.api_key_id, keyId), eq(apiKeyEvents.organization_id, managedOrganizationId));

export const countApiKeyEvents = statement(({ keyId }: Slots<OfKey>) =>
  db.select({ total: rowCount }).from(apiKeyEvents).where(isEventOfKey(keyId)),
);

export const listApiKeyEvents = statement(({ keyId, limit, offset }: Slots<OfKey & Limits>) =>
  db
    .select({
      kind: apiKeyEvents.kind,
      key_prefix: apiKeyEvents.key_prefix,
      actor: apiKeyEvents.actor,
      occurred_at: apiKeyEvents.occurred_at,
    })
    .from(apiKeyEvents)
    .where(isEventOfKey(keyId))
    .orderBy(desc(apiKeyEvents.occurred_at), apiKeyEvents.id)
    .limit(limit)
    .offset(offset),
);

/** Creates a key. Returns one row, or none if the member does not manage the organization. */
export const createApiKey = statement(
  (key: Slots<Omit<ApiKeyIn, 'expires_at'> & StoredSecret & { expires_at: string | null }>) => {
    const managed = db
      .select({
        id: sql`gen_random_uuid()`.as('id'),
        organization_id: organizations.id,
        name: sql`${key.name}::text`.as('name'),
        key_prefix: sql`${key.key_prefix}::text`.as('key_prefix'),
        key_hash: sql`${key.key_hash}::text`.as('key_hash'),
        scopes: sql`${key.scopes}::text[]`.as('scopes'),
        last_used_at: sql`null::timestamptz`.as('last_used_at'),
        expires_at: sql`${key.expires_at}::timestamptz`.as('expires_at'),
        revoked_at: sql`null::timestamptz`.as('revoked_at'),
        created_at: sql`now()`.as('created_at'),
      })
      .from(organizations)
      .where(eq(organizations.id, managedOrganizationId));
    return withEvent('created', db.insert(apiKeys).select(managed).returning(changedColumns));
  },
);

/**
 * Replaces a key's secret. Returns one row, or none if the key does not exist, is revoked or has expired.
 * One update changes hash and prefix, so exactly one secret works at any time.
 */
export const rotateApiKey = statement(
  ({ keyId, key_prefix, key_hash }: Slots<OfKey & StoredSecret>) =>
    withEvent(
      'rotated',
      db
        .update(apiKeys)
        .set({ key_prefix: sql`${key_prefix}`, key_hash: sql`${key_hash}` })
        .where(isOwnLiveKey(keyId))
        .returning(changedColumns),
    ),
);

/** Renames a key in any state. Returns no row if the key does not exist or has this name already. */
export const renameApiKey = statement(({ keyId, name }: Slots<OfKey & { name: string }>) =>
  withEvent(
    'renamed',
    db
      .update(apiKeys)
      .set({ name: sql`${name}` })
      .where(and(isOwnKey(keyId), ne(apiKeys.name, sql`${name}::text`)))
      .returning(changedColumns),
  ),
);

/** Revokes a key, also an expired one. Returns one row, or none if it does not exist or is revoked already. */
export const revokeApiKey = statement(({ keyId }: Slots<OfKey>) =>
  withEvent(
    'revoked',
    db
      .update(apiKeys)
      .set({ revoked_at: sql`now()` })
      .where(isOwnUnrevokedKey(keyId))
      .returning(changedColumns),
  ),
);

/** Writes the change and its history entry in one statement, so neither exists without the other. */
function withEvent(kind: EventKind, change: TypedQueryBuilder<typeof changedColumns>) {
  const changed = db.$with('changed').as(change);
  const event = db
    .select({
      id: sql`gen_random_uuid()`.as('id'),
      organization_id: changed.organization_id,
      api_key_id: sql`${changed.id}`.as('api_key_id'),
      kind: sql`${kind}::text`.as('kind'),
      key_prefix: changed.key_prefix,
      actor: sql`${memberUserId}::text`.as('actor'),
      occurred_at: sql`now()`.as('occurred_at'),
    })
    .from(changed);
  const recorded = db
    .$with('recorded')
    .as(db.insert(apiKeyEvents).select(event).returning({ id: apiKeyEvents.id }));
  return db.with(changed, recorded).select().from(changed);
}
