import { drizzle } from 'drizzle-orm/node-postgres';
import { insertMember } from '../dev/stack/seed.ts';
import { signSession } from '../dev/stack/session.ts';
import type { Build } from '../testing/runtime/bundle.ts';
import type { OwnStack } from '../testing/runtime/own-stack.ts';
import { startWorkerd, type Workerd } from '../testing/runtime/workerd.ts';
import { hashApiKey } from '../worker/auth/api-key/api-key.ts';
import { findLiveKey } from '../worker/auth/api-key/queries.ts';
import { plannedForEvent } from '../worker/db/planned.ts';
import type { Statement } from '../worker/db/statement.ts';
import { EXPORT_BUDGET_MS } from '../worker/db/streamed-statement.ts';
import { findEvent } from '../worker/events/queries.ts';
import { limits } from '../worker/http/pagination.ts';
import { listPaid } from '../worker/participants/queries.ts';
import { startListCopy } from '../worker/participants/start-list.ts';
import { resultCopy } from '../worker/results/read/copy.ts';
import { exportResults } from '../worker/results/read/export.ts';
import { startClient } from './client.ts';
import { cpuMs } from './cpu.ts';
import {
  bestInTurns,
  figureOf,
  type Line,
  measureInTurns,
  type Operation,
  outsideMs,
  type Report,
  ratioLine,
} from './measure.ts';
import { createRace, finishRace, type Race, startServers } from './race.ts';
import { type SentQuery, sendingWith, transaction } from './statements.ts';

const REGISTRATIONS = 50_000;
const PAGE_SIZE = 100;
const TURNS = { warmUps: 5, samples: 41 };
/** A key for each page, because a key has 120 requests a minute. */
const KEYS = 2;
const EXPORT_TURNS = { warmUps: 2, samples: 21 };
const EXPORT_MOST = 0.8;
const POLL_MOST = 0.5;
/** A read of a single row is short. */
const KEY_TURNS = { warmUps: 50, samples: 501 };
const KEY_MOST = 1.15;

/** Compares the duration of reads with the duration of their SQL. */
export async function benchReads(build: Build): Promise<Report> {
  const servers = await startServers();
  try {
    const race = await createRace(servers.pool, REGISTRATIONS, KEYS);
    const { keys } = race;
    const lines = [await benchKey(servers, race)];
    const PANEL_JWT_SECRET = 'synthetic secret that signs the sessions of benchmarks';
    const bindings = { ...servers.stack.workerEnv, PANEL_JWT_SECRET };
    const workerd = await startWorkerd(build.folder, { bindings });
    try {
      lines.push(...(await benchPages(servers, race, workerd.origin, keys)));
      const sub = await insertMember(drizzle(servers.pool), race.organizationId);
      const session = await signSession({ sub }, PANEL_JWT_SECRET);
      lines.push(...(await benchExport(servers, race, workerd, { key: keys[0] ?? '', session })));
      lines.push(...(await benchPolls(servers, race)));
    } finally {
      await workerd.stop();
    }
    return {
      lines,
      notes: [
        `Reads: an event with ${REGISTRATIONS} registrations. Figures are medians of ${TURNS.samples} ` +
          `runs, those of polls of ${EXPORT_TURNS.samples}, and those of exports are the best of ${EXPORT_TURNS.samples}, with the floor and the figure in turns. The floor of ` +
          'a page is the API’s SQL over one connection of `pg`, from `begin` to `commit`. Both are without the ' +
          'processor time of this process, in which the client and the gateways run. An export is measured in ' +
          'processor time: that of workerd beside that of PostgreSQL for the same statement without its digest; the ' +
          'client is a process of its own. The floor of key and event is one select of both. The ' +
          'floor of a poll is the export of the whole list, as database time.',
      ],
    };
  } finally {
    await servers.stop();
  }
}

/** The statements of `getEvent` beside a select of the same columns. */
async function benchKey({ pool }: OwnStack, { key, eventId }: Race): Promise<Line> {
  const send = await sendingWith(key, 'events:read');
  const sent = [send(findEvent({ eventId }).besideKey())];
  const columns =
    send(findEvent({ eventId })).text.match(/^\s*select\s+(.*?) from events/s)?.[1] ?? '';
  const both: SentQuery = {
    text: `select api_keys.id, api_keys.organization_id, $2 = any(scopes) as permitted, event.*
      from api_keys left join lateral (
        select ${columns} from events where id = $3 and organization_id = api_keys.organization_id
          and id = coalesce(api_keys.event_id, id)
      ) event on true
      where key_hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    values: [hashApiKey(key), 'events:read', eventId],
  };
  const client = await pool.connect();
  try {
    const medians = await measureInTurns(
      [
        { name: 'both', run: () => transaction(client, [both]) },
        { name: 'sent', run: () => transaction(client, sent) },
      ],
      KEY_TURNS,
    );
    return ratioLine('getEvent: key and event, database time', {
      ms: figureOf(medians, 'sent'),
      floorMs: figureOf(medians, 'both'),
      most: KEY_MOST,
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
          { name: 'sql', clock: outsideMs, run: () => transaction(client, sql) },
          {
            name: 'page',
            clock: outsideMs,
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
          ms: figureOf(medians, 'page'),
          floorMs: figureOf(medians, 'sql'),
          most: 2,
        }),
      );
    }
    return lines;
  } finally {
    client.release();
  }
}

/** The poll of a copy when nothing has changed, beside the whole list. */
async function benchPolls({ pool }: OwnStack, { key, eventId }: Race): Promise<Line[]> {
  const client = await pool.connect();
  try {
    const { rows: now } = await client.query<{ since: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as since',
    );
    const poll = { eventId, since: now[0]?.since ?? '' };
    const lists = {
      'start list': [startListCopy.rows({ eventId }), startListCopy.rows(poll)],
      results: [exportResults({ eventId }), resultCopy.rows(poll)],
    };
    const send = await sendingWith(key, 'events:read');
    const before = [findLiveKey({}), findEvent({ eventId }), plannedForEvent(EXPORT_BUDGET_MS)];
    const lines: Line[] = [];
    for (const [name, [whole, since]] of Object.entries(lists)) {
      const sent = (statement: Statement | undefined) =>
        [...before, ...(statement ? [statement] : [])].map(send);
      const medians = await measureInTurns(
        [
          { name: 'whole', run: () => transaction(client, sent(whole)) },
          { name: 'poll', run: () => transaction(client, sent(since)) },
        ],
        EXPORT_TURNS,
      );
      lines.push(
        ratioLine(`poll of the ${name} without changes, beside the export, database time`, {
          ms: figureOf(medians, 'poll'),
          floorMs: figureOf(medians, 'whole'),
          most: POLL_MOST,
        }),
      );
    }
    return lines;
  } finally {
    client.release();
  }
}

/** The statement without its digest: the database's cost of a plain list of the rows. */
function withoutDigest({ text, values }: SentQuery): SentQuery {
  const plain = text.replace('sha256(record_send(listed))', "''::bytea");
  if (plain === text) throw new Error('An export has no digest of its rows.');
  return { text: plain, values };
}

/**
 * Compares workerd's processor time for the export of all results, to the last byte, with PostgreSQL's processor time
 * for the rows. Also compares the export with making the results official, which reads the rows, signs and stores the
 * rows.
 */
async function benchExport(
  { pool }: OwnStack,
  race: Race,
  { origin, pid }: Workerd,
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
  const plain = sql.map((query, index) =>
    index === sql.length - 1 ? withoutDigest(query) : query,
  );
  const client = await pool.connect();
  const reader = startClient();
  try {
    const types = ['text/csv', 'application/x-ndjson'];
    const backend = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const backendPid = backend.rows[0]?.pid ?? 0;
    const clock = () => cpuMs(pid);
    const figures = await bestInTurns(
      [
        { name: 'sql', run: () => transaction(client, plain), clock: () => cpuMs(backendPid) },
        ...types.map(
          (name): Operation => ({
            name,
            async run() {
              const url = `${origin}${race.path}/results/export`;
              const { lines } = await reader.read({
                url,
                headers: { 'X-API-Key': key, Accept: name },
              });
              if (lines < REGISTRATIONS) throw new Error(`An export had ${lines} lines.`);
            },
            clock,
          }),
        ),
        {
          name: 'official',
          clock,
          async run() {
            const path = `organizations/${race.organizationId}/events/${eventId}/results/official`;
            const response = await fetch(`${origin}/api/v1/${path}`, {
              method: 'POST',
              headers: { Authorization: `Bearer ${session}` },
            });
            const text = await response.text();
            if (response.status !== 201) throw new Error(text);
          },
          // An event has at most 20 official versions.
          undo: () => pool.query('truncate official_results'),
        },
      ],
      EXPORT_TURNS,
    );
    const floorMs = figureOf(figures, 'sql');
    const operation = `export of ${REGISTRATIONS} results`;
    return [
      ...types.map((type) =>
        ratioLine(`${operation}, ${type}, workerd beside PostgreSQL`, {
          ms: figureOf(figures, type),
          floorMs,
          most: EXPORT_MOST,
          clock: 'processor',
        }),
      ),
      ratioLine(`official version of ${REGISTRATIONS} results, beside an export as CSV`, {
        ms: figureOf(figures, 'official'),
        floorMs: figureOf(figures, 'text/csv'),
        most: 2,
        clock: 'processor',
      }),
    ];
  } finally {
    await reader.stop();
    client.release();
  }
}
