import { drizzle } from 'drizzle-orm/node-postgres';
import { insertMember } from '../dev/stack/seed.ts';
import { signSession } from '../dev/stack/session.ts';
import type { Build } from '../testing/runtime/bundle.ts';
import type { OwnStack } from '../testing/runtime/own-stack.ts';
import { startWorkerd } from '../testing/runtime/workerd.ts';
import { findLiveKey } from '../worker/auth/api-key/queries.ts';
import { plannedForEvent } from '../worker/db/planned.ts';
import { EXPORT_BUDGET_MS } from '../worker/db/streamed-statement.ts';
import { findEvent } from '../worker/events/queries.ts';
import { limits } from '../worker/http/pagination.ts';
import { listPaid } from '../worker/participants/queries.ts';
import { exportResults } from '../worker/results/read/export.ts';
import { countBuckets, countPersons } from '../worker/stats/queries.ts';
import {
  type Line,
  measureInTurns,
  medianOf,
  type Operation,
  type Report,
  ratioLine,
} from './measure.ts';
import { createRace, finishRace, type Race, startServers } from './race.ts';
import { type SentQuery, sendingWith, transaction } from './statements.ts';

const REGISTRATIONS = 50_000;
const PAGE_SIZE = 100;
const TURNS = { warmUps: 5, samples: 41 };
/** One key for each page, because a key has 120 requests a minute. */
const KEYS = 2;
const EXPORT_TURNS = { warmUps: 2, samples: 11 };

/** Compares the duration of reads with that of their SQL alone. */
export async function benchReads(build: Build): Promise<Report> {
  const servers = await startServers();
  try {
    const race = await createRace(servers.pool, REGISTRATIONS, KEYS);
    const { keys } = race;
    const lines = [await benchStats(servers, race, keys)];
    const PANEL_JWT_SECRET = 'synthetic secret that signs the sessions of benchmarks';
    const bindings = { ...servers.stack.workerEnv, PANEL_JWT_SECRET };
    const workerd = await startWorkerd(build.folder, { bindings });
    try {
      lines.push(...(await benchPages(servers, race, workerd.origin, keys)));
      const sub = await insertMember(drizzle(servers.pool), race.organizationId);
      const session = await signSession({ sub }, PANEL_JWT_SECRET);
      lines.push(
        ...(await benchExport(servers, race, workerd.origin, { key: keys[0] ?? '', session })),
      );
    } finally {
      await workerd.stop();
    }
    return {
      lines,
      notes: [
        `Reads: an event with ${REGISTRATIONS} registrations. Figures are medians of ${TURNS.samples} ` +
          `runs, of exports ${EXPORT_TURNS.samples}, with the floor and the figure in turns. The floor of ` +
          'a page or an export is the API’s SQL over one connection of `pg`, from `begin` to `commit`. The ' +
          'floor of the statistics is a sequential scan that reads the same columns of the same rows.',
      ],
    };
  } finally {
    await servers.stop();
  }
}

async function benchStats({ pool }: OwnStack, race: Race, keys: readonly string[]): Promise<Line> {
  const { eventId } = race;
  const send = await sendingWith(keys[0] ?? '', 'stats:read');
  const statistics = [countBuckets({ eventId }), countPersons({ eventId })].map(send);
  const scan: SentQuery = {
    text: `select count(*), count(person_id), count(status), count(distance), count(category),
      count(kit_status), count(gender) from registrations where event_id = $1`,
    values: [eventId],
  };
  const client = await pool.connect();
  try {
    const asSequential = async () => {
      await client.query(
        'set enable_indexscan = off; set enable_bitmapscan = off; set enable_indexonlyscan = off; ' +
          'set max_parallel_workers_per_gather = 0',
      );
      await transaction(client, [scan]);
      await client.query(
        'reset enable_indexscan; reset enable_bitmapscan; reset enable_indexonlyscan; ' +
          'reset max_parallel_workers_per_gather',
      );
    };
    const medians = await measureInTurns(
      [
        { name: 'scan', run: asSequential },
        { name: 'stats', run: () => transaction(client, statistics) },
      ],
      TURNS,
    );
    return ratioLine(`statistics of ${REGISTRATIONS} registrations, database time`, {
      ms: medianOf(medians, 'stats'),
      floorMs: medianOf(medians, 'scan'),
      most: 1.5,
    });
  } finally {
    client.release();
  }
}

async function benchPages(
  { pool }: OwnStack,
  race: Race,
  origin: string,
  keys: readonly string[],
): Promise<Line[]> {
  const client = await pool.connect();
  try {
    const paid = await client.query<{ pages: number }>(
      `select ceil(count(*) / $2::float)::int as pages from registrations
      where event_id = $1 and status = 'PAID'`,
      [race.eventId, PAGE_SIZE],
    );
    const lines: Line[] = [];
    for (const [index, name] of ['first', 'last'].entries()) {
      const page = index === 0 ? 1 : (paid.rows[0]?.pages ?? 1);
      const key = keys[index] ?? '';
      const { eventId } = race;
      const sql = [
        findLiveKey({}),
        listPaid({ eventId, ...limits({ page, page_size: PAGE_SIZE }) }),
      ].map(await sendingWith(key, 'participants:read'));
      const url = `${origin}${race.path}/participants?page=${page}&page_size=${PAGE_SIZE}`;
      const medians = await measureInTurns(
        [
          { name: 'sql', run: () => transaction(client, sql) },
          {
            name: 'page',
            async run() {
              const response = await fetch(url, { headers: { 'X-API-Key': key } });
              const text = await response.text();
              if (!text.includes('inscription_id')) throw new Error(text.slice(0, 500));
            },
          },
        ],
        TURNS,
      );
      lines.push(
        ratioLine(`participants, ${name} page of ${PAGE_SIZE} of ${REGISTRATIONS}`, {
          ms: medianOf(medians, 'page'),
          floorMs: medianOf(medians, 'sql'),
          most: 2,
        }),
      );
    }
    return lines;
  } finally {
    client.release();
  }
}

/**
 * Compares the export of all results, to its last byte, with its SQL alone, and with it what makes the results
 * official: it reads the same rows, signs them and stores them.
 */
async function benchExport(
  { pool, stack }: OwnStack,
  race: Race,
  origin: string,
  { key, session }: { key: string; session: string },
): Promise<Line[]> {
  await finishRace(pool, race);
  const { eventId } = race;
  const sql = [
    findLiveKey({}),
    findEvent({ eventId }),
    plannedForEvent(EXPORT_BUDGET_MS),
    exportResults({ eventId }),
  ].map(await sendingWith(key, 'events:read'));
  const client = await pool.connect();
  try {
    const types = ['text/csv', 'application/x-ndjson'];
    const medians = await measureInTurns(
      [
        { name: 'sql', run: () => transaction(client, sql) },
        { name: 'gateway', run: () => askGateway(stack.workerEnv.DATABASE_URL, sql) },
        ...types.map(
          (name): Operation => ({
            name,
            async run() {
              const response = await fetch(`${origin}${race.path}/results/export`, {
                headers: { 'X-API-Key': key, Accept: name },
              });
              const { length } = (await response.text()).match(/inscription_id|\n/g) ?? [];
              if (Number(length) < REGISTRATIONS) throw new Error(`${response.status}: ${length}`);
            },
          }),
        ),
        {
          name: 'official',
          async run() {
            const path = `organizations/${race.organizationId}/events/${eventId}/results/official`;
            const response = await fetch(`${origin}/api/v1/${path}`, {
              method: 'POST',
              headers: { Authorization: `Bearer ${session}` },
            });
            const text = await response.text();
            if (response.status !== 201) throw new Error(text);
          },
        },
      ],
      EXPORT_TURNS,
    );
    const floorMs = medianOf(medians, 'sql');
    const operation = `export of ${REGISTRATIONS} results`;
    return [
      ratioLine(`${operation}, up to the local gateway`, {
        ms: medianOf(medians, 'gateway'),
        floorMs,
      }),
      ...types.map((type) =>
        ratioLine(`${operation}, ${type}`, { ms: medianOf(medians, type), floorMs, most: 1.5 }),
      ),
      ratioLine(`official version of ${REGISTRATIONS} results, beside an export as CSV`, {
        ms: medianOf(medians, 'official'),
        floorMs: medianOf(medians, 'text/csv'),
        most: 2,
      }),
    ];
  } finally {
    client.release();
  }
}

/** Runs queries as the Worker does, through the gateway that stands for Neon's proxy. */
async function askGateway(databaseUrl: string, queries: readonly SentQuery[]): Promise<void> {
  const response = await fetch(`http://${new URL(databaseUrl).host}/sql`, {
    method: 'POST',
    headers: {
      'Neon-Connection-String': databaseUrl,
      'Neon-Raw-Text-Output': 'true',
      'Neon-Array-Mode': 'true',
    },
    body: JSON.stringify({
      queries: queries.map(({ text, values }) => ({ query: text, params: values })),
    }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`The gateway answered ${response.status}.`);
}
