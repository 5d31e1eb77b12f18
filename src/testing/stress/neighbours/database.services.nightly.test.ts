import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createNeighbour, type Neighbours, startNeighbours } from './neighbours.ts';

const ROWS = 20_000;

let neighbours: Neighbours;

beforeAll(async () => {
  neighbours = await startNeighbours(inject('servers'));
});
afterAll(() => neighbours?.stop());

const query = (statement: string, values: unknown[] = []) =>
  neighbours.day.pool.query(statement, values);

type Uploaded = { status: number; body: string; ms: number };

/** Uploads a result for each bib from 1 to `rows`. */
async function uploadFile(
  race: { path: string; key(): string },
  rows: number,
  minute = 50,
): Promise<Uploaded> {
  const lines = Array.from({ length: rows }, (_, index) => `${index + 1},0:${minute}:00,0:20:00`);
  const start = performance.now();
  const response = await fetch(`${neighbours.day.origin}${race.path}/results/file`, {
    method: 'POST',
    headers: { 'X-API-Key': race.key(), 'Content-Type': 'text/csv' },
    body: `bib,time,Km 5\n${lines.join('\n')}`,
  });
  const body = await response.text();
  return { status: response.status, body, ms: performance.now() - start };
}

describe(`an upload of ${ROWS} rows`, () => {
  const TABLES = ['registrations', 'results', 'replaced_results', 'result_batches'];
  let analyzedMs = 0;

  /** The time of a first upload to a new race and of the race's correction. */
  async function uploadTwice(): Promise<number> {
    const race = await createNeighbour(neighbours.day, ROWS);
    const first = await uploadFile(race, ROWS);
    const second = await uploadFile(race, ROWS, 51);
    expect([first.status, second.status], first.body.slice(0, 200)).toEqual([200, 200]);
    return first.ms + second.ms;
  }

  beforeAll(async () => {
    // Only this test analyzes.
    for (const table of TABLES) {
      await query(`alter table ${table} set (autovacuum_enabled = off)`);
    }
    // These sessions plan while the tables are tiny.
    await neighbours.quiet.upload();
    await uploadTwice();
    await query('analyze');
    analyzedMs = await uploadTwice();
  });

  test('takes at most three times as long after the first import, which nobody analyzed', async () => {
    const fresh = await startNeighbours(inject('servers'));
    try {
      await Promise.all(Array.from({ length: 4 }, () => fresh.quiet.upload()));
      for (const table of TABLES) {
        await fresh.day.pool.query(`alter table ${table} set (autovacuum_enabled = off)`);
      }
      const race = await createNeighbour(fresh.day, ROWS);
      const before = neighbours;
      neighbours = fresh;
      try {
        const first = await uploadFile(race, ROWS);
        const second = await uploadFile(race, ROWS, 51);
        expect([first.status, second.status], first.body.slice(0, 200)).toEqual([200, 200]);
        expect((first.ms + second.ms) / analyzedMs).toBeLessThan(3);
      } finally {
        neighbours = before;
      }
    } finally {
      await fresh.stop();
    }
  });

  test('takes at most three times as long after the tables were emptied and then analyzed', async () => {
    await query(`delete from results; delete from replaced_results; delete from registrations`);
    await query('analyze');
    const { rows } = await query('select reltuples from pg_class where relname = any($1)', [
      ['registrations', 'results'],
    ]);
    expect(rows).toEqual([{ reltuples: 0 }, { reltuples: 0 }]);
    expect((await uploadTwice()) / analyzedMs).toBeLessThan(3);
  });
});

describe('an upload beside an open transaction', () => {
  let registrar: pg.Client;

  beforeAll(async () => {
    registrar = new pg.Client({ connectionString: neighbours.day.stack.postgresUrl });
    await registrar.connect();
  });
  afterAll(() => registrar?.end());

  /** Uploads while the registrar is in a transaction with this statement. */
  async function uploadBeside(statement: string, rows = 20): Promise<Uploaded> {
    const race = await createNeighbour(neighbours.day, rows);
    await registrar.query('begin');
    try {
      await registrar.query(statement, [race.eventId]);
      return await uploadFile(race, rows);
    } finally {
      await registrar.query('rollback');
      expect((await uploadFile(race, rows)).status).toBe(200);
    }
  }

  test('waits 3 s, stores nothing and names the bib that the transaction changes', async () => {
    const { status, body, ms } = await uploadBeside(
      `update registrations set bib_number = '1017' where event_id = $1 and bib_number = '17'`,
    );
    expect(status, body).toBe(503);
    expect(JSON.parse(body).detail).toMatch(
      /^Another program is changing the bibs "17"\. Nothing was stored\./,
    );
    expect(ms).toBeGreaterThan(2_900);
    expect(ms).toBeLessThan(8_000);
  });

  test('names ten of many bibs', async () => {
    const { status, body } = await uploadBeside(
      `delete from registrations where event_id = $1 and bib_number::int > 5`,
    );
    expect(status, body).toBe(503);
    const named = Array.from({ length: 10 }, (_, index) => `"${index + 6}"`).join(', ');
    expect(JSON.parse(body).detail).toContain(`the bibs ${named} and more. `);
  });

  test('does not wait for other columns of the registrations', async () => {
    const { status } = await uploadBeside(
      `update registrations set category = 'Z', chip = 'C' || bib_number where event_id = $1`,
    );
    expect(status).toBe(200);
  });

  test('names no bib of another organization', async () => {
    const quiet = await createNeighbour(neighbours.day, 20);
    await registrar.query('begin');
    try {
      await registrar.query(`update registrations set bib_number = bib_number || 'x'
        where event_id = '${quiet.eventId}'`);
      const { status } = await uploadFile(neighbours.quiet, 20);
      expect(status).toBe(200);
      const foreign = { path: quiet.path, key: neighbours.quiet.key };
      expect(await uploadFile(foreign, 20)).toMatchObject({ status: 404 });
    } finally {
      await registrar.query('rollback');
    }
  });

  test('says so if the transaction changes the event itself', async () => {
    const { status, body } = await uploadBeside('delete from events where id = $1');
    expect(status, body).toBe(503);
  });
});

test('reads a page of batches as fast after a chain of 1 000 reverts', async () => {
  const race = await createNeighbour(neighbours.day, 20);
  const ask = async (path: string, method = 'GET') => {
    const start = performance.now();
    const response = await fetch(`${neighbours.day.origin}${race.path}/result-batches${path}`, {
      method,
      headers: { 'X-API-Key': race.key() },
    });
    const body = await response.text();
    expect(response.status, body).toBe(200);
    return { body: JSON.parse(body), ms: performance.now() - start };
  };
  const medianMs = async () => {
    const times: number[] = [];
    for (let sent = 0; sent < 15; sent++) times.push((await ask('?page_size=100')).ms);
    return times.sort((a, b) => a - b)[7] ?? Number.NaN;
  };
  for (let minute = 10; minute < 110; minute++) await uploadFile(race, 20, 10 + (minute % 50));
  const separateMs = await medianMs();
  let [batch] = (await ask('')).body.data;
  await query(
    `insert into result_batches (id, event_id, api_key_id, source, reverts, reverted_upload, upload_stands,
      total_processed, uploaded, updated, not_found, errors, duplicates, received_at)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, api_key_id, 'revert',
      case when n = 1 then batch.id
        else ('00000000-0000-4000-8000-' || lpad((n - 1)::text, 12, '0'))::uuid end,
      batch.id, n % 2 = 0, 0, 0, 0, 0, 0, 0, now() - interval '1 hour' + n * interval '1 second'
    from generate_series(1, 998) n, result_batches batch where batch.id = $2`,
    [race.eventId, batch.id],
  );
  const reverted = await ask(`/${batch.id}/revert`, 'POST');
  batch = (await ask('')).body.data[0];
  expect(batch.id).toBe(reverted.body.batch_id);
  expect((await medianMs()) / separateMs).toBeLessThan(3);
});
