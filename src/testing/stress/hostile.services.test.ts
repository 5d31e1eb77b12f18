import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectDocumented, type HttpAnswer } from '../documented.ts';
import { residentMib } from '../runtime/resident.ts';
import { answerOf } from './answer.ts';
import { anyHostileRequest, type HostileRequest } from './hostile-requests.ts';
import { createRace, type RaceDay, startRaceDay } from './race-day.ts';

let day: RaceDay;

beforeAll(async () => {
  day = await startRaceDay(inject('servers'));
});
afterAll(() => day?.stop());

const REQUESTS = 12_000;
const SAMPLED = 400;
const CLIENTS = 24;
/** Together the keys have more requests a minute than the test sends. */
const KEYS = 240;
/** An organization has a few exports at a time. */
const BUSY = 'Other exports are being written';
const EXPORT = /\/(export|official\/[^/?]+)\b/;

/** An answer to HEAD has no text. */
const isBusy = ({ method, target }: HostileRequest, status: number, text: string): boolean =>
  status === 503 && (method === 'HEAD' ? EXPORT.test(target) : text.includes(BUSY));
const SEED = Number(process.env['HOSTILE_SEED'] ?? 20_261_121);

/** A word in every text of the other organization. No request has the word. */
const CANARY = 'canary-7f3a';

/** Adds registrations, results and an upload. Every race has equal bibs and documents. */
async function fill(eventId: string, keyId: string, secret: string) {
  await day.pool.query('update events set name = $2, city = $2 where id = $1', [eventId, secret]);
  await day.pool.query(
    `with runner as (
      select gen_random_uuid() as person_id, gen_random_uuid() as id, bib
      from generate_series(1, 60) bib
    ), person as (
      insert into persons (id, given_names, email) select person_id, $2, $2 from runner
    ), registration as (
      insert into registrations (id, event_id, person_id, status, bib_number, document, chip, gender,
        category, distance, given_names, surnames, email, mobile_phone)
      select id, $1, person_id, 'PAID', bib::text, 'DOC' || bib, 'CHIP' || bib, 'F',
        $2, $2, $2, $2, $2, $2
      from runner
    ), batch as (
      insert into result_batches (id, event_id, api_key_id, source, total_processed, uploaded,
        updated, not_found, errors, duplicates)
      values (gen_random_uuid(), $1, $3, 'json', 60, 60, 0, 0, 0, 0) returning id
    )
    insert into results (registration_id, event_id, batch_id, status, chip_time_ms, splits)
    select runner.id, $1, batch.id, 'FINISHED', 1000 * bib, jsonb_build_object($2::text, 1)
    from runner, batch`,
    [eventId, secret, keyId],
  );
}

async function createFilledRace(secret: string, keyCount: number) {
  const race = await createRace(day, { keyCount });
  await day.pool.query('update organizations set name = $2 where id = $1', [
    race.organizationId,
    secret,
  ]);
  const { rows } = await day.pool.query<{ id: string }>(
    'update api_keys set name = $2 where organization_id = $1 returning id',
    [race.organizationId, secret],
  );
  await fill(race.eventId, rows[0]?.id ?? '', secret);
  return race;
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

/** The runtime's own answer to an unreadable request. */
const isTheRuntimes = ({ status, headers }: HttpAnswer): boolean =>
  status === 400 && !headers.has('X-Request-Id') && !headers.has('Cache-Control');

async function send({ method, target, headers, body }: HostileRequest) {
  // Without this header Node sends the body of a DELETE as if the body were the next request.
  const length = body && { 'Content-Length': `${body.length}` };
  const sent = request(day.origin, {
    method,
    path: target,
    headers: { ...headers, ...length },
    agent,
  });
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (!response) throw new Error('No answer.');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  const answer = answerOf(response, text);
  if (!isTheRuntimes(answer)) {
    // The path as sent: a URL would resolve the dots, which the service does not.
    expectDocumented(method, target.replace(/[?#].*/s, ''), answer);
  }
  return { status: answer.status, text: JSON.stringify(response.rawHeaders) + text };
}

/** All stored rows of a race. */
const everythingOf = async (eventId: string) =>
  (
    await day.pool.query(
      `select registration.*, result.*, batch.id as batch
      from registrations registration
      left join results result on result.registration_id = registration.id
      left join result_batches batch on batch.event_id = registration.event_id
      where registration.event_id = $1 order by registration.id`,
      [eventId],
    )
  ).rows;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test(`answers ${REQUESTS} hostile requests without a failure, a secret or a change (seed ${SEED})`, async () => {
  const own = await createFilledRace('Harbour Half', KEYS);
  const foreign = await createFilledRace(CANARY, 1);
  const before = await everythingOf(foreign.eventId);
  const secrets = [CANARY, ...foreign.keys];

  const requests = anyHostileRequest({
    keys: own.keys,
    ids: [...Array(5).fill(own.eventId), foreign.eventId, foreign.organizationId],
    shared: ['1', '2', '60', 'DOC1', 'DOC2', 'CHIP1', 'CHIP60'],
  });
  const statuses = new Map<number, number>();
  const bad: string[] = [];
  const memory: number[] = [];

  for (let at = 0; at < REQUESTS; at += SAMPLED) {
    const queue = fc.sample(requests, { seed: SEED + at, numRuns: SAMPLED });
    const client = async () => {
      for (let next = queue.pop(); next; next = queue.pop()) {
        const { status, text } = await send(next);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (
          (status >= 500 && !isBusy(next, status, text)) ||
          secrets.some((secret) => text.includes(secret))
        ) {
          const bytes = next.body && Buffer.from(next.body).toString('latin1');
          bad.push(JSON.stringify({ ...next, body: bytes, status, text: text.slice(0, 500) }));
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    expect(bad).toEqual([]);
    memory.push(residentMib(day.pid));
  }

  process.stdout.write(
    `answers ${JSON.stringify(Object.fromEntries(statuses))}; memory in MiB, every ${
      REQUESTS / 10
    } requests: ${memory
      .filter((_, index) => index % 3 === 2)
      .map(Math.round)
      .join(' ')}\n`,
  );

  const count = (status: number) => statuses.get(status) ?? 0;
  // Most had a live key, and every kind of answer was met.
  expect(count(401) + count(429)).toBeLessThan(REQUESTS / 4);
  for (const status of [200, 400, 401, 404]) expect(count(status)).toBeGreaterThan(REQUESTS / 100);
  expect(await everythingOf(foreign.eventId)).toEqual(before);
  const complaints = day.printed.filter(
    (line) => /uncaught|unhandled|"level":"error"/i.test(line) && !line.includes(BUSY),
  );
  expect(complaints).toEqual([]);

  // After a start, the memory of the runtime grows no further. A collection may still be due.
  const part = memory.length / 5;
  const early = median(memory.slice(part, 2 * part));
  expect(median(memory.slice(-part))).toBeLessThan(early * 1.25 + 16);
});
