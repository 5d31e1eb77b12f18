import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '../auth/api-key/api-key.ts';
import { IS_ALIVE } from '../auth/api-key/queries.ts';
import { managedOrganizationId, memberUserId } from '../auth/panel/queries.ts';
import { API_KEY_EVENT_KINDS, instants } from '../db/sql.ts';
import {
  command,
  listStatement,
  type RowSchema,
  type Slot,
  type Slots,
  type Statement,
  statement,
  total,
} from '../db/statement.ts';
import { SCOPES } from '../scopes.ts';
import type { ApiKeyEvent, ApiKeyRecord, RotatedApiKey } from './answer-schemas.ts';
import type { ApiKeyIn } from './schemas.ts';

type OfKey = { keyId: string };

type StoredSecret = { key_prefix: string; key_hash: string };

/** Makes a key, and a statement to store the key. The rows of the statement show the key in full. */
function withNewKey(
  store: (secret: StoredSecret) => Statement<ApiKeyRecord[]>,
): Statement<RotatedApiKey[]> {
  const api_key = generateApiKey();
  const stored = store({
    key_prefix: apiKeyPrefix(api_key),
    key_hash: hashApiKey(api_key),
  });
  return { ...stored, read: (answer) => stored.read(answer).map((row) => ({ ...row, api_key })) };
}

const apiKeyRow = () =>
  z.strictObject({
    id: z.guid(),
    event_id: z.nullable(z.guid()),
    name: z.string(),
    key_prefix: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    last_used_at: z.nullable(z.string()),
    is_active: z.boolean(),
    expires_at: z.nullable(z.string()),
    revoked_at: z.nullable(z.string()),
    created_at: z.string(),
    created_by: z.nullable(z.string()),
  });

apiKeyRow satisfies RowSchema<ApiKeyRecord>;

const apiKeyEventRow = () =>
  z.strictObject({
    kind: z.enum(API_KEY_EVENT_KINDS),
    event_id: z.nullable(z.guid()),
    key_prefix: z.string(),
    actor: z.string(),
    occurred_at: z.string(),
  });

apiKeyEventRow satisfies RowSchema<ApiKeyEvent>;

/** A key without its hash, and the user behind its creation; null if the history does not say. */
const KEY = sql`id, event_id, name, key_prefix, to_json(scopes) as scopes, revoked_at is null as is_active,
  ${instants('last_used_at', 'expires_at', 'revoked_at', 'created_at')}, (
    select actor from api_key_events
    where api_key_id = api_keys.id and organization_id = api_keys.organization_id and kind = 'created'
    limit 1
  ) as created_by`;

const IS_OWN = sql`organization_id = ${managedOrganizationId}`;

const isOwnKey = (keyId: Slot): SQL => sql`id = ${keyId} and ${IS_OWN}`;

export const listApiKeys = listStatement('listApiKeys', apiKeyRow, () => ({
  columns: KEY,
  table: 'api_keys',
  where: IS_OWN,
  order: sql`api_keys.created_at desc, id`,
}));

export const findApiKey = statement(
  'findApiKey',
  apiKeyRow,
  ({ keyId }: Slots<OfKey>) => sql`select ${KEY} from api_keys where ${isOwnKey(keyId)}`,
);

export const listApiKeyEvents = listStatement(
  'listApiKeyEvents',
  apiKeyEventRow,
  ({ keyId }: Slots<OfKey>) => ({
    of: sql`select from api_keys where ${isOwnKey(keyId)}`,
    columns: sql`kind, event_id, key_prefix, actor, ${instants('occurred_at')}`,
    table: 'api_key_events',
    where: sql`api_key_id = ${keyId} and ${IS_OWN}`,
    order: sql`api_key_events.occurred_at desc, id`,
  }),
);

/** Keys of an organization that are neither revoked nor expired. */
export const LIVE_KEYS_MAX = 100;

const LIVE_KEYS = sql`select count(*)::int as total from api_keys where ${IS_OWN} and ${IS_ALIVE}`;

export const countLiveKeys = statement('countLiveKeys', total, () => LIVE_KEYS);

/**
 * Precedes `createApiKey`: the keys of an organization are created in turn, so that each creation counts the keys
 * before.
 */
export const lockKeyCreation = command(
  'lockKeyCreation',
  () =>
    sql`select pg_advisory_xact_lock(hashtextextended('api_keys ' || ${managedOrganizationId}, 0))`,
);

/**
 * Creates a key. Returns a row. Returns no row if the user does not manage the organization, at the limit of live keys,
 * or for an event of another organization.
 */
export const createApiKey = ({ name, scopes, expires_at = null, event_id = null }: ApiKeyIn) =>
  withNewKey((secret) => insertApiKey({ name, scopes, expires_at, event_id, ...secret }));

const insertApiKey = statement(
  'insertApiKey',
  apiKeyRow,
  (key: Slots<ApiKeyIn & StoredSecret>) =>
    withEvent(
      'created',
      sql`insert into api_keys (organization_id, event_id, name, key_prefix, key_hash, scopes, expires_at)
      select id, ${key.event_id}::uuid, ${key.name}, ${key.key_prefix}, ${key.key_hash}, ${key.scopes}::text[],
        ${key.expires_at}::timestamptz
      from organizations where id = ${managedOrganizationId} and (
        ${key.event_id}::uuid is null or exists (
          select from events where id = ${key.event_id}::uuid and organization_id = organizations.id
        )
      ) and (${LIVE_KEYS}) < ${sql.raw(String(LIVE_KEYS_MAX))}`,
    ),
  { event_id: true, expires_at: true },
);

/**
 * Replaces a key's secret. Returns a row, or no row if the key does not exist, is revoked or has expired. A single
 * update changes hash and prefix, so exactly one secret works at any time.
 */
export const rotateApiKey = (ofKey: OfKey) =>
  withNewKey((secret) => replaceSecret({ ...ofKey, ...secret }));

const replaceSecret = statement(
  'replaceSecret',
  apiKeyRow,
  ({ keyId, key_prefix, key_hash }: Slots<OfKey & StoredSecret>) =>
    withEvent(
      'rotated',
      sql`update api_keys set key_prefix = ${key_prefix}, key_hash = ${key_hash}
      where ${isOwnKey(keyId)} and ${IS_ALIVE}`,
    ),
);

/** Renames a key in any state. Returns no row if the key does not exist or has this name already. */
export const renameApiKey = statement(
  'renameApiKey',
  apiKeyRow,
  ({ keyId, name }: Slots<OfKey & { name: string }>) =>
    withEvent(
      'renamed',
      sql`update api_keys set name = ${name} where ${isOwnKey(keyId)} and name <> ${name}`,
    ),
);

/** Revokes a key, even an expired key. Returns a row, or no row if the key does not exist or is revoked already. */
export const revokeApiKey = statement('revokeApiKey', apiKeyRow, ({ keyId }: Slots<OfKey>) =>
  withEvent(
    'revoked',
    sql`update api_keys set revoked_at = now() where ${isOwnKey(keyId)} and revoked_at is null`,
  ),
);

/** Writes the change and its history entry in a single statement, so neither exists without the other. */
const withEvent = (kind: ApiKeyEvent['kind'], change: SQL): SQL => sql`
  with changed as (${change} returning *),
  recorded as (
    insert into api_key_events (organization_id, api_key_id, event_id, kind, key_prefix, actor)
    select organization_id, id, event_id, ${kind}::text, key_prefix, ${memberUserId}::text from changed
  )
  select ${KEY} from changed api_keys`;
