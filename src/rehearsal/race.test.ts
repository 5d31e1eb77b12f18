import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWorker, startWorker } from '../bench/worker.ts';
import { type Demo, ensureDemo } from '../local/demo.ts';
import { migrate } from '../local/migrate.ts';
import { FREE_PORTS, startStack } from '../local/stack.ts';
import { playRace } from './race.ts';
import { summaryOf } from './summary.ts';

let served: { origin: string; demo: Demo; pool: pg.Pool };
const undo: (() => unknown)[] = [];

/** The Worker as it is deployed, over a stack and a demo world of its own. */
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const [build, stack] = await Promise.all([
    buildWorker(folder),
    startStack({ ports: FREE_PORTS }).then((started) => {
      undo.push(started.stop);
      return started;
    }),
  ]);
  await migrate(stack.postgresUrl);
  const demo = await ensureDemo(stack.postgresUrl, join(folder, 'demo'));
  const pool = new pg.Pool({ connectionString: stack.postgresUrl, max: 1 });
  undo.push(() => pool.end());
  const worker = await startWorker(build, stack);
  undo.push(worker.stop);
  served = { origin: worker.origin, demo, pool };
}, 60_000);

afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

test('a race of three hours in three seconds is stored as it was planned', async () => {
  const { origin, demo, pool } = served;
  const race = await playRace({ ...demo, origin, speed: 3_600, seed: 7, runners: 120 });

  expect(race.interruption).toBeUndefined();
  expect(race.differences).toEqual([]);
  const { rows } = await pool.query<{ bib: string }>(
    `select bib_number as bib, result.status, chip_time_ms::int as "chipTimeMs",
      gun_time_ms::int as "gunTimeMs", splits as "splitsMs"
    from results result join registrations on id = registration_id where result.event_id = $1`,
    [demo.eventId],
  );
  const byBib = (a: { bib: string }, b: { bib: string }) => Number(a.bib) - Number(b.bib);
  const planned = race.plan.outcomes.map(({ distance, category, ...result }) => result);
  expect(rows.sort(byBib)).toEqual(planned.sort(byBib));

  const places = await pool.query<{ bib: string }>(
    `select bib_number as bib from standings where event_id = $1 order by position_overall`,
    [demo.eventId],
  );
  const finishers = race.plan.outcomes.filter(({ chipTimeMs }) => chipTimeMs !== null);
  finishers.sort((a, b) => Number(a.chipTimeMs) - Number(b.chipTimeMs));
  expect(places.rows.map(({ bib }) => bib)).toEqual(finishers.map(({ bib }) => bib));

  const summary = summaryOf(race);
  expect(summary).toContain(`${finishers.length} finished`);
  expect(summary).toContain('The API has confirmed all 120 results that were sent.');
  expect(summary).toMatch(/Finish, bib \d+\?: /);
  expect(summary).not.toContain(demo.apiKey);
});
