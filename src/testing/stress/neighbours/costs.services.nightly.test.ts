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
/**
 * The maximal cost of a light request, as a multiple of `getEvent`'s cost, with 15 % room for further work of the
 * machine.
 */
const LIGHT_MAX = 5 * 1.15;

/** A cost grows with the event if its ratio in the large event is at least this. */
const GROWS = 2;
/** So much more is no growth: the count of a list takes some milliseconds. */
const NOT_FELT_MS = 5;
const FEW_RUNNERS = 300;

let day: RaceDay;
let race: LargeRace;
let smallRace: LargeRace;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
  race = await createLargeRace(day);
  smallRace = await createLargeRace(day, FEW_RUNNERS);
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

/** The lowest of some measurements: further work of the machine can only add to a measurement. */
async function costOf(operation: WeighedOperation, form: GeneratedRequest, of = race) {
  await of.send(operation, form);
  const costs: { totalMs: number; workerMs: number; postgresMs: number; status: number }[] = [];
  for (let sent = 0; sent < TIMES; sent++) {
    const before = await spentMs();
    const status = await of.send(operation, form);
    const after = await spentMs();
    const workerMs = after.worker - before.worker;
    // A session begun meanwhile worked only for this request.
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

/** A live batch of 100 rows, each of which changes. */
async function liveBatchMs(): Promise<number> {
  const operation = operationOf('uploadEventResults');
  const [shown] = race.formsOf(operation);
  if (!shown) throw new Error('uploadEventResults has no example.');
  const costs: number[] = [];
  for (let round = 0; round < 3; round++) {
    const results = Array.from({ length: 100 }, (_, at) => ({
      bib_number: `${at + 100}`,
      time: `0:4${round}:${10 + (at % 50)}`,
    }));
    costs.push((await costOf(operation, { ...shown, body: JSON.stringify({ results }) })).totalMs);
  }
  return Math.max(...costs);
}

/** Every form of an operation that its route calls light, by a name. */
function lightFormsOf(operation: WeighedOperation, of: LargeRace) {
  const shown = of.formsOf(operation).slice(0, 1);
  // The size of the body decides, and the documented body is small.
  const isSent = operation.requestBody !== undefined;
  return [...of.formsOf(operation), ...of.worstFormsOf(operation)].filter(
    (form) =>
      operation.isLight(form) ||
      (operation.weight === 'by input' && isSent && shown.includes(form)),
  );
}

test('calls light what costs little in its worst form, and as much in a small event as in a large one', async () => {
  const getEvent = operationOf('getEvent');
  const [shown] = race.formsOf(getEvent);
  if (!shown) throw new Error('getEvent has no example.');
  const floor = await costOf(getEvent, shown);
  const liveMs = await liveBatchMs();
  const lines = [`getEvent ${floor.totalMs.toFixed(1)} ms, a live batch ${liveMs.toFixed(1)} ms`];
  const tooHeavy: string[] = [];
  for (const operation of weighedOperations) {
    const { operationId: id, weight, method } = operation;
    const small = lightFormsOf(operation, smallRace);
    for (const [at, form] of lightFormsOf(operation, race).entries()) {
      const { totalMs, workerMs, postgresMs, status } = await costOf(operation, form);
      const isRead = method === 'GET';
      const mostMs = isRead
        ? LIGHT_MAX * floor.totalMs
        : Math.max(liveMs, LIGHT_MAX * floor.totalMs);
      const path = form.target.replace(/^.*\/(?=[^/]*$)/, '');
      let figures =
        `${(totalMs / floor.totalMs).toFixed(1)} x, Worker ${workerMs.toFixed(1)} ms, ` +
        `PostgreSQL ${postgresMs.toFixed(1)} ms, status ${status}`;
      let isTooHeavy = totalMs > mostMs;
      const inSmall = small[at];
      if (totalMs > NOT_FELT_MS && inSmall) {
        const { totalMs: smallMs } = await costOf(operation, inSmall, smallRace);
        figures += `, ${smallMs.toFixed(1)} ms in a small event`;
        isTooHeavy ||= totalMs > GROWS * smallMs + NOT_FELT_MS;
      }
      lines.push(`${weight.padEnd(8)} ${id} ${path}: ${figures}`);
      if (isTooHeavy) tooHeavy.push(`${id} ${path}: ${figures}`);
    }
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  expect(tooHeavy).toEqual([]);
});
