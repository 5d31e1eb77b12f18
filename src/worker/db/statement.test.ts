import { sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { createRace } from '../../testing/factories.ts';
import { testConfig } from '../../testing/harness.ts';
import { connect, transact } from './client.ts';
import { db } from './query-builder.ts';
import { apiKeys, registrations } from './schema.ts';
import { type Slots, sqlStatement, statement } from './statement.ts';

const connection = connect(testConfig.DATABASE_URL);

describe('a statement', () => {
  test('is built once for each set of values that are sent', async () => {
    const build = vi.fn(({ one, other }: Slots<{ one: string; other?: string | undefined }>) =>
      db.execute(sql`select ${one}::text as one ${other ? sql`, ${other}::text as other` : sql``}`),
    );
    const select = statement(build);
    const answers = await transact(connection, [
      select({ one: 'a' }),
      select({ one: 'b', other: undefined }),
      select({ one: 'c', other: 'd' }),
      select({ one: 'e', other: 'f' }),
    ]);
    expect(answers).toEqual([
      [{ one: 'a' }],
      [{ one: 'b' }],
      [{ one: 'c', other: 'd' }],
      [{ one: 'e', other: 'f' }],
    ]);
    expect(build).toHaveBeenCalledTimes(2);
  });

  test('cannot replace a value that stands for the caller', async () => {
    const select = statement(({ userId }: Slots<{ userId: string }>) =>
      db.execute(sql`select ${userId}::text as user_id`),
    );
    expect(await transact(connection, [select({ userId: 'me' })], { userId: 'caller' })).toEqual([
      [{ user_id: 'caller' }],
    ]);
  });

  test('is refused without a value that it needs', async () => {
    const select = statement(() => db.execute(sql`select ${sql.placeholder('keyHash')}::text`));
    await expect(transact(connection, [select({})])).rejects.toThrow('keyHash');
  });

  test('runs in a transaction alone', async () => {
    await expect(db.select().from(registrations)).rejects.toThrow('transact()');
  });
});

describe('rows of raw SQL', () => {
  const counted = (column: string) =>
    sqlStatement(
      () => z.strictObject({ total: z.int() }),
      () => sql`select 1 as ${sql.identifier(column)}`,
    )({});

  test('compares rows with their schema in tests', async () => {
    expect(await transact(connection, [counted('total')])).toEqual([[{ total: 1 }]]);
    await expect(transact(connection, [counted('renamed')])).rejects.toThrow('renamed');
  });
});

describe('rows', () => {
  test('reads columns as the schema declares them', async () => {
    const { eventId, organizationId } = await createRace({ bibs: ['7'] });
    const findRunner = statement((slots: Slots<{ eventId: string }>) =>
      db.select().from(registrations).where(sql`event_id = ${slots.eventId}`),
    );
    const findKey = statement((slots: Slots<{ organizationId: string }>) =>
      db.select().from(apiKeys).where(sql`organization_id = ${slots.organizationId}`),
    );
    const [[runner], [key]] = await transact(connection, [
      findRunner({ eventId }),
      findKey({ organizationId }),
    ]);
    expect(runner).toMatchObject({ event_id: eventId, bib_number: '7', chip: null });
    expect(runner?.registered_at).toBeInstanceOf(Date);
    expect(key?.scopes).toContain('results:write');
    expect(key?.revoked_at).toBeNull();
  });

  test('decodes expressions by their type', async () => {
    const select = statement(() =>
      db.execute(sql`select 7::int2 as int2, -7 as int4, 0.5::float8 as float8, true as yes, false as no,
        null::bool as nothing, '{"a": [1]}'::json as json, '[2]'::jsonb as jsonb, array[1, 2] as numbers,
        array[]::int[] as none, 9007199254740993 as int8, 't'::text as text`),
    );
    expect(await transact(connection, [select({})])).toEqual([
      [
        {
          ...{ int2: 7, int4: -7, float8: 0.5, yes: true, no: false, nothing: null },
          ...{ json: { a: [1] }, jsonb: [2], numbers: [1, 2], none: [] },
          // A bigint may be more than a number holds: a query casts it.
          ...{ int8: '9007199254740993', text: 't' },
        },
      ],
    ]);
  });
});
