import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testConfig } from '../../testing/harness.ts';
import { connect, transact } from './client.ts';
import { LargeText } from './large-text.ts';
import { command } from './statement.ts';

const connection = connect(testConfig.DATABASE_URL);

const echo = (...params: unknown[]) =>
  command(
    'echo',
    () =>
      sql`select to_json(array[${sql.join(
        params.map((param) => sql`${param}::text`),
        sql`, `,
      )}]) as texts`,
  )({});

const LOOKALIKE = `large-text:${crypto.randomUUID()}`;

test('sends large texts beside other parameters, in one statement and in several', async () => {
  const [one, other] = ['1"\\ñ😀'.repeat(50_000), '2'.repeat(100_000)];
  const large = { one: LargeText.of([one]), other: LargeText.of([other]) };
  const query = () => echo(LOOKALIKE, large.one, `"${LOOKALIKE}"`, large.other, large.one);
  const texts = [LOOKALIKE, one, `"${LOOKALIKE}"`, other, one];

  expect(await transact(connection, [query()])).toEqual([[{ texts }]]);
  const [first, second] = await transact(connection, [query(), echo(large.other)]);
  expect(first).toEqual([{ texts }]);
  expect(second).toEqual([{ texts: [other] }]);
});

test('keeps the large texts of concurrent requests apart', async () => {
  const large = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(70_000));
  const answers = await Promise.all(
    large.map((text) => transact(connection, [echo(LargeText.of([text]))])),
  );
  expect(answers.map(([rows]) => rows)).toEqual(large.map((text) => [{ texts: [text] }]));
});
