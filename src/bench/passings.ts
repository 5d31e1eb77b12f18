import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { setUpEvent } from '../dev/stack/seed.ts';
import { atOnce } from '../timing-files/read/turns.ts';
import { selectRanking } from '../worker/board/queries.ts';
import { selectCourse } from '../worker/board/select-course.ts';
import { shiftStart } from '../worker/course/shift-start.ts';
import { plannedForEvent } from '../worker/db/planned.ts';
import type { Statement } from '../worker/db/statement.ts';
import { openJson } from '../worker/http/json-text.ts';
import { beforeActing } from '../worker/results/acts.ts';
import { askingOf, findDistances, findStarted } from '../worker/results/leave.ts';
import { LEAVE_RULES } from '../worker/results/schemas.ts';
import { beforeWriting, WRITE_BUDGET_MS } from '../worker/results/upload/before-writing.ts';
import { readJsonBatch } from '../worker/results/upload/json-rows.ts';
import { limitsOf } from '../worker/results/upload/leave.ts';
import { storeBatch } from '../worker/results/upload/store.ts';
import { cpuMs } from './cpu.ts';
import { raceRow } from './files.ts';
import {
  figureOf,
  formatMs,
  type Line,
  measureInTurns,
  prepared,
  type Report,
  ratioLine,
} from './measure.ts';
import { createRace, finishRace, type Race, startServers } from './race.ts';
import { sendingWith, transaction } from './statements.ts';

const REGISTRATIONS = 50_000;
const POINTS = 8;
const LIVE_ROWS = 20;
const LEAVING_MOST = 1.5;
const LEAVER = 'Finish laptop';
const LIVE_TURNS = { warmUps: 20, samples: 101 };

/** What starts and points may add to the board's documents: the noise of the measurement. */
const TOLD_MOST = 1.5;
const BOARD_TURNS = { warmUps: 2, samples: 21 };

/** Measures what `leave`, starts, points and shifts cost in a race with passings. */
export async function benchPassings(): Promise<Report> {
  const servers = await startServers();
  const client = await servers.pool.connect();
  try {
    // The live batches have runners without a passing.
    const race = await createRace(servers.pool, REGISTRATIONS + LIVE_ROWS);
    await finishRace(servers.pool, race, REGISTRATIONS);
    await passPoints(client, race);
    return {
      lines: [
        await benchLive(client, race),
        ...(await benchBoard(client, race)),
        ...(await benchShift(client, race)),
      ],
      notes: [
        `Passings: an event with ${REGISTRATIONS} finishers that have passed ${POINTS} points each, with the SQL ` +
          'that the API sends over one connection. The floor of a live batch is a batch without `leave`, and the ' +
          'floor of a board document is the document of the event without starts and points. All figures but of ' +
          `shifts are processor time of PostgreSQL, in turns: medians of ${LIVE_TURNS.samples} live batches with ` +
          `the event's look-up, and of ${BOARD_TURNS.samples} documents.`,
      ],
    };
  } finally {
    client.release();
    await servers.stop();
  }
}

/** Compares a live batch of results that leaves rows to a person with a live batch of results. */
async function benchLive(client: pg.PoolClient, race: Race): Promise<Line> {
  const send = await sendingWith(race.key, 'results:write');
  const rows = Array.from({ length: LIVE_ROWS }, (_, index) => raceRow(REGISTRATIONS + index + 1));
  const bibs = rows.map(({ bib_number }) => bib_number);
  const undo = () =>
    client.query(
      `with runner as (select id from registrations where event_id = $1 and bib_number = any($2)),
      unfinished as (delete from results where registration_id in (select id from runner))
      delete from passings where registration_id in (select id from runner)`,
      [race.eventId, bibs],
    );
  const run = (statements: readonly Statement[]) => transaction(client, statements.map(send));
  const named = () => ({ idempotencyKey: crypto.randomUUID(), contentHash: '0' });
  const findEvent = () => findStarted.key({ eventId: race.eventId });
  const read = () =>
    atOnce(readJsonBatch(openJson(Buffer.from(JSON.stringify({ results: rows })))));
  const clock = await clockOf(client);
  const medians = await measureInTurns<'results' | 'leaving'>(
    [
      {
        clock,
        name: 'results',
        ...prepared(() => {
          const batch = read();
          const facts = { source: 'json', ...named() } as const;
          return [findEvent(), ...beforeWriting(LIVE_ROWS), storeBatch(race.eventId, batch, facts)];
        }, run),
        undo,
      },
      {
        clock,
        name: 'leaving',
        ...prepared(() => {
          const facts = { source: 'json', sender: LEAVER, ...named() } as const;
          const asking = askingOf({ leave: LEAVE_RULES, sender: LEAVER }, limitsOf(['10K', '21K']));
          return [
            findDistances.key({ eventId: race.eventId }),
            ...beforeWriting(LIVE_ROWS),
            storeBatch(race.eventId, read(), facts, 'key', asking),
          ];
        }, run),
        undo,
      },
    ],
    LIVE_TURNS,
  );
  return ratioLine(
    `live batch of ${LIVE_ROWS} results with each rule of \`leave\` against results`,
    {
      ms: figureOf(medians, 'leaving'),
      floorMs: figureOf(medians, 'results'),
      most: LEAVING_MOST,
      clock: 'processor',
    },
  );
}

/** A document of the board with starts and points, beside the document without. */
async function benchBoard(client: pg.PoolClient, { key, eventId }: Race): Promise<Line[]> {
  const send = await sendingWith(key, 'events:read');
  const clock = await clockOf(client);
  await setUpEvent(drizzle(client), eventId, { board_enabled: true });
  const forget = () => client.query(FORGET_COURSE, [eventId]);
  const documents = { ranking: selectRanking({ eventId }), course: selectCourse({ eventId }) };
  const runs = Object.entries(documents).flatMap(([name, document]) => {
    const run = () => transaction(client, [send(plannedForEvent()), send(document)]);
    return [
      {
        name: `${name} alone`,
        clock,
        run,
        undo: () => client.query(TELL_COURSE, [eventId, POINTS]),
      },
      { name, clock, run, undo: forget },
    ];
  });
  const medians = await measureInTurns(runs, BOARD_TURNS);
  return Object.keys(documents).map((name) =>
    ratioLine(`board, document ${name} with 4 starts and ${POINTS} points`, {
      ms: figureOf(medians, name),
      floorMs: figureOf(medians, `${name} alone`),
      most: TOLD_MOST,
      clock: 'processor',
    }),
  );
}

/** Moves the start of everybody by 30 s in a single statement, within the time of the largest write. */
async function benchShift(client: pg.PoolClient, { key, eventId }: Race): Promise<Line[]> {
  const send = await sendingWith(key, 'results:write');
  await setUpEvent(drizzle(client), eventId, { starts_version: 1 });
  await client.query(
    `insert into event_starts (event_id, ordinal, name, starts_at) values ($1, 1, 'Gun', now())`,
    [eventId],
  );
  const lines: Line[] = [];
  const kinds: readonly { isDry?: true }[] = [{ isDry: true }, {}];
  for (const kind of kinds) {
    const shift = shiftStart.key({
      ...{ eventId, version: 1, ordinal: 1, offsetMinutes: null, laterMs: 30_000 },
      startsAt: new Date().toISOString(),
      batchId: crypto.randomUUID(),
      ...kind,
    });
    const startedAt = performance.now();
    await transaction(client, [...beforeActing(eventId, 'key'), shift].map(send));
    const ms = performance.now() - startedAt;
    lines.push({
      operation: `${kind.isDry ? 'dry run of the shift' : 'shift'} of ${REGISTRATIONS} results with ${POINTS} points`,
      measured: formatMs(ms),
      goal: `≤ ${formatMs(WRITE_BUDGET_MS)}`,
      met: ms <= WRITE_BUDGET_MS,
    });
  }
  const { rows } = await client.query<{ moved: number }>(
    `select updated as moved from result_batches where event_id = $1 and source = 'shift'`,
    [eventId],
  );
  if (rows[0]?.moved !== REGISTRATIONS) throw new Error(`A shift moved ${rows[0]?.moved} results.`);
  return lines;
}

const TELL_COURSE = `with told as (
    insert into event_points (event_id, ordinal, name, course_order, km)
    select $1, n, 'Km ' || 5 * n, n, 5 * n from generate_series(1, $2::int) n
  )
  insert into event_starts (event_id, ordinal, name, bib_from, bib_to, starts_at)
  select $1, n, 'Wave ' || n, 10000 * n, 10000 * n + 9999, now() from generate_series(1, 4) n`;

const FORGET_COURSE = `with points as (delete from event_points where event_id = $1)
  delete from event_starts where event_id = $1`;

/** The processor time of the connection's server process. */
async function clockOf(client: pg.PoolClient): Promise<() => number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return () => cpuMs(rows[0]?.pid ?? 0);
}

/** Lets every finisher pass each point. */
async function passPoints(client: pg.PoolClient, { eventId }: Race): Promise<void> {
  await client.query(
    `insert into passings (registration_id, event_id, upload_id, point, time_ms)
    select registration_id, event_id, gen_random_uuid(), 'Km ' || 5 * n, finish_time_ms * n / ($2 + 1)
    from results cross join generate_series(1, $2::int) n where event_id = $1`,
    [eventId, POINTS],
  );
  await client.query('vacuum analyze passings');
}
