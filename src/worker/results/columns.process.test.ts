import { drizzle } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sendingWith } from '../../bench/statements.ts';
import { insertMember, insertRace, runners } from '../../dev/stack/seed.ts';
import { type OwnStack, startOwnStack } from '../../testing/runtime/own-stack.ts';
import { atOnce } from '../../timing-files/read/turns.ts';
import type { Statement } from '../db/statement.ts';
import { openJson } from '../http/json-text.ts';
import { RESULT_COLUMNS } from './columns.ts';
import { readJsonBatch } from './upload/json-rows.ts';

let own: OwnStack;

beforeAll(async () => {
  own = await startOwnStack();
  for (const table of ['results', 'replaced_results']) {
    await own.pool.query(`alter table ${table} add column note text`);
  }
}, 60_000);

afterAll(async () => {
  vi.doUnmock('./columns.ts');
  vi.resetModules();
  await own?.stop();
});

/** The acts that write results, with the new column in the list. */
async function actsWithNote() {
  vi.resetModules();
  vi.doMock('./columns.ts', () => ({ RESULT_COLUMNS: [...RESULT_COLUMNS, 'note'] }));
  return {
    ...(await import('./upload/store.ts')),
    ...(await import('./batches/correction.ts')),
    ...(await import('./batches/swap.ts')),
    ...(await import('./batches/deletion.ts')),
    ...(await import('./batches/revert.ts')),
  };
}

test('keeps a new column with its result through every act that writes results', async () => {
  const acts = await actsWithNote();
  const db = drizzle(own.pool);
  const { eventId, organizationId, key } = await insertRace(db, runners(2));
  const userId = await insertMember(db, organizationId);
  const send = await sendingWith(key, 'results:write', { organizationId, userId });
  const run = async <Row extends object>(statement: Statement<Row[]>): Promise<Row> => {
    const {
      rows: [row],
    } = await own.pool.query<Row>(send(statement));
    if (!row) throw new Error('The statement answered no row');
    return row;
  };
  const upload = (rows: object[]) =>
    run(
      acts.storeBatch(
        eventId,
        atOnce(readJsonBatch(openJson(Buffer.from(JSON.stringify({ results: rows }))))),
        {
          source: 'json',
        },
      ),
    );
  const change = () => ({ eventId, batchId: crypto.randomUUID(), reason: null, isDry: false });
  /** Each bib with its status and its note: of the stored result, then of earlier results. */
  async function notes() {
    const { rows } = await own.pool.query<{ line: string }>(
      `select bib_number || ': ' || string_agg(concat_ws(' ', version.status, note), ', ' order by version.step nulls first) as line
      from (
        select registration_id, status, note, null::bigint as step from results
        union all select registration_id, status, note, -id from replaced_results
      ) version join registrations on registrations.id = registration_id
      group by bib_number order by bib_number`,
    );
    return rows.map(({ line }) => line);
  }

  await upload([
    { bib_number: '1', time: '01:00:00' },
    { bib_number: '2', status: 'DNF' },
  ]);
  await own.pool.query(
    `update results set note = 'of ' || bib_number from registrations where id = registration_id`,
  );
  const later = await upload([{ bib_number: '1', time: '01:00:01' }]);
  expect(await notes()).toEqual(['1: FINISHED of 1, FINISHED of 1', '2: DNF of 2']);

  await run(acts.correctResult({ ...change(), bib: '2', status: 'DSQ' }));
  expect(await notes()).toEqual(['1: FINISHED of 1, FINISHED of 1', '2: DSQ of 2, DNF of 2']);

  const swapped = await run(acts.swapResults.key({ ...change(), bib: '1', otherBib: '2' }));
  expect(await notes()).toEqual([
    '1: DSQ of 2, FINISHED of 1, FINISHED of 1',
    '2: FINISHED of 1, DSQ of 2, DNF of 2',
  ]);

  const removed = await run(acts.deleteResult.key({ ...change(), bib: '2' }));
  expect(await notes()).toEqual([
    '1: DSQ of 2, FINISHED of 1, FINISHED of 1',
    '2: FINISHED of 1, DSQ of 2, DNF of 2',
  ]);

  for (const batchId of [removed.batch_id, swapped.batch_id, later.batch_id]) {
    const batch = { eventId, batchId: batchId ?? '', reason: null, revertId: crypto.randomUUID() };
    expect(await run(acts.revertBatch.key(batch))).toMatchObject({ kept: 0 });
  }
  expect(await notes()).toEqual([
    '1: FINISHED of 1, FINISHED of 1, DSQ of 2, FINISHED of 1, FINISHED of 1',
    '2: DSQ of 2, FINISHED of 1, FINISHED of 1, DSQ of 2, DNF of 2',
  ]);
});
