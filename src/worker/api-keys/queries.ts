import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { apiKeyPrefix, hashApiKey } from '../auth/api-key/api-key.ts';
import { managedOrganizationId, memberUserId } from '../auth/panel/queries.ts';
import { API_KEY_EVENT_KINDS } from '../db/sql.ts';
import { type Slot, type Slots, statement, total } from '../db/statement.ts';
import type { Limits } from '../http/pagination.ts';
import { SCOPES } from '../scopes.ts';
import type { ApiKeyIn } from './schemas.ts';

type OfKey = { keyId: string };

/** The stored form of a key. */
type StoredSecret = { key_prefix: string; key_hash: string };

export const storedSecret = async (key: string): Promise<StoredSecret> => ({
  key_prefix: apiKeyPrefix(key),
  key_hash: await hashApiKey(key),
});

/** A key without its hash. */
const changedRow = () =>
  z.strictObject({
    id: z.guid(),
    name: z.string(),
    key_prefix: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    last_used_at: z.nullable(z.date()),
    expires_at: z.nullable(z.date()),
    revoked_at: z.nullable(z.date()),
    created_at: z.date(),
  });

/** A key with the user who created it; null if the history does not say it. */
const keyRow = () => z.extend(changedRow(), { created_by: z.nullable(z.string()) });

export type KeyRow = z.output<ReturnType<typeof keyRow>>;

/** The columns of `changedRow`. */
const CHANGED = sql`
  id, name, key_prefix, to_json(scopes) as scopes, last_used_at, expires_at, revoked_at, created_at`;

/** The columns of `keyRow`. */
const KEY = sql`${CHANGED}, (
    select actor from api_key_events
    where api_key_id = api_keys.id and organization_id = api_keys.organization_id
      and kind = 'created'
    limit 1
  ) as created_by`;

const IS_OWN = sql`organization_id = ${managedOrganizationId}`;

const isOwnKey = (keyId: Slot): SQL => sql`id = ${keyId} and ${IS_OWN}`;

export const countApiKeys = statement(
  total,
  () => sql`select count(*)::int as total from api_keys where ${IS_OWN}`,
);

export const listApiKeys = statement(
  keyRow,
  ({ limit, offset }: Slots<Limits>) => sql`
  select ${KEY} from api_keys where ${IS_OWN}
  order by created_at desc, id limit ${limit} offset ${offset}`,
);

export const findApiKey = statement(
  keyRow,
  ({ keyId }: Slots<OfKey>) => sql`select ${KEY} from api_keys where ${isOwnKey(keyId)}`,
);

export const countApiKeyEvents = statement(
  total,
  ({ keyId }: Slots<OfKey>) => sql`
  select count(*)::int as total from api_key_events where api_key_id = ${keyId} and ${IS_OWN}`,
);

const eventRow = () =>
  z.strictObject({
    kind: z.enum(API_KEY_EVENT_KINDS),
    key_prefix: z.string(),
    actor: z.string(),
    occurred_at: z.date(),
  });

export type KeyEventRow = z.output<ReturnType<typeof eventRow>>;

export const listApiKeyEvents = statement(
  eventRow,
  ({ keyId, limit, offset }: Slots<OfKey & Limits>) => sql`
  select kind, key_prefix, actor, occurred_at from api_key_events
  where api_key_id = ${keyId} and ${IS_OWN}
  order by occurred_at desc, id limit ${limit} offset ${offset}`,
);

/** Creates a key. Returns one row, or none if the member does not manage the organization. */
export const createApiKey = statement(
  changedRow,
  (key: Slots<Omit<ApiKeyIn, 'expires_at'> & StoredSecret & { expires_at: string | null }>) =>
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
  changedRow,
  ({ keyId, key_prefix, key_hash }: Slots<OfKey & StoredSecret>) =>
    withEvent(
      'rotated',
      sql`update api_keys set key_prefix = ${key_prefix}, key_hash = ${key_hash}
      where ${isOwnKey(keyId)} and revoked_at is null and (expires_at is null or expires_at > now())`,
    ),
);

/** Renames a key in any state. Returns no row if the key does not exist or has this name already. */
export const renameApiKey = statement(
  changedRow,
  ({ keyId, name }: Slots<OfKey & { name: string }>) =>
    withEvent(
      'renamed',
      sql`update api_keys set name = ${name} where ${isOwnKey(keyId)} and name <> ${name}`,
    ),
);

/** Revokes a key, also an expired one. Returns one row, or none if it does not exist or is revoked already. */
export const revokeApiKey = statement(changedRow, ({ keyId }: Slots<OfKey>) =>
  withEvent(
    'revoked',
    sql`update api_keys set revoked_at = now() where ${isOwnKey(keyId)} and revoked_at is null`,
  ),
);

/** Writes the change and its history entry in one statement, so neither exists without the other. */
const withEvent = (kind: KeyEventRow['kind'], change: SQL): SQL => sql`
  with changed as (${change} returning *),
  recorded as (
    insert into api_key_events (organization_id, api_key_id, kind, key_prefix, actor)
    select organization_id, id, ${kind}::text, key_prefix, ${memberUserId}::text from changed
  )
  select ${CHANGED} from changed`;
