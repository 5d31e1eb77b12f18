import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startOwnStack } from '../../testing/runtime/own-stack.ts';
import { startWorkerd } from '../../testing/runtime/workerd.ts';
import { parseRaceTime } from '../../timing-files/read/race-time.ts';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '../../worker/auth/api-key/api-key.ts';
import { type Demo, ensureDemo } from '../stack/demo.ts';
import { playRace } from './rehearsal.ts';
import { summaryOf } from './summary.ts';
import { playThroughCli } from './through-cli.ts';

let served: { origin: string; demo: Demo; pool: pg.Pool };
const undo: (() => unknown)[] = [];

/** The deployed Worker, over a separate stack and demo world. */
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const { stack, pool, stop } = await startOwnStack();
  undo.push(stop);
  const demo = await ensureDemo(stack.postgresUrl, join(folder, 'demo'));
  const worker = await startWorkerd(inject('worker').folder, { bindings: stack.workerEnv });
  undo.push(worker.stop);
  served = { origin: worker.origin, demo, pool };
}, 60_000);

afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

test('stores a race of three hours, played in three seconds, as planned', async () => {
  const { origin, demo, pool } = served;
  const race = await playRace({ ...demo, origin, speed: 3_600, seed: 7, runners: 120 });

  expect(race.interruption).toBeUndefined();
  expect(race.differences).toEqual([]);
  const { rows: wrongRows, restored, removed } = race.mistake ?? {};
  expect(wrongRows).toBe(100);
  expect(Number(restored) + Number(removed)).toBe(100);
  const { rows } = await pool.query<{ bib: string }>(
    `select bib_number as bib, result.status, chip_time_ms::int as "chipTimeMs",
      gun_time_ms::int as "gunTimeMs", splits as "splitsMs"
    from results result join registrations on id = registration_id where result.event_id = $1`,
    [demo.eventId],
  );
  const ms = (time = '') => parseRaceTime(time) ?? null;
  const planned = [...race.plan.finalRows].map(([bib, row]) => ({
    bib,
    status: row.status,
    chipTimeMs: ms(row.chip_time),
    gunTimeMs: ms(row.gun_time),
    splitsMs: Object.fromEntries(
      Object.entries(row.splits).map(([name, time]) => [name, ms(time)]),
    ),
  }));
  const byBib = (a: { bib: string }, b: { bib: string }) => Number(a.bib) - Number(b.bib);
  expect(rows.sort(byBib)).toEqual(planned.sort(byBib));

  const places = await pool.query<{ bib: string }>(
    `select bib_number as bib from standings where event_id = $1 order by position_overall`,
    [demo.eventId],
  );
  const finishers = planned.filter(({ chipTimeMs }) => chipTimeMs !== null);
  finishers.sort((a, b) => Number(a.chipTimeMs) - Number(b.chipTimeMs));
  expect(places.rows.map(({ bib }) => bib)).toEqual(finishers.map(({ bib }) => bib));

  const summary = summaryOf(race);
  expect(summary).toContain('All 120 results are stored as they were sent.');
  expect(summary).toMatch(/ {2}bib \d+\?: /);
  expect(summary).not.toContain(demo.apiKey);
});

test('stores a race that race-results sends from a file', async () => {
  const { origin, demo, pool } = served;
  // The command holds back a file that would change many stored results.
  await pool.query('delete from results');
  const folder = mkdtempSync(join(tmpdir(), 'through-cli-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  let printed = '';
  const stdout = new Writable({
    write(text, _encoding, done) {
      printed += text;
      done();
    },
  });
  const options = { ...demo, origin, speed: 3_600, seed: 3, runners: 80 };
  const race = await playThroughCli(options, folder, { stdout, stderr: stdout });
  expect(race.differences).toEqual([]);
  expect(race.plan.finalRows.size).toBe(80);
  expect(printed).toMatch(/^(OK|LOOK) .*queue 0 /m);
  expect(printed).not.toContain(demo.apiKey);
}, 60_000);

describe('playRace', () => {
  const options = { speed: 3_600, seed: 7, runners: 10 };

  test('rejects an event in which nobody has a bib', async () => {
    const { origin, demo, pool } = served;
    const { rows } = await pool.query<{ id: string }>(
      `insert into events (organization_id, name, event_date, city)
      values ($1, 'Carrera Vacía', now(), 'Villa Ejemplo') returning id`,
      [demo.organizationId],
    );
    const eventId = rows[0]?.id ?? '';
    await expect(playRace({ ...options, ...demo, origin, eventId })).rejects.toThrow(
      `No paid registration of the event ${eventId} has a bib`,
    );
  });

  test('rejects a key without the scope for uploads before the start', async () => {
    const { origin, demo, pool } = served;
    const apiKey = generateApiKey();
    await pool.query(
      `insert into api_keys (organization_id, name, key_prefix, key_hash, scopes)
      values ($1, 'Reader', $2, $3, '{participants:read}')`,
      [demo.organizationId, apiKeyPrefix(apiKey), hashApiKey(apiKey)],
    );
    await expect(playRace({ ...options, ...demo, origin, apiKey })).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      detail: expect.stringContaining('results:write'),
    });
  });
});

describe('npm run race', () => {
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args]);
    const printed = { out: '', error: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed.error += text;
    });
    return { child, printed };
  };
  const known = ({ eventId, apiKey }: Demo) => ['--event', eventId, '--key', apiKey];

  test('says that no API answers at the address', async () => {
    const { child, printed } = start('--api', 'http://127.0.0.1:9', ...known(served.demo));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(printed.error).toMatch(
      /^No API answers at http:\/\/127\.0\.0\.1:9 \(`npm run dev` starts it\): .+\n$/,
    );
  });

  test('prints a summary on Ctrl-C', async () => {
    const { child, printed } = start('--api', served.origin, ...known(served.demo));
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(printed.error).toBe('');
    expect(printed.out).toMatch(/^Stopped at 00:\d\d:\d\d of \d\d:\d\d:\d\d: interrupted$/m);
    expect(printed.out).toMatch(/^\d+ uploads: /m);
  });
});
