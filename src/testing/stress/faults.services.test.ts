import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Fault } from '../../dev/stack/gateway.ts';
import { expectError } from '../assertions.ts';
import { expectDocumented, fetchDocumented } from '../documented.ts';
import { answerOf } from './answer.ts';
import { createRace, type Race, type RaceDay, startRaceDay } from './race-day.ts';

let day: RaceDay;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
});
afterAll(() => day?.stop());
afterEach(() => {
  for (const gateway of [day.stack.neon, day.stack.upstash]) gateway.faults.delete(day.tag);
});

const breakPostgres = (fault: Fault) => day.stack.neon.faults.set(day.tag, fault);
const breakRedis = (fault: Fault) => day.stack.upstash.faults.set(day.tag, fault);

const mendRedis = () => day.stack.upstash.faults.delete(day.tag);

const BIBS = 50;

const startingRace = () => createRace(day, { runners: BIBS });

const BOUNDARY = 'finish-line';
const timeOf = (bib: number) => `1:00:${`${bib % 60}`.padStart(2, '0')}`;
const bibs = Array.from({ length: BIBS }, (_, index) => index + 1);
const JSON_UPLOAD = {
  path: '/results',
  type: 'application/json',
  body: JSON.stringify({
    results: bibs.map((bib) => ({ bib_number: `${bib}`, chip_time: timeOf(bib) })),
  }),
};
const CSV_UPLOAD = {
  path: '/results/file',
  type: `multipart/form-data; boundary=${BOUNDARY}`,
  body: [
    `--${BOUNDARY}`,
    'Content-Disposition: form-data; name="file"; filename="results.csv"',
    '',
    'bib,time',
    ...bibs.map((bib) => `${bib},${timeOf(bib)}`),
    `--${BOUNDARY}--`,
    '',
  ].join('\r\n'),
};
type Upload = typeof JSON_UPLOAD;
const uploads = [
  ['JSON', JSON_UPLOAD],
  ['CSV', CSV_UPLOAD],
] as const;

type UploadAnswer = { status: number; retryAfter: number; body: Record<string, unknown> };

function open({ path, key }: Race, upload: Upload): ClientRequest {
  return request(`${day.origin}${path}${upload.path}`, {
    method: 'POST',
    headers: {
      'X-API-Key': key,
      'Content-Type': upload.type,
      'Content-Length': Buffer.byteLength(upload.body),
    },
  });
}

async function answerTo(sent: ClientRequest): Promise<UploadAnswer> {
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (!response) throw new Error('No answer.');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  expectDocumented(sent.method, sent.path, answerOf(response, text));
  return {
    status: response.statusCode ?? 0,
    retryAfter: Number(response.headers['retry-after']),
    body: JSON.parse(text),
  };
}

function post(race: Race, upload: Upload): Promise<UploadAnswer> {
  const sent = open(race, upload);
  sent.end(upload.body);
  return answerTo(sent);
}

/** Sends half of an upload, calls `happens` when the key has been judged, and sends the rest. */
async function postAround(race: Race, upload: Upload, happens: () => void): Promise<UploadAnswer> {
  const sent = open(race, upload);
  const answer = answerTo(sent);
  const middle = upload.body.length / 2;
  sent.write(upload.body.slice(0, middle));
  await untilJudged(race);
  happens();
  sent.end(upload.body.slice(middle));
  return answer;
}

const untilJudged = ({ organizationId }: Race) =>
  until(
    'select 1 from api_keys where organization_id = $1 and last_used_at is not null',
    organizationId,
  );

/** Waits until the query finds a row. @returns the first row */
async function until(query: string, ...params: unknown[]): Promise<Record<string, unknown>> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(20)) {
    const { rows } = await day.pool.query<Record<string, unknown>>(query, params);
    if (rows[0]) return rows[0];
  }
  throw new Error(`Nothing was found by: ${query}`);
}

/** Counts the stored results and uploads. Every result must have the sent time. */
async function stored({ eventId }: Race) {
  const { rows } = await day.pool.query<{ bib: number; ms: number }>(
    `select bib_number::int as bib, chip_time_ms::int as ms
    from results join registrations on registrations.id = registration_id
    where results.event_id = $1`,
    [eventId],
  );
  for (const { bib, ms } of rows) expect(ms).toBe(3_600_000 + (bib % 60) * 1_000);
  const { rows: batches } = await day.pool.query<{ uploaded: number; updated: number }>(
    'select uploaded, updated from result_batches where event_id = $1 order by received_at',
    [eventId],
  );
  return { results: rows.length, batches };
}

const NOTHING = { results: 0, batches: [] };
const ALL_NEW = { uploaded: BIBS, updated: 0 };
const ALL_AGAIN = { uploaded: 0, updated: BIBS };

function expectAway({ status, retryAfter, body }: UploadAnswer) {
  expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  expect(retryAfter).toBeGreaterThan(0);
}

async function expectRetryStores(race: Race, upload: Upload) {
  expect(await post(race, upload)).toMatchObject({ status: 200, body: ALL_NEW });
  expect(await stored(race)).toEqual({ results: BIBS, batches: [ALL_NEW] });
}

/** A session beside the service, in a separate transaction. */
async function openSession() {
  const client = new pg.Client({ connectionString: day.stack.postgresUrl });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  return client;
}

const isWaiting = `from pg_stat_activity where datname = current_database()
  and wait_event_type = 'Lock' and query like '%with % as materialized%'`;

describe('a manager whose event is deleted meanwhile', () => {
  /** Posts in the panel beside a session that deletes the event, and commits during the request's wait. */
  async function postInPanel(path: string, body?: (eventId: string) => object) {
    const race = await day.createRace(1);
    await post(
      { ...race, path: `/public/v1/events/${race.eventId}`, keys: [], key: race.apiKey },
      JSON_UPLOAD,
    );
    const session = await openSession();
    await session.query('delete from events where id = $1', [race.eventId]);
    const answer = fetchDocumented(
      `${day.origin}/api/v1/organizations/${race.organizationId}${path.replace('{event_id}', race.eventId)}`,
      {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${race.sessionToken}`,
          ...(body && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body(race.eventId)) }),
      },
    );
    await until(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    await session.query('commit');
    await session.end();
    return answer;
  }

  test('makes no results official', async () => {
    const answer = await postInPanel('/events/{event_id}/results/official');
    await expectError(answer, 404, 'NOT_FOUND');
  });

  test('makes no key for it', async () => {
    const answer = await postInPanel('/api-keys', (event_id) => ({
      name: 'Timing crew',
      scopes: ['events:read'],
      event_id,
    }));
    await expectError(answer, 400, 'VALIDATION_ERROR');
  });
});

describe.each(uploads)('%s', (_format, upload) => {
  test('stores an upload once that was torn before Postgres had it, when it is sent again', async () => {
    const race = await startingRace();
    expectAway(
      await postAround(race, upload, () => breakPostgres({ kind: 'tear-before', times: 1 })),
    );
    expect(await stored(race)).toEqual(NOTHING);
    await expectRetryStores(race, upload);
  });

  test('stores an upload once whose connection died while it was written, when it is sent again', async () => {
    const race = await startingRace();
    const session = await openSession();
    await session.query('select 1 from registrations where event_id = $1 for update', [
      race.eventId,
    ]);
    const answer = post(race, upload);
    await until(`select 1 ${isWaiting}`);
    await day.pool.query(`select pg_terminate_backend(pid) ${isWaiting}`);
    expectAway(await answer);
    await session.end();
    expect(await stored(race)).toEqual(NOTHING);
    await expectRetryStores(race, upload);
  });

  test('says that an upload changes nothing whose first answer was lost', async () => {
    const race = await startingRace();
    expectAway(
      await postAround(race, upload, () => breakPostgres({ kind: 'tear-after', times: 1 })),
    );
    expect(await stored(race)).toEqual({ results: BIBS, batches: [ALL_NEW] });
    expect(await post(race, upload)).toMatchObject({ status: 200, body: ALL_AGAIN });
    expect(await stored(race)).toEqual({ results: BIBS, batches: [ALL_NEW, ALL_AGAIN] });
  });

  test('tries an upload again that was in a deadlock with another session', async () => {
    const race = await startingRace();
    const { rows } = await day.pool.query<{ id: string }>(
      'select id from registrations where event_id = $1 order by id',
      [race.eventId],
    );
    const lock = 'select 1 from registrations where id = $1 for update';
    const session = await openSession();
    // The session that looks for a deadlock first gives way. The session must be the service's.
    await session.query(`set local deadlock_timeout = '60s'`);
    await session.query(lock, [rows.at(-1)?.id]);
    const answer = post(race, upload);
    await until(`select 1 ${isWaiting}`);
    const { deadlocks: before } = await deadlocks();
    // The service holds the first row, and waits for the last row.
    await session.query(lock, [rows[0]?.id]);
    await session.query('commit');
    await session.end();
    expect(await answer).toMatchObject({ status: 200, body: ALL_NEW });
    expect(await stored(race)).toEqual({ results: BIBS, batches: [ALL_NEW] });
    await expect.poll(deadlocks, { timeout: 20_000 }).toEqual({ deadlocks: before + 1 });
  });

  test('tries an upload again that could not be serialized with another session', async () => {
    const race = await startingRace();
    await expectRetryStores(race, upload);
    // The upload writes only changing rows.
    await day.pool.query('update results set gun_time_ms = 1 where event_id = $1', [race.eventId]);
    await configure('default_transaction_isolation', 'repeatable read');
    try {
      const session = await openSession();
      await session.query('update results set updated_at = now() where event_id = $1', [
        race.eventId,
      ]);
      const answer = post(race, upload);
      await until(`select 1 ${isWaiting}`);
      // The waiting statement fails, because its rows have changed.
      await session.query('commit');
      await session.end();
      expect(await answer).toMatchObject({ status: 200, body: ALL_AGAIN });
      expect(await stored(race)).toEqual({ results: BIBS, batches: [ALL_NEW, ALL_AGAIN] });
    } finally {
      await configure('default_transaction_isolation', 'read committed');
    }
  });

  /** Posts beside a session with a change. The session commits during the upload's wait. */
  async function postDuring(
    race: Race,
    change: string,
    ...params: unknown[]
  ): Promise<UploadAnswer> {
    const session = await openSession();
    await session.query(change, params);
    const answer = post(race, upload);
    await until(`select 1 ${isWaiting}`);
    await session.query('commit');
    await session.end();
    return answer;
  }

  test.each([
    ['deleted', 'delete from registrations where event_id = $1 and bib_number = $2'],
    [
      'given another bib',
      `update registrations set bib_number = 'former ' || $2 where event_id = $1 and bib_number = $2`,
    ],
  ])(
    'does not find a registration that is %s during the upload, and stores its neighbours',
    async (_what, change) => {
      const race = await startingRace();
      const { status, body } = await postDuring(race, change, race.eventId, '7');
      expect(status).toBe(200);
      expect(body).toMatchObject({ uploaded: BIBS - 1, not_found: 1 });
      expect(body['failed']).toMatchObject([
        { bib_number: '7', reason: expect.stringMatching(/registration/) },
      ]);
      expect((await stored(race)).results).toBe(BIBS - 1);
    },
  );

  test('answers 404 to an upload whose event is deleted meanwhile', async () => {
    const race = await startingRace();
    const answer = await postDuring(race, 'delete from events where id = $1', race.eventId);
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  test('answers 401 to an upload whose key is deleted meanwhile', async () => {
    const race = await startingRace();
    const deletion = 'delete from api_keys where organization_id = $1';
    // The key is marked as used now, so that only the upload waits for the deletion.
    await fetchDocumented(`${day.origin}${race.path}`, { headers: { 'X-API-Key': race.key } });
    const answer = await postDuring(race, deletion, race.organizationId);
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(await stored(race)).toEqual(NOTHING);
  });

  test('does not wait for a session that changes other columns of the registrations', async () => {
    const race = await startingRace();
    const session = await openSession();
    await session.query(`update registrations set kit_status = 'DELIVERED' where event_id = $1`, [
      race.eventId,
    ]);
    expect(await post(race, upload)).toMatchObject({ status: 200, body: ALL_NEW });
    await session.query('commit');
    await session.end();
  });

  test('answers 503 to an upload whose lock does not come, and stores it when it is sent again', async () => {
    const race = await startingRace();
    const session = await openSession();
    await session.query('select 1 from registrations where event_id = $1 for update', [
      race.eventId,
    ]);
    await configure('lock_timeout', '100ms');
    try {
      expectAway(await post(race, upload));
    } finally {
      await configure('lock_timeout', '0');
      await session.end();
    }
    await expectRetryStores(race, upload);
  });

  test('answers 503 to an upload while the database takes no writes, and serves reads', async () => {
    const race = await startingRace();
    await configure('default_transaction_read_only', 'on');
    try {
      for (const path of ['', '/participants', '/stats']) {
        const answer = await fetchDocumented(`${day.origin}${race.path}${path}`, {
          headers: { 'X-API-Key': race.key },
        });
        expect(answer.status).toBe(200);
        await answer.arrayBuffer();
      }
      expectAway(await post(race, upload));
    } finally {
      await configure('default_transaction_read_only', 'off');
    }
    expect(await stored(race)).toEqual(NOTHING);
    await expectRetryStores(race, upload);
  });

  test('answers 503 to an upload while a migration is half applied, and serves what needs none of it', async () => {
    const race = await startingRace();
    await day.pool.query('alter table result_batches rename column reason to later');
    try {
      const headers = { 'X-API-Key': race.key };
      const answer = await fetchDocumented(day.origin + race.path, { headers });
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
      const linesBefore = day.printed.length;
      expectAway(await post(race, upload));
      const logged = () => day.printed.slice(linesBefore).filter((line) => line.includes('42703'));
      await expect.poll(() => logged().length).toBe(1);
    } finally {
      await day.pool.query('alter table result_batches rename column later to reason');
    }
    expect(await stored(race)).toEqual(NOTHING);
    await expectRetryStores(race, upload);
  });

  describe.each(['40P01', '40001'])('an upload that Postgres refuses with %s', (sqlstate) => {
    test.each([
      { refusals: 2, status: 200, attempts: 3 },
      { refusals: 3, status: 503, attempts: 3 },
      { refusals: 9, status: 503, attempts: 3 },
    ])(
      'gets $status after $attempts attempts if it is refused $refusals times',
      async (refused) => {
        const race = await startingRace();
        const removeTrap = await setTrap(sqlstate, refused.refusals);
        const answer = await post(race, upload);
        expect(await removeTrap()).toBe(refused.attempts);
        expect(answer.status).toBe(refused.status);
        if (refused.status === 200) {
          expect(await stored(race)).toEqual({ results: BIBS, batches: [ALL_NEW] });
          return;
        }
        expectAway(answer);
        expect(await stored(race)).toEqual(NOTHING);
        await expectRetryStores(race, upload);
      },
    );
  });

  test('answers 503 to an upload whose disk is full, and stores it when it is sent again', async () => {
    const race = await startingRace();
    const removeTrap = await setTrap(DISK_FULL, 1);
    const answer = await post(race, upload);
    expect(await removeTrap()).toBe(1);
    expectAway(answer);
    expect(await stored(race)).toEqual(NOTHING);
    await expectRetryStores(race, upload);
  });

  describe.each(['Content-Length', 'Transfer-Encoding'] as const)('with %s', (framing) => {
    const whole = Buffer.from(upload.body);
    test.each([
      ['in the middle of its body', whole.subarray(0, whole.length / 2)],
      ['one byte before its end', whole.subarray(0, -1)],
      ['before its first byte', whole.subarray(0, 0)],
    ])('writes nothing and breaks nothing for clients that hang up %s', async (_where, sent) => {
      const linesBefore = day.printed.length;
      const leaving = (['end', 'destroy', 'resetAndDestroy'] as const).map(async (leave) => {
        const race = await startingRace();
        const socket = connect(Number(new URL(day.origin).port), '127.0.0.1');
        socket.on('error', () => {});
        await once(socket, 'connect');
        const length =
          framing === 'Content-Length' ? `${framing}: ${whole.length}` : `${framing}: chunked`;
        socket.write(
          `POST ${race.path}${upload.path} HTTP/1.1\r\nHost: api.test\r\n` +
            `X-API-Key: ${race.key}\r\nContent-Type: ${upload.type}\r\n${length}\r\n\r\n`,
        );
        if (framing === 'Content-Length') socket.write(sent);
        else if (sent.length > 0) {
          socket.write(`${sent.length.toString(16)}\r\n`);
          socket.write(sent);
          socket.write('\r\n');
        }
        await untilJudged(race);
        socket[leave]();

        // The isolate answers these requests later, so its log would show a failure by then.
        await expectGone(race);
        expect(await stored(race), leave).toEqual(NOTHING);
        // A busy machine may answer for Redis too late.
        const lines = day.printed.slice(linesBefore).filter((line) => !/rate limit/.test(line));
        const failures = lines.filter((line) => /uncaught|unhandled|"level":"error"/i.test(line));
        expect(failures, leave).toEqual([]);
        socket.destroy();
        await expectRetryStores(race, upload);
      });
      await Promise.all(leaving);
    });
  });
});

async function expectGone({ path, key }: Race) {
  for (let count = 0; count < 3; count++) {
    const response = await fetchDocumented(`${day.origin}${path}`, {
      headers: { 'X-API-Key': key },
    });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    await sleep(50);
  }
}

async function deadlocks(): Promise<{ deadlocks: number }> {
  const { rows } = await day.pool.query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return rows[0] ?? { deadlocks: 0 };
}

/** Sets a default of the service's later sessions. */
async function configure(name: string, value: string) {
  const database = new URL(day.stack.postgresUrl).pathname.slice(1);
  const session = new pg.Client({ connectionString: day.stack.postgresUrl });
  await session.connect();
  await session.query('set default_transaction_read_only = off');
  await session.query(`alter database ${database} set ${name} = '${value}'`);
  // A session keeps its settings. A session in a transaction belongs to a test.
  await session.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = 'idle'`,
  );
  await session.end();
  await sleep(200);
}

/** What Postgres says if no room is left for a row. */
const DISK_FULL = '53100';

/**
 * Makes the first writes of results fail with a SQLSTATE.
 * @returns a function that removes the trap. The function returns the number of attempts, which no rollback undoes
 */
async function setTrap(sqlstate: string, refusals: number) {
  await day.pool.query(`
    create sequence attempts;
    create function refuse_some() returns trigger language plpgsql security definer as $$ begin
      if nextval('attempts') <= ${refusals} then
        raise exception using errcode = '${sqlstate}', message = 'refused';
      end if;
      return null;
    end $$;
    create trigger refuse_some before insert on results for each statement
      execute function refuse_some()`);
  return async () => {
    const { rows } = await day.pool.query<{ attempts: number }>(
      'select last_value::int as attempts from attempts',
    );
    await day.pool.query(
      'drop trigger refuse_some on results; drop function refuse_some; drop sequence attempts',
    );
    return rows[0]?.attempts;
  };
}

test('serves while PostgreSQL and Redis are slow, answers 503 above its budget, and recovers', async () => {
  const races = await Promise.all(
    uploads.map(async ([, upload]) => ({ upload, race: await startingRace() })),
  );
  const read = async ({ path, key }: Race) => {
    const headers = { 'X-API-Key': key };
    const answer = await fetchDocumented(`${day.origin}${path}/participants`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  breakPostgres({ kind: 'delay', ms: 2_000 });
  breakRedis({ kind: 'delay', ms: 5_000 });
  const slow = await Promise.all(
    races.map(async ({ race, upload }) => [await read(race), await post(race, upload)] as const),
  );
  for (const [status, answer] of slow) {
    expect(status).toBe(200);
    expect(answer).toMatchObject({ status: 200, body: ALL_NEW });
  }
  breakPostgres({ kind: 'delay', ms: 12_000 });
  const startedAt = performance.now();
  const late = await Promise.all(
    races.map(async ({ race, upload }) => [await read(race), await post(race, upload)] as const),
  );
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  for (const [status, answer] of late) {
    expect(status).toBe(503);
    expectAway(answer);
  }
  for (const gateway of [day.stack.neon, day.stack.upstash]) gateway.faults.delete(day.tag);
  for (const { race } of races) {
    expect(await read(race)).toBe(200);
    expect(await stored(race)).toEqual({ results: BIBS, batches: [ALL_NEW] });
  }
});

describe.each<[string, Fault]>([
  ['is away', { kind: 'refuse' }],
  ['takes 5 seconds', { kind: 'delay', ms: 5_000 }],
  ['answers garbage', { kind: 'garbage' }],
])('while Redis %s', (_how, fault) => {
  /** Less time than the slow Redis takes. */
  const inTime = <T>(work: Promise<T>): Promise<T | 'too late'> =>
    Promise.race([work, sleep(4_000, 'too late' as const)]);
  const lines = (from: number, text: string) =>
    day.printed.slice(from).filter((line) => line.includes(text)).length;

  test('serves reads and uploads, and logs when that begins and when it ends', async () => {
    const races = await Promise.all(
      uploads.map(async ([, upload]) => ({ upload, race: await startingRace() })),
    );
    const linesBefore = day.printed.length;
    breakRedis(fault);
    for (const { upload, race } of races) {
      for (let sent = 0; sent < 2; sent++) {
        const answer = await inTime(
          fetchDocumented(`${day.origin}${race.path}`, { headers: { 'X-API-Key': race.key } }),
        );
        expect(answer).toMatchObject({ status: 200 });
      }
      expect(await inTime(post(race, upload))).toMatchObject({ status: 200, body: ALL_NEW });
      expect(await stored(race)).toEqual({ results: BIBS, batches: [ALL_NEW] });
    }
    await expect.poll(() => lines(linesBefore, 'enforces the rate limit alone')).toBe(1);
    mendRedis();
    await expect
      .poll(
        async () => {
          for (const { race } of races) await expectGone(race);
          return lines(linesBefore, 'The rate limit is enforced again');
        },
        { timeout: 10_000 },
      )
      .toBe(1);
    expect(lines(linesBefore, 'enforces the rate limit alone')).toBe(1);
  });
});
