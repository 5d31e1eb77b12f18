import { and, count, desc, eq, isNull, sql } from 'drizzle-orm';
import type { TypedQueryBuilder } from 'drizzle-orm/query-builders/query-builder';
import { apiKeyPrefix, hashApiKey } from '../caller/api-key.ts';
import { apiKeyEvents, apiKeys, organizations } from '../db/schema.ts';
import { limits, type PageQuery } from '../http/pagination.ts';
import type { Member } from '../member/member.ts';
import type { ApiKeyIn } from './schemas.ts';

type EventKind = (typeof apiKeyEvents.kind.enumValues)[number];

/** What is kept of a key's secret. */
export type StoredSecret = Pick<typeof apiKeys.$inferSelect, 'key_prefix' | 'key_hash'>;

export const storedSecret = async (key: string): Promise<StoredSecret> => ({
  key_prefix: apiKeyPrefix(key),
  key_hash: await hashApiKey(key),
});

/** All that is ever read of a key here: its hash is not among it. */
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

/** What a change tells of the key it changed. */
const changedColumns = { ...recordColumns, organization_id: apiKeys.organization_id };

const own = ({ organizationId }: Member) => eq(apiKeys.organization_id, organizationId);

const ownKey = (member: Member, keyId: string) => and(eq(apiKeys.id, keyId), own(member));

const ownLiveKey = (member: Member, keyId: string) =>
  and(ownKey(member, keyId), isNull(apiKeys.revoked_at));

export const countApiKeys = (member: Member) =>
  member.db.select({ total: count() }).from(apiKeys).where(own(member));

export const listApiKeys = (member: Member, page: PageQuery) => {
  const { limit, offset } = limits(page);
  return member.db
    .select(recordColumns)
    .from(apiKeys)
    .where(own(member))
    .orderBy(desc(apiKeys.created_at), apiKeys.id)
    .limit(limit)
    .offset(offset);
};

export const findApiKey = (member: Member, keyId: string) =>
  member.db.select(recordColumns).from(apiKeys).where(ownKey(member, keyId));

/** Makes a key: one row, or none for who does not manage the organization. */
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
 * Puts a new secret in place of the old one: one row, or none where there is no such key that lives.
 * Hash and prefix change in the same instant, so at none do both secrets work, or neither.
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

/** Ends a key for good: one row, or none where there is no such key that lives. */
export const revokeApiKey = (member: Member, keyId: string) =>
  withEvent(
    member,
    'revoked',
    member.db
      .update(apiKeys)
      .set({ revoked_at: sql`now()` })
      .where(ownLiveKey(member, keyId))
      .returning(changedColumns),
  );

/** The change and its event as one statement: neither is ever there without the other. */
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
