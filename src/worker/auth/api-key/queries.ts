import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { command, type Slots, statement } from '../../db/statement.ts';
import type { Scope } from '../../scopes.ts';

/** Values of the placeholders for the caller. */
export type CallerValues = { keyHash: string; neededScope: Scope };

export const IS_ALIVE = sql`revoked_at is null and (expires_at is null or expires_at > now())`;

const IS_LIVE = sql`key_hash = ${sql.placeholder('keyHash' satisfies keyof CallerValues)}
  and ${IS_ALIVE}`;

const IS_PERMITTED = sql`${sql.placeholder('neededScope' satisfies keyof CallerValues)} = any(scopes)`;

const permittedKey = (column: 'id' | 'organization_id' | 'event_id' | 'key_prefix'): SQL =>
  sql`(select ${sql.identifier(column)} from api_keys where ${IS_LIVE} and ${IS_PERMITTED})`;

/** SQL for the organization of the caller's key; null unless the key is live and holds the scope. */
export const callerOrganizationId = permittedKey('organization_id');

/** SQL for the only event that the caller's key may ask for; null if it may ask for all. */
export const callerEventId = permittedKey('event_id');

/** SQL for the id of the caller's key, under the same conditions. */
export const callerKeyId = permittedKey('id');

/** SQL for the prefix of the caller's key, under the same conditions. */
export const callerKeyPrefix = permittedKey('key_prefix');

const liveKey = () =>
  z.strictObject({
    id: z.guid(),
    organization_id: z.guid(),
    permitted: z.boolean(),
    is_use_due: z.boolean(),
  });

export type LiveKey = z.output<ReturnType<typeof liveKey>>;

/** Whether `last_used_at` is to be written: once a minute. */
const IS_USE_DUE = sql`(last_used_at is null or last_used_at < now() - interval '1 minute')`;

/** The live key, whether it holds the scope, and whether `writeUse` is due. A read-only database cannot write it. */
export const findLiveKey = statement(
  liveKey,
  () => sql`
  select id, organization_id, ${IS_PERMITTED} as permitted,
    ${IS_USE_DUE} and current_setting('transaction_read_only') = 'off' as is_use_due
  from api_keys where ${IS_LIVE}`,
);

/** Writes `last_used_at`. Of concurrent requests one writes it, and the others do not wait for its lock. */
export const writeUse = command(
  ({ keyId }: Slots<{ keyId: string }>) => sql`
  update api_keys set last_used_at = now()
  where id = (
    select id from api_keys where id = ${keyId} and ${IS_USE_DUE} for no key update skip locked
  )`,
);

/** Those of the keys that are live. */
export const findLiveKeys = statement(
  () => z.strictObject({ key_hash: z.string() }),
  ({ keyHashes }: Slots<{ keyHashes: string[] }>) =>
    sql`select key_hash from api_keys where key_hash = any(${keyHashes}::text[]) and ${IS_ALIVE}`,
);
