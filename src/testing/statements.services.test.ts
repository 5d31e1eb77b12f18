import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import '../worker/app.ts';
import '../worker/board/boards.ts';
import { STATEMENTS } from '../worker/db/statement.ts';
import { type OwnStack, startOwnStack } from './runtime/own-stack.ts';

let own: OwnStack;
beforeAll(async () => {
  own = await startOwnStack(inject('servers'));
});
afterAll(() => own?.stop());

/** PREPARE takes no DISCARD. The others copy their slots, or need null for a missing value: their SQL needs values. */
const UNPREPARED = [
  'discardPlans',
  ...['hideDistance', 'insertApiKey', 'listHiddenDistances', 'showDistance'],
];

test('the server knows the syntax, functions and columns of each statement', async () => {
  const client = await own.pool.connect();
  const faults = new Map<string, string>();
  // The embedded Postgres of most tests is newer than the oldest server that is supported.
  for (const { name, optional, queryWith } of STATEMENTS) {
    for (const { sql } of [queryWith([]), queryWith(optional)]) {
      const prepared = client.query(`prepare one as ${sql}`);
      const fault = await prepared.then(() => client.query('deallocate one'), String);
      if (typeof fault === 'string') faults.set(name, fault);
    }
  }
  client.release();
  expect(UNPREPARED.filter((name) => !faults.delete(name))).toEqual([]);
  expect([...faults]).toEqual([]);
  expect(STATEMENTS.length).toBeGreaterThan(100);
});
