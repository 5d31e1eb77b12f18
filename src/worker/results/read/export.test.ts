import { and, eq } from 'drizzle-orm';
import Papa from 'papaparse';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../../testing/assertions.ts';
import { createEvent, createRace, createRegistrations, db } from '../../../testing/factories.ts';
import { startApp, testConfig, withKey } from '../../../testing/harness.ts';
import { type Race, uploadRows } from '../../../testing/uploads.ts';
import { hashApiKey } from '../../auth/api-key/api-key.ts';
import { connect, transact } from '../../db/client.ts';
import { registrations, results } from '../../db/schema.ts';
import type { ExportedResult, Result } from './answer-schemas.ts';
import { exportResults } from './export.ts';

const { request, logged } = startApp();

const HEADER =
  'inscription_id,bib_number,status,chip_time,gun_time,splits,gender,category,distance,' +
  'position_overall,position_gender,position_category,position_distance,position_distance_gender,' +
  'position_distance_category,updated_at,chip_time_ms,gun_time_ms';

const NDJSON = 'application/x-ndjson';

/** A race with finishers, ties, further statuses, missing groups and a registration that lost its bib. */
async function finished(): Promise<Race> {
  const race = await createRace();
  const bibs = Array.from({ length: 12 }, (_, index) => String(index + 1));
  const ids = await createRegistrations(
    race.eventId,
    bibs.map((bib_number, index) => ({
      bib_number,
      gender: ['F', 'M', null][index % 3] ?? null,
      category: ['Open', 'Senior', '=HYPERLINK("x")', null][index % 4] ?? null,
      distance: ['21K', '10K'][index % 2] ?? null,
    })),
  );
  await uploadRows(
    race,
    bibs.map((bib_number, index) =>
      index < 8
        ? {
            bib_number,
            chip_time: `5${Math.floor(index / 2)}:00.250`,
            ...(index % 2 && { gun_time: '1:00:00' }),
            splits: { 'Km 5, "flat"': '20:00', ñ: '21:00' },
          }
        : { bib_number, status: ['DNF', 'DNS', 'DSQ'][index % 3] },
    ),
  );
  await db
    .update(registrations)
    .set({ bib_number: null })
    .where(eq(registrations.id, ids[3] ?? ''));
  return race;
}

let race: Race;
beforeAll(async () => {
  race = await finished();
});

const ask = (rest = '', headers: Record<string, string> = {}, of = race) =>
  request(`${of.path}/results/export${rest}`, { headers: { ...withKey(of.key), ...headers } });

const list = async (rest = '') => {
  const answer = await request(`${race.path}/results?page_size=100${rest.replace('?', '&')}`, {
    headers: withKey(race.key),
  });
  return (await answer.json<{ data: Record<string, unknown>[] }>()).data;
};

const linesOf = (text: string): ExportedResult[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('exportEventResults', () => {
  test.each([
    '',
    '?gender=F',
    '?category=Senior',
    '?distance=21K&gender=M',
    '?status=finished',
    '?status=DNF&distance=10K',
    '?bib=2',
    '?bib=none',
  ])('answers the rows of the list in its order, with times in ms: %s', async (rest) => {
    const exported = linesOf(await (await ask(rest, { Accept: NDJSON })).text());
    expect(exported.map(({ chip_time_ms, gun_time_ms, ...row }) => row)).toEqual(await list(rest));
    for (const { status, chip_time, chip_time_ms, gun_time_ms } of exported) {
      if (status !== 'FINISHED') expect([chip_time_ms, gun_time_ms]).toEqual([null, null]);
      else expect(chip_time).toBe(`00:${(chip_time_ms ?? 0) / 60_000 - 250 / 60_000}:00.250`);
    }
  });

  test('keeps the order and the positions over hundreds of rows', async () => {
    const of = await createRace();
    const bibs = Array.from({ length: 230 }, (_, index) => String(index + 1));
    await createRegistrations(
      of.eventId,
      bibs.map((bib_number, index) => ({
        bib_number,
        distance: ['21K', '10K'][index % 2] ?? null,
      })),
    );
    const minutes = (index: number) => String((index * 7) % 60).padStart(2, '0');
    await uploadRows(
      of,
      bibs.map((bib_number, index) => ({ bib_number, chip_time: `1:${minutes(index)}:00` })),
    );
    const exported = linesOf(await (await ask('', { Accept: NDJSON }, of)).text());
    const pages = [1, 2, 3].map(async (page) => {
      const answer = await request(`${of.path}/results?page_size=100&page=${page}`, {
        headers: withKey(of.key),
      });
      return (await answer.json<{ data: Result[] }>()).data;
    });
    expect(exported.map(({ chip_time_ms, gun_time_ms, ...row }) => row)).toEqual(
      (await Promise.all(pages)).flat(),
    );
  });

  test('answers CSV unless another type is preferred', async () => {
    const types = {
      '': 'text/csv; charset=utf-8',
      '*/*': 'text/csv; charset=utf-8',
      'text/html, */*;q=0.8': 'text/csv; charset=utf-8',
      'text/csv;q=0.5, application/x-ndjson': 'application/x-ndjson; charset=utf-8',
      'application/json, text/plain, */*': 'application/json',
      'image/png': 'text/csv; charset=utf-8',
      'application/xml;q=0.9, text/html': 'text/csv; charset=utf-8',
    };
    const answered: Record<string, string | null> = {};
    for (const Accept of Object.keys(types)) {
      const { headers } = await ask('', Accept === '' ? {} : { Accept });
      answered[Accept] = headers.get('Content-Type');
    }
    expect(answered).toEqual(types);
  });

  test('writes the same values as CSV, with splits as JSON and no formula', async () => {
    const text = await (await ask()).text();
    expect(text.slice(0, text.indexOf('\r\n'))).toBe(HEADER);
    const { data, errors } = Papa.parse<Record<string, string>>(text.trimEnd(), { header: true });
    expect(errors).toEqual([]);
    const rows = linesOf(await (await ask('', { Accept: NDJSON })).text());
    expect(data).toEqual(
      // The header Rank-By says the rule: programs that do not know a column would take the column for a split.
      rows.map(({ rank_by: _, ...row }) =>
        Object.fromEntries(
          Object.entries({ ...row, splits: JSON.stringify(row.splits) }).map(([name, value]) => [
            name,
            String(value ?? '').replace(/^=/, "'="),
          ]),
        ),
      ),
    );
    expect(text).toContain(`"'=HYPERLINK(""x"")"`);
  });

  test('answers JSON as a list with a single page', async () => {
    const { data, meta } = await (await ask('', { Accept: 'application/json' })).json<{
      data: unknown[];
      meta: unknown;
    }>();
    expect(data).toEqual(linesOf(await (await ask('', { Accept: NDJSON })).text()));
    expect(meta).toEqual({ page: 1, page_size: 12, total: 12, total_pages: 1 });
  });

  test('answers a header, no line or an empty list if nothing matches', async () => {
    const empty = { ...race, path: `/public/v1/events/${await createEvent(race.organizationId)}` };
    expect(await (await ask('', {}, empty)).text()).toBe(`${HEADER}\r\n`);
    expect(await (await ask('', { Accept: NDJSON }, empty)).text()).toBe('');
    expect(await (await ask('', { Accept: 'application/json' }, empty)).json()).toEqual({
      data: [],
      meta: { page: 1, page_size: 1, total: 0, total_pages: 0 },
    });
  });

  test('names the file after the event', async () => {
    const eventId = await createEvent(race.organizationId, { name: 'Media "Ñandú" 10/21\u202e' });
    const named = { ...race, path: `/public/v1/events/${eventId}` };
    expect((await ask('', {}, named)).headers.get('Content-Disposition')).toBe(
      `attachment; filename="Media __and__ 10_21_ - results (provisional).csv"; ` +
        `filename*=UTF-8''Media%20_%C3%91and%C3%BA_%2010_21_%20-%20results%20%28provisional%29.csv`,
    );
  });

  test('costs one trip and one request of the limit', async () => {
    const of = await createRace({ bibs: ['1'] });
    const response = await ask('', {}, of);
    expect(response.headers.get('RateLimit')).toMatch(/r=119;/);
    expect(logged.at(-1)).toMatchObject({ status: 200, trips: 1 });
  });

  test('answers 404 for an event that does not exist, and 400 for a wrong filter', async () => {
    const missing = { ...race, path: `/public/v1/events/${crypto.randomUUID()}` };
    await expectError(await ask('', {}, missing), 404, 'NOT_FOUND');
    await expectError(await ask('?status=GONE'), 400, 'VALIDATION_ERROR');
  });
});

describe('the ETag of an export', () => {
  const tagOf = async (of: Race, Accept = NDJSON) =>
    (await ask('', { Accept }, of)).headers.get('ETag') ?? '';

  test('answers 304 without a body while nothing changes, to GET and HEAD', async () => {
    const known = await tagOf(race);
    for (const method of ['GET', 'HEAD']) {
      const answer = await request(`${race.path}/results/export`, {
        method,
        headers: { ...withKey(race.key), Accept: NDJSON, 'If-None-Match': `W/${known}` },
      });
      expect({ method, status: answer.status, tag: answer.headers.get('ETag') }).toEqual({
        method,
        status: 304,
        tag: known,
      });
      expect(await answer.text()).toBe('');
    }
    const whole = await request(`${race.path}/results/export`, {
      method: 'HEAD',
      headers: { ...withKey(race.key), Accept: NDJSON },
    });
    expect([whole.status, whole.headers.get('ETag')]).toEqual([200, known]);
  });

  test('differs by type, filter and content', async () => {
    const of = await finished();
    const tags = [
      await tagOf(of),
      await tagOf(of, 'text/csv'),
      await tagOf(of, 'application/json'),
      (await ask('?gender=F', { Accept: NDJSON }, of)).headers.get('ETag'),
    ];
    await uploadRows(of, [{ bib_number: '1', chip_time: '49:59' }]);
    tags.push(await tagOf(of));
    // Concurrent tests of a run have a bib 1 too.
    await db
      .update(registrations)
      .set({ gender: 'X' })
      .where(and(eq(registrations.event_id, of.eventId), eq(registrations.bib_number, '1')));
    tags.push(await tagOf(of));
    expect(new Set(tags).size).toBe(tags.length);
  });
});

test('holds no turn after HEAD', async () => {
  const of = await finished();
  for (let times = 0; times < 5; times++) {
    const answer = await request(`${of.path}/results/export`, {
      method: 'HEAD',
      headers: withKey(of.key),
    });
    expect(answer.status).toBe(200);
  }
});

test('exports rows with a thousand long splits, a few rows in each piece', async () => {
  const long = await createRace({ bibs: ['1', '2', '3', '4', '5', '6'] });
  const names = Array.from({ length: 1_000 }, (_, at) => `${'x'.repeat(400)}${at}`);
  await uploadRows(
    long,
    ['1', '2', '3', '4', '5', '6'].map((bib_number) => ({ bib_number, time: '59:00' })),
  );
  // A file may store so much in a row; a row of JSON may not.
  const splits = Object.fromEntries(names.map((name) => [name, 1_200_000]));
  await db.update(results).set({ splits }).where(eq(results.event_id, long.eventId));
  const statement = exportResults({ eventId: long.eventId });
  const [{ rows: pieces }] = await transact(connect(testConfig.DATABASE_URL), [statement], {
    keyHash: hashApiKey(long.key),
    neededScope: 'events:read',
  });
  const sizes: number[] = [];
  for await (const { rows } of pieces) sizes.push(rows.length);
  expect(sizes).toEqual([3, 2, 1]);
});
