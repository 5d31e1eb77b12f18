import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { cpuMs } from '../../../bench/cpu.ts';
import type { GeneratedRequest } from '../../requests.ts';
import { type RaceDay, startRaceDay } from '../race-day.ts';
import {
  createLargeRace,
  type LargeRace,
  type WeighedOperation,
  weighedOperations,
} from './large-race.ts';

const TIMES = 5;
/** A light request may cost so many times what `getEvent` does, with 15 % room for what else the machine does. */
const LIGHT_MAX = 5 * 1.15;

let day: RaceDay;
let race: LargeRace;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
  race = await createLargeRace(day);
}, 600_000);
afterAll(() => day?.stop());

/** The processor time of the Worker, and of each session of its database. */
async function spentMs(): Promise<{ worker: number; sessions: Map<number, number> }> {
  const { rows } = await day.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  return { worker: cpuMs(day.pid), sessions: new Map(rows.map(({ pid }) => [pid, cpuMs(pid)])) };
}

/** The lowest of some measurements: whatever runs beside can only add to one. */
async function costOf(operation: WeighedOperation, form: GeneratedRequest) {
  await race.send(operation, form);
  const costs: { totalMs: number; workerMs: number; postgresMs: number; status: number }[] = [];
  for (let sent = 0; sent < TIMES; sent++) {
    const before = await spentMs();
    const status = await race.send(operation, form);
    const after = await spentMs();
    const workerMs = after.worker - before.worker;
    // A session that began meanwhile worked for nothing else.
    const postgresMs = [...after.sessions]
      .map(([pid, ms]) => ms - (before.sessions.get(pid) ?? 0))
      .reduce((sum, ms) => sum + ms, 0);
    costs.push({ totalMs: workerMs + postgresMs, workerMs, postgresMs, status });
  }
  const [least] = costs.toSorted((a, b) => a.totalMs - b.totalMs);
  if (!least) throw new Error('Nothing was measured.');
  return least;
}

const operationOf = (id: string) => {
  const found = weighedOperations.find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`No operation is named ${id}.`);
  return found;
};

test('costs at most five times getEvent in each form that its route calls light', async () => {
  const getEvent = operationOf('getEvent');
  const [shown] = race.formsOf(getEvent);
  if (!shown) throw new Error('getEvent has no example.');
  const floor = await costOf(getEvent, shown);
  const lines: string[] = [];
  const tooHeavy: string[] = [];
  for (const operation of weighedOperations) {
    const { operationId: id, weight } = operation;
    // An operation whose inputs decide is light as the document shows it.
    for (const [at, form] of race.formsOf(operation).entries()) {
      const isLight = weight === 'light' || (weight === 'by input' && at === 0);
      const { totalMs, workerMs, postgresMs, status } = await costOf(operation, form);
      const ratio = totalMs / floor.totalMs;
      const what = `${id}${at === 0 ? '' : ' (only what is required)'}`;
      const figures = `${ratio.toFixed(1)} x, Worker ${workerMs.toFixed(1)} ms, PostgreSQL ${postgresMs.toFixed(1)} ms`;
      lines.push(`${weight.padEnd(8)} ${what}: ${figures}, status ${status}`);
      if (isLight && ratio > LIGHT_MAX) tooHeavy.push(`${what}: ${figures}`);
    }
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  expect(tooHeavy).toEqual([]);
});
