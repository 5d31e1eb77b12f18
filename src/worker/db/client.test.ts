import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createKey, createOrganization } from '../../testing/factories.ts';
import { injectFault, withoutServices } from '../../testing/faults.ts';
import { startApp, testConfig, withKey } from '../../testing/harness.ts';

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
    const config = await injectFault(testConfig, 'postgres', { kind: 'delay', ms: 3_000 });
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(Math.min(ms, 1_000)));
    const failure = await failureOf(config);
    expect(failure).toContain('no answer within');
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

test('serves a read in a second trip when the database is read-only', async () => {
  const fault = { kind: 'sqlstate', sqlstate: '25006', times: 1 } as const;
  const app = startApp(await injectFault(testConfig, 'postgres', fault));
  const key = await createKey(await createOrganization());
  const answer = await app.request('/public/v1/events', { headers: withKey(key) });
  expect(answer.status).toBe(200);
});
