import { NeonDbError } from '@neondatabase/serverless';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { expectError } from '../../testing/assertions.ts';
import { createKey, createOrganization } from '../../testing/factories.ts';
import { injectFault, withoutServices } from '../../testing/faults.ts';
import { startApp, testConfig, withKey } from '../../testing/harness.ts';
import { beforeWriting } from '../results/upload/before-writing.ts';
import { connect, READ_BUDGET_MS, transact } from './client.ts';
import { command, statement } from './statement.ts';

afterEach(() => vi.restoreAllMocks());

async function failureOf(config: typeof testConfig): Promise<string> {
  const app = startApp(config);
  const key = await createKey(await createOrganization());
  const answer = await app.request('/public/v1/events', { headers: withKey(key) });
  await expectError(answer, 503, 'SERVICE_UNAVAILABLE');
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  return JSON.stringify(app.logged.filter(({ level }) => level === 'error'));
}

describe('the log', () => {
  test('logs a time-out when Postgres does not answer in time', async () => {
    const config = await injectFault(testConfig, 'postgres', { kind: 'delay', ms: 1_000 });
    const wait = setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms = 0) =>
      wait(run, Math.min(ms, 300)),
    );
    const failure = await failureOf(config);
    expect(failure).toContain('no answer in time');
    expect(failure).not.toContain('no local stack');
  });

  test('logs how to start the local stack when the gateway is not running', async () => {
    expect(await failureOf(withoutServices(testConfig, 'postgres'))).toContain('no local stack');
  });
});

test.each(['55P03', '25006', '57014', '53300'])(
  'answers 503 when Postgres fails with SQLSTATE %s',
  async (sqlstate) => {
    await failureOf(await injectFault(testConfig, 'postgres', { kind: 'sqlstate', sqlstate }));
  },
);

describe('attempts', () => {
  const COUNTS = { constraint: 'result_batches_counts_add_up' };
  const failing = (times: number, fields: Partial<NeonDbError>) => {
    let left = times;
    return vi.fn(async () => {
      if (left-- <= 0) return [{ fields: [], rows: [] }];
      throw Object.assign(new NeonDbError('refused'), { code: '23514', ...fields });
    });
  };
  const statement = command('statement', () => sql`select 1`)({});

  /** Runs each wait at once, and a deadline only if the deadline has passed. Returns the requested timers. */
  function recordTimers({ hasPassed = false } = {}) {
    const timers: { waits: number[]; deadlines: number[] } = { waits: [], deadlines: [] };
    vi.stubGlobal('setTimeout', (callback: () => void, ms: number) => {
      const isDeadline = ms >= READ_BUDGET_MS;
      (isDeadline ? timers.deadlines : timers.waits).push(ms);
      if (!isDeadline) queueMicrotask(callback);
      else if (hasPassed) callback();
      return 0;
    });
    return timers;
  }

  afterEach(() => vi.unstubAllGlobals());

  test('wait longer and longer, and never all alike', async () => {
    const { waits } = recordTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    await transact(failing(9, COUNTS), [statement]);
    expect(waits).toEqual([10, 20, 40, 80, 160, 250, 250, 250, 250]);
    vi.mocked(Math.random).mockReturnValue(0.25);
    await transact(failing(1, COUNTS), [statement]);
    expect(waits.at(-1)).toBe(5);
  });

  test('share one deadline: 8 s, or 30 s if a statement writes a batch', async () => {
    const { deadlines } = recordTimers();
    const db = failing(4, COUNTS);
    await transact(db, [statement]);
    expect(db).toHaveBeenCalledTimes(5);
    expect(new Set(db.mock.calls.map((sent: unknown[]) => sent[1])).size).toBe(1);
    await transact(failing(0, {}), [statement, { ...statement, budgetMs: 30_000 }]);
    expect(deadlines).toEqual([8_000, 30_000]);
  });

  test('end with the deadline', async () => {
    recordTimers({ hasPassed: true });
    const db = failing(Number.POSITIVE_INFINITY, COUNTS);
    await expect(transact(db, [statement])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(db).toHaveBeenCalledTimes(1);
  });
});

test('runs the statements that precede an upload in one transaction', async () => {
  const connection = connect(testConfig.DATABASE_URL);
  const show = statement(
    'show',
    () => z.strictObject({ name: z.string(), setting: z.string() }),
    () => sql`
      select name, setting from pg_settings
      where name in ('enable_nestloop', 'jit', 'lock_timeout', 'statement_timeout') order by name`,
  );
  const settingsFor = async (rows: number) => {
    const [, , settings] = await transact(connection, [...beforeWriting(rows), show({})]);
    return Object.fromEntries(settings.map(({ name, setting }) => [name, setting]));
  };
  const limits = { jit: 'off', lock_timeout: '3000', statement_timeout: '30000' };
  expect(await settingsFor(20)).toEqual({ ...limits, enable_nestloop: 'on' });
  expect(await settingsFor(5_000)).toEqual({ ...limits, enable_nestloop: 'off' });
  const [outside] = await transact(connection, [show({})]);
  expect(outside).toContainEqual({ name: 'lock_timeout', setting: '0' });
});
