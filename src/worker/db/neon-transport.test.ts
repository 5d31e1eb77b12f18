import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testConfig } from '../../testing/harness.ts';
import { connect, transact } from './client.ts';
import { LargeText } from './large-text.ts';

const db = connect(testConfig.DATABASE_URL);

const echo = (...params: unknown[]) =>
  db.execute<{ texts: string[] }>(
    sql`select array[${sql.join(
      params.map((param) => sql`${param}::text`),
      sql`, `,
    )}] as texts`,
  );

const LOOKALIKE = `large-text:${crypto.randomUUID()}`;

test('sends large texts beside other parameters, in one query and in a transaction', async () => {
  const [one, other] = ['1"\\ñ😀'.repeat(50_000), '2'.repeat(100_000)];
  const large = { one: new LargeText([one]), other: new LargeText([other]) };
  const query = () => echo(LOOKALIKE, large.one, `"${LOOKALIKE}"`, large.other, large.one);
  const texts = [LOOKALIKE, one, `"${LOOKALIKE}"`, other, one];

  expect((await query()).rows).toEqual([{ texts }]);
  const [first, second] = await transact(db, [query(), echo(large.other)]);
  expect(first.rows).toEqual([{ texts }]);
  expect(second.rows).toEqual([{ texts: [other] }]);
});

test('keeps the large texts of concurrent requests apart', async () => {
  const large = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(70_000));
  const answers = await Promise.all(
    large.map((text) => transact(db, [echo(new LargeText([text]))])),
  );
  expect(answers.map(([{ rows }]) => rows)).toEqual(large.map((text) => [{ texts: [text] }]));
});
