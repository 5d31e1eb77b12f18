import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import {
  createEvent,
  createOrganization,
  createRace,
  createRegistrations,
  db,
} from '../../testing/factories.ts';
import { startApp, withKey } from '../../testing/harness.ts';

const { request } = startApp();

/** All characters that `trim` removes. */
const BLANKS = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => character.trim() === '',
);

test('refuses a bib with a blank around it', async () => {
  const { eventId } = await createRace();
  expect(BLANKS.length).toBeGreaterThan(20);
  for (const blank of BLANKS) {
    for (const bib_number of [`${blank}17`, `17${blank}`, blank]) {
      await expect(createRegistrations(eventId, [{ bib_number }])).rejects.toThrow();
    }
  }
  await createRegistrations(eventId, [{ bib_number: '1 7' }]);
});

test('finds a chip and a document stored with blanks around them', async () => {
  const { eventId, path, key } = await createRace();
  await createRegistrations(
    eventId,
    BLANKS.map((blank, index) => ({ chip: `${blank}C ${index}`, document: `D${index}${blank}` })),
  );
  for (const index of BLANKS.keys()) {
    for (const query of [`chip=C+${index}`, `document=D${index}`]) {
      const response = await request(`${path}/participants/lookup?${query}`, {
        headers: withKey(key),
      });
      const { meta } = await response.json<{ meta: { total: number } }>();
      expect([query, meta.total]).toEqual([query, 1]);
    }
  }
});

describe('a date of an event', () => {
  const DATES = ['event_date', 'registration_opens_at', 'registration_closes_at'];
  const IMPOSSIBLE = [
    'infinity',
    '-infinity',
    '0001-12-31 23:59:59+00 BC',
    '10000-01-01 00:00:00+00',
  ];

  test.each(DATES)(
    'is refused unless it is finite and in the years 1 to 9999 (%s)',
    async (column) => {
      const eventId = await createEvent(await createOrganization());
      const set = (value: string) =>
        db.execute(
          sql`update events set ${sql.identifier(column)} = ${value}::timestamptz where id = ${eventId}`,
        );
      for (const value of IMPOSSIBLE) await expect(set(value)).rejects.toThrow();
      await set('9999-12-31 23:59:59.999+00');
      await set('0001-01-01 00:00:00+00');
    },
  );

  test.each(['0001-01-01T00:00:00.000Z', '0050-03-01T10:20:30.400Z', '9999-12-31T23:59:59.999Z'])(
    'is shown with a year of four digits (%s)',
    async (event_date) => {
      const { organizationId, key } = await createRace();
      const id = await createEvent(organizationId, { event_date: new Date(event_date) });
      const response = await request(`/public/v1/events/${id}`, { headers: withKey(key) });
      expect(await response.json()).toMatchObject({ event_date });
    },
  );
});

test('has an index for every foreign key that a deletion follows', async () => {
  const { rows } = await db.execute<{ key: string }>(sql`
    select conname as key from pg_constraint foreign_key
    where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
      select from pg_index
      join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where indrelid = conrelid
        -- A foreign key with a null refers to nothing.
        and coalesce(pg_get_expr(indpred, indrelid) = format('(%I IS NOT NULL)', attname), true)
        and (
          (indkey::int2[])[0 : cardinality(conkey) - 1] @> conkey
          -- The id of a registration finds its few rows alone.
          or exists (
            select from pg_attribute first_column
            where first_column.attrelid = conrelid and first_column.attnum = indkey[0] and first_column.attname = 'registration_id'
              and first_column.attnum = any(conkey)
          )
        )
    )`);
  expect(rows).toEqual([]);
});

test('has triggers on the history of keys alone', async () => {
  const { rows } = await db.execute(sql`
    select distinct relname from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = 'public'::regnamespace`);
  expect(rows).toEqual([{ relname: 'api_key_events' }]);
});

// Postgres refuses a row whose indexed values are longer than 2.7 kB. Constraints bound these.
test('indexes texts that the Worker writes only if they are short', async () => {
  const { rows } = await db.execute<{ written: string }>(sql`
    select distinct format('%s.%s', relname, attname) as written
    from pg_index join pg_class on pg_class.oid = indrelid
      join pg_attribute on attrelid = indrelid and atttypid = 'text'::regtype
    where relnamespace = 'public'::regnamespace
      and has_column_privilege('race_results_api', attrelid, attnum, 'insert, update')
      and (attnum = any(indkey) or pg_get_expr(indexprs, indrelid) like '%' || attname || '%')
    order by written`);
  expect(rows.map(({ written }) => written)).toEqual([
    'api_keys.key_hash',
    'event_settings.board_code',
    'passings.point',
  ]);
});
