import { type SQL, sql } from 'drizzle-orm';
import { apiKeyPrefix, hashApiKey } from '../auth/api-key/api-key.ts';
import { managedOrganizationId, memberUserId } from '../auth/panel/queries.ts';
import { instants } from '../db/sql.ts';
import { answered, listStatement, type Slot, type Slots, statement } from '../db/statement.ts';
import type { ApiKeyEvent, ApiKeyRecord } from './answer-schemas.ts';
import type { ApiKeyIn } from './schemas.ts';

type OfKey = { keyId: string };

/** The stored form of a key. */
type StoredSecret = { key_prefix: string; key_hash: string };

export const storedSecret = async (key: string): Promise<StoredSecret> => ({
  key_prefix: apiKeyPrefix(key),
  key_hash: await hashApiKey(key),
});

/** A key without its hash, and the user who created it; null if the history does not say it. */
const KEY = sql`id, name, key_prefix, to_json(scopes) as scopes, revoked_at is null as is_active,
  ${instants('last_used_at', 'expires_at', 'revoked_at', 'created_at')}, (
    select actor from api_key_events
    where api_key_id = api_keys.id and organization_id = api_keys.organization_id and kind = 'created'
    limit 1
  ) as created_by`;

const IS_OWN = sql`organization_id = ${managedOrganizationId}`;

const isOwnKey = (keyId: Slot): SQL => sql`id = ${keyId} and ${IS_OWN}`;

export const listApiKeys = listStatement(answered<ApiKeyRecord>, () => ({
  columns: KEY,
  table: sql`api_keys`,
  where: IS_OWN,
  order: sql`api_keys.created_at desc, id`,
}));

export const findApiKey = statement(
  answered<ApiKeyRecord>,
  ({ keyId }: Slots<OfKey>) => sql`select ${KEY} from api_keys where ${isOwnKey(keyId)}`,
);

export const listApiKeyEvents = listStatement(answered<ApiKeyEvent>, ({ keyId }: Slots<OfKey>) => ({
  of: sql`select from api_keys where ${isOwnKey(keyId)}`,
  columns: sql`kind, key_prefix, actor, ${instants('occurred_at')}`,
  table: sql`api_key_events`,
  where: sql`api_key_id = ${keyId} and ${IS_OWN}`,
  order: sql`api_key_events.occurred_at desc, id`,
}));

/** Creates a key. Returns one row, or none if the member does not manage the organization. */
export const createApiKey = statement(
  answered<ApiKeyRecord>,
  (key: Slots<ApiKeyIn & StoredSecret>) =>
    withEvent(
      'created',
      sql`insert into api_keys (organization_id, name, key_prefix, key_hash, scopes, expires_at)
      select id, ${key.name}, ${key.key_prefix}, ${key.key_hash}, ${key.scopes}::text[],
        ${key.expires_at}::timestamptz
      from organizations where id = ${managedOrganizationId}`,
    ),
);

/**
 * Replaces a key's secret. Returns one row, or none if the key does not exist, is revoked or has expired.
 * One update changes hash and prefix, so exactly one secret works at any time.
 */
export const rotateApiKey = statement(
  answered<ApiKeyRecord>,
  ({ keyId, key_prefix, key_hash }: Slots<OfKey & StoredSecret>) =>
    withEvent(
      'rotated',
      sql`update api_keys set key_prefix = ${key_prefix}, key_hash = ${key_hash}
      where ${isOwnKey(keyId)} and revoked_at is null and (expires_at is null or expires_at > now())`,
    ),
);

/** Renames a key in any state. Returns no row if the key does not exist or has this name already. */
export const renameApiKey = statement(
  answered<ApiKeyRecord>,
  ({ keyId, name }: Slots<OfKey & { name: string }>) =>
    withEvent(
      'renamed',
      sql`update api_keys set name = ${name} where ${isOwnKey(keyId)} and name <> ${name}`,
    ),
);

/** Revokes a key, also an expired one. Returns one row, or none if it does not exist or is revoked already. */
export const revokeApiKey = statement(answered<ApiKeyRecord>, ({ keyId }: Slots<OfKey>) =>
  withEvent(
    'revoked',
    sql`update api_keys set revoked_at = now() where ${isOwnKey(keyId)} and revoked_at is null`,
  ),
);

/** Writes the change and its history entry in one statement, so neither exists without the other. */
const withEvent = (kind: ApiKeyEvent['kind'], change: SQL): SQL => sql`
  with changed as (${change} returning *),
  recorded as (
    insert into api_key_events (organization_id, api_key_id, kind, key_prefix, actor)
    select organization_id, id, ${kind}::text, key_prefix, ${memberUserId}::text from changed
  )
  select ${KEY} from changed api_keys`;
