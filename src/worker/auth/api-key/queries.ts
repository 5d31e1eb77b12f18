import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import {
  checked,
  command,
  type Optional,
  type RowSchema,
  type Slots,
  type Statement,
  statement,
} from '../../db/statement.ts';
import type { Scope } from '../../scopes.ts';

/** Values of the placeholders for the caller. */
export type CallerValues = { keyHash: string; neededScope: Scope };

export const IS_ALIVE = sql`revoked_at is null and (expires_at is null or expires_at > now())`;

const IS_LIVE = sql`key_hash = ${sql.placeholder('keyHash' satisfies keyof CallerValues)}
  and ${IS_ALIVE}`;

const IS_PERMITTED = sql`${sql.placeholder('neededScope' satisfies keyof CallerValues)} = any(scopes)`;

/** Whether a row of `api_keys` is the caller's key, live and with the scope. */
export const IS_CALLER = sql`${IS_LIVE} and ${IS_PERMITTED}`;

const permittedKey = (column: 'id' | 'organization_id' | 'event_id'): SQL =>
  sql`(select ${sql.identifier(column)} from api_keys where ${IS_CALLER})`;

/** SQL for the organization of the caller's key; null unless the key is live and holds the scope. */
export const callerOrganizationId = permittedKey('organization_id');

/** SQL for the id of the caller's key; null unless the key is live and holds the scope. */
export const callerKeyId = permittedKey('id');

/** SQL for the only event that the caller's key may read; null if the key may read all events. */
export const callerEventId = permittedKey('event_id');

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

/** Like `IS_USE_DUE`, and false in a read-only database: the write would fail. */
const USE_IS_DUE = sql`${IS_USE_DUE} and current_setting('transaction_read_only') = 'off'`;

/** The live key, whether it holds the scope, and whether `writeUse` is due. */
export const findLiveKey = statement(
  'findLiveKey',
  liveKey,
  () => sql`
  select id, organization_id, ${IS_PERMITTED} as permitted, ${USE_IS_DUE} as is_use_due
  from api_keys where ${IS_LIVE}`,
);

/** Includes `findLiveKey`: a single statement costs the database a fifth less than two statements. */
type BesideKey = {
  besideKey: () => Statement<{ key: LiveKey | undefined; rows: unknown[] }>;
};

export const isBesideKey = (statement: Statement): statement is Statement & BesideKey =>
  'besideKey' in statement && !statement.before;

const keyBeside = () =>
  z.looseObject({
    key_id: z.guid(),
    key_organization_id: z.guid(),
    key_permitted: z.boolean(),
    key_is_use_due: z.boolean(),
    has_own: z.boolean(),
  });

/**
 * Selects the caller's row, if any. The select can join the statement of the caller's key.
 * @param build makes the select from SQL for the key's organization and for the only event of the key. The row has an
 *   `id`, and no other column of `api_keys`
 */
export function ownRow<Values extends object, Row>(
  name: string,
  row: RowSchema<Row>,
  build: (slots: Slots<Values>, key: { organizationId: SQL; eventId: SQL }) => SQL,
  ...optional: Optional<Values>
): (values: Values) => Statement<Row[]> & BesideKey {
  const alone = statement(
    name,
    row,
    (slots: Slots<Values>) =>
      build(slots, { organizationId: callerOrganizationId, eventId: callerEventId }),
    ...optional,
  );
  const beside = statement(
    `${name}.key`,
    keyBeside,
    (slots: Slots<Values>) => sql`
    select key.id as key_id, key.organization_id as key_organization_id,
      ${IS_PERMITTED} as key_permitted, ${USE_IS_DUE} as key_is_use_due, own.id is not null as has_own, own.*
    from api_keys key left join lateral (
      ${build(slots, { organizationId: sql`key.organization_id`, eventId: sql`key.event_id` })}
    ) own on ${IS_PERMITTED}
    where ${IS_LIVE}`,
    ...optional,
  );
  const rowList = () => z.array(row());
  return (values) => ({
    ...alone(values),
    besideKey() {
      const { read, ...sent } = beside(values);
      return {
        ...sent,
        read(answer) {
          const [row] = read(answer);
          if (!row) return { key: undefined, rows: checked(rowList, []) };
          const {
            key_id: id,
            key_organization_id: organization_id,
            key_permitted: permitted,
            key_is_use_due: is_use_due,
            has_own,
            ...own
          } = row;
          const key = { id, organization_id, permitted, is_use_due };
          return { key, rows: checked(rowList, has_own ? [own] : []) };
        },
      };
    },
  });
}

/** Writes `last_used_at`. Of concurrent requests a single request writes, and no request waits for the lock. */
export const writeUse = command(
  'writeUse',
  ({ keyId }: Slots<{ keyId: string }>) => sql`
  update api_keys set last_used_at = now()
  where id = (
    select id from api_keys where id = ${keyId} and ${IS_USE_DUE} for no key update skip locked
  )`,
);

/** The live keys among the given keys. */
export const findLiveKeys = statement(
  'findLiveKeys',
  () => z.strictObject({ key_hash: z.string() }),
  ({ keyHashes }: Slots<{ keyHashes: string[] }>) =>
    sql`select key_hash from api_keys where key_hash = any(${keyHashes}::text[]) and ${IS_ALIVE}`,
);
