import { and, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { TypedQueryBuilder } from 'drizzle-orm/query-builders/query-builder';
import { apiKeyPrefix, hashApiKey } from '../auth/api-key/api-key.ts';
import type { Member } from '../auth/panel/require-manager.ts';
import type { Database } from '../db/client.ts';
import { apiKeyEvents, apiKeys, organizations } from '../db/schema.ts';
import { limits, type PageQuery } from '../http/pagination.ts';
import type { ApiKeyIn } from './schemas.ts';

type EventKind = (typeof apiKeyEvents.kind.enumValues)[number];

/** The stored form of a key. */
export type StoredSecret = Pick<typeof apiKeys.$inferSelect, 'key_prefix' | 'key_hash'>;

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
const createdBy = (db: Database) =>
  sql<string | null>`${db
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

const own = ({ organizationId }: Member) => eq(apiKeys.organization_id, organizationId);

const ownKey = (member: Member, keyId: string) => and(eq(apiKeys.id, keyId), own(member));

const ownUnrevokedKey = (member: Member, keyId: string) =>
  and(ownKey(member, keyId), isNull(apiKeys.revoked_at));

const ownLiveKey = (member: Member, keyId: string) =>
  and(
    ownUnrevokedKey(member, keyId),
    or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, sql`now()`)),
  );

export const countApiKeys = (member: Member) =>
  member.db.select({ total: count() }).from(apiKeys).where(own(member));

export const listApiKeys = (member: Member, page: PageQuery) => {
  const { limit, offset } = limits(page);
  return member.db
    .select({ ...recordColumns, created_by: createdBy(member.db) })
    .from(apiKeys)
    .where(own(member))
    .orderBy(desc(apiKeys.created_at), apiKeys.id)
    .limit(limit)
    .offset(offset);
};

export const findApiKey = (member: Member, keyId: string) =>
  member.db
    .select({ ...recordColumns, created_by: createdBy(member.db) })
    .from(apiKeys)
    .where(ownKey(member, keyId));

const eventsOfKey = ({ organizationId }: Member, keyId: string) =>
  and(eq(apiKeyEvents.api_key_id, keyId), eq(apiKeyEvents.organization_id, organizationId));

export const countApiKeyEvents = (member: Member, keyId: string) =>
  member.db.select({ total: count() }).from(apiKeyEvents).where(eventsOfKey(member, keyId));

export const listApiKeyEvents = (member: Member, keyId: string, page: PageQuery) => {
  const { limit, offset } = limits(page);
  return member.db
    .select({
      kind: apiKeyEvents.kind,
      key_prefix: apiKeyEvents.key_prefix,
      actor: apiKeyEvents.actor,
      occurred_at: apiKeyEvents.occurred_at,
    })
    .from(apiKeyEvents)
    .where(eventsOfKey(member, keyId))
    .orderBy(desc(apiKeyEvents.occurred_at), apiKeyEvents.id)
    .limit(limit)
    .offset(offset);
};

/** Creates a key. Returns one row, or none if the member does not manage the organization. */
export function createApiKey(member: Member, key: ApiKeyIn, secret: StoredSecret) {
  const { db, organizationId } = member;
  const managed = db
    .select({
      id: sql`gen_random_uuid()`.as('id'),
      organization_id: organizations.id,
      name: sql`${key.name}::text`.as('name'),
      key_prefix: sql`${secret.key_prefix}::text`.as('key_prefix'),
      key_hash: sql`${secret.key_hash}::text`.as('key_hash'),
      scopes: sql`${sql.param(key.scopes)}::text[]`.as('scopes'),
      last_used_at: sql`null::timestamptz`.as('last_used_at'),
      expires_at: sql`${key.expires_at?.toISOString() ?? null}::timestamptz`.as('expires_at'),
      revoked_at: sql`null::timestamptz`.as('revoked_at'),
      created_at: sql`now()`.as('created_at'),
    })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return withEvent(member, 'created', db.insert(apiKeys).select(managed).returning(changedColumns));
}

/**
 * Replaces a key's secret. Returns one row, or none if the key does not exist, is revoked or has expired.
 * One update changes hash and prefix, so exactly one secret works at any time.
 */
export const rotateApiKey = (member: Member, keyId: string, secret: StoredSecret) =>
  withEvent(
    member,
    'rotated',
    member.db
      .update(apiKeys)
      .set(secret)
      .where(ownLiveKey(member, keyId))
      .returning(changedColumns),
  );

/** Revokes a key, also an expired one. Returns one row, or none if it does not exist or is revoked already. */
export const revokeApiKey = (member: Member, keyId: string) =>
  withEvent(
    member,
    'revoked',
    member.db
      .update(apiKeys)
      .set({ revoked_at: sql`now()` })
      .where(ownUnrevokedKey(member, keyId))
      .returning(changedColumns),
  );

/** Writes the change and its history entry in one statement, so neither exists without the other. */
function withEvent(
  { db, userId }: Member,
  kind: EventKind,
  change: TypedQueryBuilder<typeof changedColumns>,
) {
  const changed = db.$with('changed').as(change);
  const event = db
    .select({
      id: sql`gen_random_uuid()`.as('id'),
      organization_id: changed.organization_id,
      api_key_id: sql`${changed.id}`.as('api_key_id'),
      kind: sql`${kind}::text`.as('kind'),
      key_prefix: changed.key_prefix,
      actor: sql`${userId}::text`.as('actor'),
      occurred_at: sql`now()`.as('occurred_at'),
    })
    .from(changed);
  const recorded = db
    .$with('recorded')
    .as(db.insert(apiKeyEvents).select(event).returning({ id: apiKeyEvents.id }));
  return db.with(changed, recorded).select().from(changed);
}
