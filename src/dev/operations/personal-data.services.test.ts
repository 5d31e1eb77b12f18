import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Race, type RunningApi, startApi } from '../../testing/runtime/api.ts';
import { type OwnStack, startOwnStack } from '../../testing/runtime/own-stack.ts';
import { forget, holdingsOf } from './personal-data.ts';

let own: OwnStack;
let api: RunningApi;
beforeAll(async () => {
  own = await startOwnStack(inject('servers'));
  api = await startApi(own.stack.workerEnv);
}, 120_000);
afterAll(async () => {
  await api?.stop();
  await own?.stop();
});

/** The registered texts of the runner to forget, each with a mark. */
const OWN = {
  given_names: 'Zyxna Marked',
  surnames: 'Zyxpez',
  document: 'ZYX-90000001',
  email: 'zyx.pez@example.org',
  mobile_phone: '+1 555 0100 zyx',
  chip: 'ZYXCHIP',
};
/** Texts of further people about the results of the runner. None of the texts names the runner. */
const REASONS = [
  'corrected zyq',
  'wore the other bib zyq',
  'doping zyq',
  'deleted zyq',
  'reverted zyq',
  'again zyq',
];
/** Names of files and of senders, which name the runner. */
const FILES = ['zyxpez.csv', 'points of Zyxpez.csv'];

const SENDER = 'laptop of Zyxpez';

/** A reason about other runners: a gender, and a bib that is a part of the runner's phone number. */
const OF_OTHERS = 'bib 555 ran as a woman';

async function send(race: Race, path: string, init: RequestInit & { isPanel?: boolean } = {}) {
  const { isPanel, ...sent } = init;
  const base = isPanel
    ? `/api/v1/organizations/${race.organizationId}/events/${race.eventId}`
    : `/public/v1/events/${race.eventId}`;
  const headers: Record<string, string> = {
    ...(isPanel ? { Authorization: `Bearer ${race.sessionToken}` } : { 'X-API-Key': race.apiKey }),
    ...Object.fromEntries(new Headers(sent.headers)),
  };
  if (typeof sent.body === 'string') headers['Content-Type'] = 'application/json';
  const response = await fetch(`${api.origin}${base}${path}`, { ...sent, headers });
  expect(response.ok, `${path}: ${await response.clone().text()}`).toBe(true);
  return response.status === 204 ? {} : ((await response.json()) as { batch_id?: string });
}

const fileOf = (name: string, csv: string) => {
  const body = new FormData();
  body.set('file', new File([csv], name));
  return body;
};

/** Every operation that writes about the runner with bib 1, with a mark in every text. */
async function liveALife() {
  const race = await api.createRace(30);
  const { rows } = await own.pool.query<{ id: string; person_id: string }>(
    `update registrations set given_names = $2, surnames = $3, document = $4, email = $5, mobile_phone = $6, chip = $7
    where event_id = $1 and bib_number = '1' returning id, person_id`,
    [race.eventId, ...Object.values(OWN)],
  );
  const [{ id = '', person_id: personId = '' } = {}] = rows;
  await own.pool.query(
    `update persons set given_names = $2, surnames = $3, document = $4, email = $5, mobile_phone = $6, gender = 'Woman' where id = $1`,
    [personId, ...Object.values(OWN).slice(0, 5)],
  );
  const [corrected, swapped, doping, deleted, reverted, again] = REASONS;
  const csv = Array.from({ length: 30 }, (_, at) => `${at + 1};00:${40 + (at % 20)}:00;00:20:00`);
  await send(race, `/results/file?sender=${encodeURIComponent(SENDER)}`, {
    method: 'POST',
    body: fileOf(FILES[0] ?? '', `Bib;Time;Km 5\n${csv.join('\n')}\n`),
  });
  const results = [{ bib_number: '1', chip_time: '00:39:00' }];
  await send(race, '/results', { method: 'POST', body: JSON.stringify({ results }) });
  const correct = (change: object) =>
    send(race, '/results/1', {
      method: 'PATCH',
      isPanel: true,
      body: JSON.stringify({ ...change, confirmed: true }),
    });
  await correct({ chip_time: '00:38:30', reason: corrected });
  await send(race, '/results/swap', {
    method: 'POST',
    isPanel: true,
    body: JSON.stringify({ bib_numbers: ['1', '2'], reason: swapped }),
  });
  await correct({ status: 'DSQ', reason: doping });
  const { batch_id } = await send(race, `/results/1?reason=${encodeURIComponent(deleted ?? '')}`, {
    method: 'DELETE',
  });
  const { batch_id: revert } = await send(
    race,
    `/result-batches/${batch_id}/revert?reason=${encodeURIComponent(reverted ?? '')}`,
    { method: 'POST' },
  );
  await send(race, `/result-batches/${revert}/revert?reason=${encodeURIComponent(again ?? '')}`, {
    method: 'POST',
  });
  const passings = 'Bib;Time\n1;00:20:10\n2;00:20:20\n';
  await send(race, `/passings/file?point=Km%2010&sender=${encodeURIComponent(SENDER)}`, {
    method: 'POST',
    body: fileOf(FILES[1] ?? '', passings),
  });
  // Rows of the runner and of two further runners are left, and kept for a repetition.
  const leaving = (path: string, rows: object) =>
    send(race, `${path}?leave=decided&leave=others&sender=Second`, {
      method: 'POST',
      headers: { 'Idempotency-Key': crypto.randomUUID() },
      body: JSON.stringify(rows),
    });
  await leaving('/results', {
    results: ['1', '3', '4'].map((bib_number) => ({ bib_number, chip_time: '00:33:00' })),
  });
  await leaving('/passings', {
    passings: ['1', '2'].map((bib_number) => ({ bib_number, point: 'Km 10', time: '00:21:00' })),
  });
  await send(race, '/hidden-names/1', { method: 'PUT', isPanel: true });
  await own.pool.query(
    `insert into event_changes (event_id, kind, user_id, reason, before, after)
    values ($1, 'ranking_rule', 'user-1', 'asked by Zyxpez', 'Zyxpez', 'zyxna'), ($1, 'ranking_rule', 'user-1', 'of the others', 'a', 'b'), ($1, 'ranking_rule', 'user-1', $2, 'a', 'b')`,
    [race.eventId, OF_OTHERS],
  );
  return { race, id, personId };
}

/** Every row of every table, as text. */
async function everyText(): Promise<string> {
  const { rows } = await own.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts = await Promise.all(
    rows.map(
      async ({ name }) =>
        (await own.pool.query(`select to_jsonb(held)::text as row from ${name} held`)).rows,
    ),
  );
  return JSON.stringify(texts);
}

const occurrences = (text: string, mark: string) => text.toLowerCase().split(mark).length - 1;

test.each([false, true])(
  'copies every text that names a runner, and forgets them all (everything: %s)',
  async (everything) => {
    const { race, id, personId } = await liveALife();
    const copy = JSON.stringify(
      await holdingsOf(own.stack.postgresUrl, personId, race.organizationId),
    );
    const told = [...Object.values(OWN), ...REASONS, ...FILES, SENDER, 'asked by Zyxpez'];
    expect(told.filter((mark) => !copy.includes(mark))).toEqual([]);
    expect(copy).not.toContain('of the others');
    expect(copy).not.toContain(OF_OTHERS);
    const marks = async () => {
      const { rows } = await own.pool.query<{ count: number }>(
        `select count(*)::int as count from withdrawn_results where registration_id = $1`,
        [id],
      );
      return rows[0]?.count ?? 0;
    };
    const leftRows = async () => {
      const { rows } = await own.pool.query<{ bibs: string[] }>(
        `select array(select row ->> 1 from jsonb_array_elements(left_rows) row order by 1) as bibs from (
          select left_rows from result_batches where event_id = $1 and left_rows is not null
          union all select left_rows from passing_uploads where event_id = $1 and left_rows is not null
        ) uploads order by 1`,
        [race.eventId],
      );
      return rows.map(({ bibs }) => bibs);
    };
    expect(await leftRows()).toEqual([
      ['1', '2'],
      ['1', '3', '4'],
    ]);
    const held: Record<'result_batches' | 'passing_uploads', { left_rows: unknown[][] | null }[]> =
      JSON.parse(copy);
    const copiedBibs = [...held.result_batches, ...held.passing_uploads].flatMap(({ left_rows }) =>
      (left_rows ?? []).map(([, bib]) => bib),
    );
    expect(copiedBibs).toEqual(['1', '1']);
    expect(JSON.parse(copy).withdrawn_results).toHaveLength(await marks());
    expect(await marks()).toBeGreaterThan(0);

    const before = await own.pool.query('select count(*)::int from results where event_id = $1', [
      race.eventId,
    ]);
    const { eventIds, texts } = await forget(
      own.stack.postgresUrl,
      personId,
      race.organizationId,
      everything,
    );
    expect(eventIds).toEqual([race.eventId]);
    expect(texts).toBeGreaterThan(REASONS.length);
    const left = await everyText();
    expect([occurrences(left, 'zyx'), occurrences(left, 'zyq')]).toEqual([0, 0]);
    expect(left).toContain('of the others');
    expect(left).toContain(OF_OTHERS);
    expect(await leftRows()).toEqual(
      everything
        ? [['2'], ['3', '4']]
        : [
            ['1', '2'],
            ['1', '3', '4'],
          ],
    );
    const after = await own.pool.query('select count(*)::int from results where event_id = $1', [
      race.eventId,
    ]);
    expect(before.rows[0].count - after.rows[0].count).toBe(0);
    const runner = await own.pool.query(
      `select count(*)::int as count from registrations where event_id = $1 and bib_number = '1'`,
      [race.eventId],
    );
    expect(runner.rows[0].count).toBe(everything ? 0 : 1);
    expect(await marks()).toBe(everything ? 0 : JSON.parse(copy).withdrawn_results.length);
  },
);

test('stops at a text that the list does not know, and names the column', async () => {
  const { race, personId } = await liveALife();
  await own.pool.query('alter table passings add column remark text');
  const failing = /^passings\.remark: .*does not say whether this text names a runner/;
  await expect(holdingsOf(own.stack.postgresUrl, personId, race.organizationId)).rejects.toThrow(
    failing,
  );
  await expect(forget(own.stack.postgresUrl, personId, race.organizationId, true)).rejects.toThrow(
    failing,
  );
  await own.pool.query('alter table passings drop column remark');
  const { rows } = await own.pool.query(
    'select count(*)::int as count from persons where id = $1',
    [personId],
  );
  expect(rows[0].count).toBe(1);
});

test('refuses a person without a registration at the organization', async () => {
  const { race, personId } = await liveALife();
  const stranger = crypto.randomUUID();
  await expect(forget(own.stack.postgresUrl, personId, stranger, true)).rejects.toThrow(
    'no registration',
  );
  expect(Object.values(await holdingsOf(own.stack.postgresUrl, personId, stranger)).flat()).toEqual(
    [],
  );
  await forget(own.stack.postgresUrl, personId, race.organizationId, true);
});
