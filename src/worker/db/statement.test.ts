import { sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { testConfig } from '../../testing/harness.ts';
import { connect, transact } from './client.ts';
import { isoText } from './sql.ts';
import { command, type Slots, statement } from './statement.ts';

const connection = connect(testConfig.DATABASE_URL);

describe('a statement', () => {
  test('is built once for each set of values that are sent', async () => {
    const build = vi.fn(
      ({ one, other }: Slots<{ one: string; other?: string | undefined }>) =>
        sql`select ${one}::text as one ${other && sql`, ${other}::text as other`}`,
    );
    const select = command('select', build, { other: true });
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
    const select = command(
      'select',
      ({ userId }: Slots<{ userId: string }>) => sql`select ${userId}::text as user_id`,
    );
    expect(await transact(connection, [select({ userId: 'me' })], { userId: 'caller' })).toEqual([
      [{ user_id: 'caller' }],
    ]);
  });

  test('is refused without a value that it needs', async () => {
    const select = command('select', () => sql`select ${sql.placeholder('keyHash')}::text`);
    await expect(transact(connection, [select({})])).rejects.toThrow('keyHash');
  });
});

describe('rows', () => {
  const counted = (column: string) =>
    statement(
      'counted',
      () => z.strictObject({ total: z.int() }),
      () => sql`select 1 as ${sql.identifier(column)}`,
    )({});

  test('compares rows with their schema in tests', async () => {
    expect(await transact(connection, [counted('total')])).toEqual([[{ total: 1 }]]);
    await expect(transact(connection, [counted('renamed')])).rejects.toThrow('renamed');
  });

  test('decodes expressions by their type', async () => {
    const select = command(
      'select',
      () => sql`select 7::int2 as int2, -7 as int4, 0.5::float8 as float8, true as yes, false as no,
        null::bool as nothing, '{"a": [1]}'::json as json, '[2]'::jsonb as jsonb, array[1, 2] as numbers,
        array[]::int[] as none, 9007199254740993 as int8, 't'::text as text`,
    );
    expect(await transact(connection, [select({})])).toEqual([
      [
        {
          int2: 7,
          int4: -7,
          float8: 0.5,
          yes: true,
          no: false,
          nothing: null,
          json: { a: [1] },
          jsonb: [2],
          numbers: [1, 2],
          none: [],
          // A bigint may exceed a number: a query casts the bigint.
          int8: '9007199254740993',
          text: 't',
        },
      ],
    ]);
  });

  test('have instants in ISO 8601, and null where the year has more than four digits or is before 1', async () => {
    const instants = [
      ["'0050-06-01 12:30:00.0129+00'", '0050-06-01T12:30:00.012Z'],
      ["'9999-12-31 23:59:59.9999+00'", '9999-12-31T23:59:59.999Z'],
      ["'2031-01-01 00:30:00+01'", '2030-12-31T23:30:00.000Z'],
      ["'10000-01-01 00:00:00+00'", null],
      ["'0001-06-01 00:00:00+00 BC'", null],
      ["'infinity'", null],
      ["'-infinity'", null],
      ['null', null],
    ] as const;
    const select = command(
      'select',
      () =>
        sql`select ${sql.join(
          instants.map(
            ([literal], at) =>
              sql`${isoText(sql.raw(`${literal}::timestamptz`))} as ${sql.raw(`t${at}`)}`,
          ),
          sql`, `,
        )}`,
    );
    const [rows] = await transact(connection, [select({})]);
    expect(Object.values(rows?.[0] ?? {})).toEqual(instants.map(([, text]) => text));
  });
});
