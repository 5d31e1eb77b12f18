import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createKey, createRace } from '../../testing/factories.ts';
import { limiterThat, startLimitedApp, testConfig, withKey } from '../../testing/harness.ts';
import { panelOf } from '../../testing/members.ts';
import { postJson, uploadRows } from '../../testing/uploads.ts';
import { connect, type Database } from '../db/client.ts';
import { createGate, type Gate } from '../gate/gate.ts';
import { createTurns, type Turn, type Turns } from '../gate/turns.ts';
import type { Services } from '../services.ts';

/** Turns for which nobody waits. */
const impatient = (turns: Turns): Turns => ({
  ...turns,
  wait: (sender, waiting) => turns.wait(sender, { ...waiting, patienceMs: 0 }),
});

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ bib_number: `${at + 1}`, time: '41:02' }));

/** An app in which an organization has no turns left, and an organization with all its turns. */
async function startBusy(overrides: Partial<Services> = {}) {
  const bibs = rowsOf(150).map(({ bib_number }) => bib_number);
  const [busy, quiet] = [await createRace({ bibs }), await createRace({ bibs })];
  const gate: Gate = {
    ...createGate(),
    heavy: impatient(createTurns({ total: 4, each: 2 })),
    files: impatient(createTurns({ total: 4, each: 1 })),
  };
  const turns = [
    gate.heavy.take(busy.organizationId),
    gate.heavy.take(busy.organizationId),
    gate.files.take(busy.organizationId),
  ].filter((turn): turn is Turn => turn !== undefined);
  const { request } = startLimitedApp(testConfig, { gate, ...overrides });
  // From then on the isolate knows whose the keys are.
  for (const { path, key } of [busy, quiet]) await request(path, { headers: withKey(key) });
  const read = (path: string, key: string) => request(path, { headers: withKey(key) });
  return { busy, quiet, gate, turns, request, read };
}

describe('an organization without a turn', () => {
  test('gets 503 with Retry-After for heavy work, and other organizations are served', async () => {
    const { busy, quiet, turns, read } = await startBusy();
    for (const path of [
      '/results/export',
      '/results/official',
      '/passings',
      '/results/17/history',
      '/participants?distance=21K',
      '/participants?page_size=100&page=11',
    ]) {
      const refused = await read(busy.path + path, busy.key);
      await expectError(refused, 503, 'SERVICE_UNAVAILABLE');
      expect(refused.headers.get('Retry-After')).toBe('5');
      expect((await read(quiet.path + path, quiet.key)).status).not.toBe(503);
    }
    for (const turn of turns) turn.end();
    expect((await read(`${busy.path}/results/export`, busy.key)).status).toBe(200);
  });

  test('has one queue for all its keys and sessions', async () => {
    const { busy, request, read } = await startBusy();
    const key = await createKey(busy.organizationId);
    await read(busy.path, key);
    await expectError(await read(`${busy.path}/results/export`, key), 503, 'SERVICE_UNAVAILABLE');
    const { ask } = await panelOf(busy, { send: request });
    await ask('');
    await expectError(await ask('/runners'), 503, 'SERVICE_UNAVAILABLE');
  });

  test('waits with a key that the isolate has not seen, from whatever address', async () => {
    const { busy, turns, request } = await startBusy();
    const fresh = async (address: string) => ({
      headers: { ...withKey(await createKey(busy.organizationId)), 'CF-Connecting-IP': address },
    });
    const path = `${busy.path}/results/export`;
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::1']) {
      const refused = await request(path, await fresh(address));
      await expectError(refused, 503, 'SERVICE_UNAVAILABLE');
    }
    for (const turn of turns) turn.end();
    expect((await request(path, await fresh('192.0.2.1'))).status).toBe(200);
  });

  test('waits if its turns began while a new key was looked up', async () => {
    const database = connect(testConfig.DATABASE_URL);
    let meanwhile = () => {};
    const db: Database = (...trip) => {
      meanwhile();
      return database(...trip);
    };
    const { busy, gate, turns, read } = await startBusy({ db });
    for (const turn of turns) turn.end();
    meanwhile = () => {
      while (gate.heavy.take(busy.organizationId));
    };
    const key = await createKey(busy.organizationId);
    const refused = await read(`${busy.path}/results/export`, key);
    await expectError(refused, 503, 'SERVICE_UNAVAILABLE');
  });

  test('reads and uploads a live batch of 100 rows all the same', async () => {
    const { busy, request, read } = await startBusy();
    for (const path of [
      '',
      '/participants',
      '/participants?page_size=100&page=10',
      '/results?bib=17',
      '/passings?point=Km+10',
    ]) {
      expect((await read(busy.path + path, busy.key)).status).not.toBe(503);
    }
    const live = await postJson(busy, JSON.stringify({ results: rowsOf(100) }), { send: request });
    expect(live.status).toBe(200);
    const large = await postJson(busy, JSON.stringify({ results: rowsOf(101) }), { send: request });
    await expectError(large, 503, 'SERVICE_UNAVAILABLE');
  });

  test('has nothing stored of a batch that was refused', async () => {
    const { busy, request, read } = await startBusy();
    await postJson(busy, JSON.stringify({ results: rowsOf(101) }), { send: request });
    const list = await read(`${busy.path}/results?bib=17`, busy.key);
    expect(await list.json()).toMatchObject({ meta: { total: 0 } });
  });

  test('is refused for its keys first: 401, 429, 403', async () => {
    const { busy, read } = await startBusy();
    const path = `${busy.path}/results/export`;

    const revoked = await createKey(busy.organizationId, { revoked_at: new Date() });
    await expectError(await read(path, revoked), 401, 'UNAUTHORIZED');
    const narrow = await createKey(busy.organizationId, { scopes: ['stats:read'] });
    await read(busy.path, narrow);
    await expectError(await read(path, narrow), 403, 'INSUFFICIENT_SCOPE');
    const limited = await startBusy({ rateLimiter: limiterThat('refuses') });
    const over = await limited.read(`${limited.busy.path}/results/export`, limited.busy.key);
    await expectError(over, 429, 'RATE_LIMITED');
  });
});

test('gives a turn back after an answer, an error and an unread file', async () => {
  const { quiet, read } = await startBusy();
  await uploadRows(quiet, rowsOf(1));
  for (let times = 0; times < 3; times++) {
    expect((await read(`${quiet.path}/results/1/history`, quiet.key)).status).toBe(200);
    expect((await read(`${quiet.path}/results/none/history`, quiet.key)).status).toBe(404);
    const file = await read(`${quiet.path}/results/export`, quiet.key);
    await file.body?.cancel();
  }
});
