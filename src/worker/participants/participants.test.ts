import { eq, inArray, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import {
  createEvent,
  createKey,
  createOrganization,
  createRace,
  createRegistrations,
  db,
  type RegistrationSeed,
} from '../../testing/factories.ts';
import { startApp, withKey } from '../../testing/harness.ts';
import { persons, registrations } from '../db/schema.ts';
import { Participant, type ParticipantLookup } from './answer-schemas.ts';

type Page<Item> = {
  data: Item[];
  meta: { page: number; page_size: number; total: number; total_pages: number };
};

const { request } = startApp();

async function get<Item>(key: string, path: string): Promise<Page<Item>> {
  const response = await request(path, { headers: withKey(key) });
  expect(response.status).toBe(200);
  return response.json<Page<Item>>();
}

async function createRaceOf(seeds: RegistrationSeed[]) {
  const race = await createRace();
  const ids = await createRegistrations(race.eventId, seeds);
  const list = (query = '') => get<Participant>(race.key, `${race.path}/participants${query}`);
  const lookup = (query: string) =>
    get<ParticipantLookup>(race.key, `${race.path}/participants/lookup?${query}`);
  return { ...race, ids, list, lookup };
}

const idsOf = ({ data }: Page<{ inscription_id: string }>) =>
  data.map(({ inscription_id }) => inscription_id);

/** Every documented field without a value. */
const EMPTY = Object.fromEntries(Object.keys(Participant.shape).map((name) => [name, null]));

const FILLED_IN = {
  given_names: 'Ana María',
  surnames: 'Ejemplo Ñandú',
  document: '12345678-K',
  email: 'ana@example.test',
  mobile_phone: '+00 000 111',
  gender: 'F',
  bib_number: '0042',
  chip: 'TX-9001',
  distance: '21K',
  category: 'F40',
  kit_status: 'READY',
} satisfies RegistrationSeed;

/** Another person than the registration says, to show where an answer came from. */
async function createPerson(): Promise<string> {
  const id = crypto.randomUUID();
  await db.insert(persons).values({
    id,
    given_names: 'Profile',
    surnames: 'Profile',
    document: 'PROFILE',
    email: 'profile@example.test',
    mobile_phone: 'PROFILE',
    gender: 'PROFILE',
  });
  return id;
}

const instant = (second: number) => new Date(Date.UTC(2031, 0, 1, 8, 0, second));

/** Five registrations in a second, between an earlier and a later registration, shuffled. */
function queueOf(bibs?: string) {
  const tied = Array.from({ length: 5 }, () => crypto.randomUUID());
  const [first, last] = [crypto.randomUUID(), crypto.randomUUID()];
  const seeds: RegistrationSeed[] = [
    { id: last, registered_at: instant(9) },
    ...tied.map((id) => ({ id, registered_at: instant(5) })),
    { id: first, registered_at: instant(1) },
  ];
  return {
    seeds: seeds.map((seed) => ({ ...seed, ...(bibs && { chip: bibs }) })),
    order: [first, ...tied.toSorted(), last],
  };
}

describe('listEventParticipants', () => {
  test('shows every documented field unmasked, and no other', async () => {
    const { list, ids } = await createRaceOf([{ ...FILLED_IN, person_id: await createPerson() }]);
    expect(await list()).toEqual({
      data: [
        {
          ...EMPTY,
          ...FILLED_IN,
          inscription_id: ids[0],
          status: 'PAID',
          registered_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ],
      meta: { page: 1, page_size: 20, total: 1, total_pages: 1 },
    });
  });

  test("shows null for an empty field, never the person's profile", async () => {
    const { list, ids } = await createRaceOf([{ person_id: await createPerson() }]);
    expect((await list()).data).toEqual([
      {
        ...EMPTY,
        inscription_id: ids[0],
        status: 'PAID',
        registered_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
  });

  test('lists paid registrations only', async () => {
    const { list, ids } = await createRaceOf([
      { status: 'PENDING', registered_at: instant(1) },
      { status: 'PAID', registered_at: instant(2) },
      { status: 'CANCELLED', registered_at: instant(3) },
      { status: 'PAID', registered_at: instant(4) },
    ]);
    const page = await list();
    expect(idsOf(page)).toEqual([ids[1], ids[3]]);
    expect(page.meta.total).toBe(2);
  });

  test('sorts by time of registration, then by id', async () => {
    const { seeds, order } = queueOf();
    const { list } = await createRaceOf(seeds);
    expect(idsOf(await list())).toEqual(order);
  });

  test('shows each participant on exactly one page', async () => {
    const { seeds, order } = queueOf();
    const { list } = await createRaceOf(seeds);
    const seen: string[] = [];
    for (const page of [1, 2, 3]) {
      const answer = await list(`?page=${page}&page_size=3`);
      expect(answer.meta).toEqual({ page, page_size: 3, total: 7, total_pages: 3 });
      seen.push(...idsOf(answer));
    }
    expect(seen).toEqual(order);
  });

  test('answers 20 participants by default and up to 100', async () => {
    const { list } = await createRaceOf(Array.from({ length: 101 }, () => ({})));
    const standard = await list();
    expect(standard.data).toHaveLength(20);
    expect(standard.meta).toEqual({ page: 1, page_size: 20, total: 101, total_pages: 6 });
    expect((await list('?page_size=100')).data).toHaveLength(100);
  });

  test('answers an empty page with the true total past the end', async () => {
    const { list } = await createRaceOf([{}, {}]);
    expect(await list('?page=9')).toEqual({
      data: [],
      meta: { page: 9, page_size: 20, total: 2, total_pages: 1 },
    });
  });

  test.each(['PENDING', 'READY', 'DELIVERED'] as const)(
    'shows the kit status %s',
    async (kit_status) => {
      const { list } = await createRaceOf([{ kit_status }]);
      expect((await list()).data).toMatchObject([{ kit_status }]);
    },
  );

  test('shows one event of one organization only', async () => {
    const { organizationId, list, ids } = await createRaceOf([{}]);
    const sibling = await createEvent(organizationId);
    const stranger = await createRace();
    for (const eventId of [sibling, stranger.eventId]) await createRegistrations(eventId, [{}]);
    expect(idsOf(await list())).toEqual(ids);
    expect(idsOf(await list(`?organization_id=${stranger.organizationId}`))).toEqual(ids);
  });
});

describe('listEventParticipants with `after`', () => {
  test('continues after a registration, page by page, and counts the rest', async () => {
    const { seeds, order } = queueOf();
    const { list } = await createRaceOf(seeds);
    for (const [at, id] of order.entries()) {
      const page = await list(`?after=${id}`);
      expect(idsOf(page)).toEqual(order.slice(at + 1));
      expect(page.meta.total).toBe(order.length - at - 1);
    }
    expect(await list(`?after=${order[1]}&page_size=2`)).toMatchObject({
      data: order.slice(2, 4).map((inscription_id) => ({ inscription_id })),
      meta: { page: 1, page_size: 2, total: 5, total_pages: 3 },
    });
    const third = await list(`?after=${order[1]}&page=3&page_size=2`);
    expect(idsOf(third)).toEqual(order.slice(6));
    expect(third.meta).toEqual({ page: 3, page_size: 2, total: 5, total_pages: 3 });
  });

  test('skips nobody if others cancel between two pages', async () => {
    const { seeds, order } = queueOf();
    const { list } = await createRaceOf(seeds);
    const cancel = (...ids: string[]) =>
      db.update(registrations).set({ status: 'CANCELLED' }).where(inArray(registrations.id, ids));
    const first = idsOf(await list('?page_size=3'));
    // The next page starts after a cancelled registration.
    await cancel(...first);
    const second = idsOf(await list(`?page_size=3&after=${first.at(-1)}`));
    const third = idsOf(await list(`?page_size=3&after=${second.at(-1)}`));
    expect([...first, ...second, ...third]).toEqual(order);
  });

  test.each(['PENDING', 'CANCELLED'] as const)(
    'continues after a registration that is %s',
    async (status) => {
      const { list, ids } = await createRaceOf([
        { registered_at: instant(1) },
        { registered_at: instant(2), status },
        { registered_at: instant(3) },
      ]);
      expect(idsOf(await list(`?after=${ids[1]}`))).toEqual([ids[2]]);
    },
  );

  test('separates registrations within one millisecond', async () => {
    const { eventId, list, ids } = await createRaceOf([{}, {}, {}]);
    for (const [at, id] of ids.entries()) {
      await db
        .update(registrations)
        .set({
          registered_at: sql`timestamptz '2031-01-01T08:00:00.0001Z' + ${at} * interval '1 us'`,
        })
        .where(eq(registrations.id, id));
    }
    expect(await db.$count(registrations, eq(registrations.event_id, eventId))).toBe(3);
    expect(idsOf(await list(`?after=${ids[0]}`))).toEqual([ids[1], ids[2]]);
    expect(idsOf(await list(`?after=${ids[1]}`))).toEqual([ids[2]]);
  });

  test('answers 404 after a deleted registration or one of another event', async () => {
    const { organizationId, path, key, ids } = await createRaceOf([{}, {}]);
    const [deleted = ''] = ids;
    await db.delete(registrations).where(eq(registrations.id, deleted));
    const [ofSibling = ''] = await createRegistrations(await createEvent(organizationId), [{}]);
    const [ofStranger = ''] = await createRegistrations((await createRace()).eventId, [{}]);
    for (const id of [deleted, ofSibling, ofStranger, crypto.randomUUID()]) {
      const response = await request(`${path}/participants?after=${id}`, {
        headers: withKey(key),
      });
      const detail = await expectError(response, 404, 'NOT_FOUND');
      expect(detail).toContain('after: this event has no such registration. If it was deleted');
    }
  });

  test.each(['', 'x', '17', `${crypto.randomUUID()}0`, `${crypto.randomUUID()}&after=1`])(
    'refuses after=%s',
    async (after) => {
      const { key, path } = await createRace();
      const response = await request(`${path}/participants?after=${after}`, {
        headers: withKey(key),
      });
      const detail = await expectError(response, 400, 'VALIDATION_ERROR');
      expect(detail).toMatch(/^after: expected the inscription_id of a registration of this event/);
    },
  );

  test('answers 404 for an unknown event', async () => {
    const { key, ids } = await createRaceOf([{}]);
    const path = `/public/v1/events/${crypto.randomUUID()}/participants?after=${ids[0]}`;
    const detail = await expectError(
      await request(path, { headers: withKey(key) }),
      404,
      'NOT_FOUND',
    );
    expect(detail).toContain('This event');
  });

  test('takes one trip', async () => {
    const { path, key, ids } = await createRaceOf([{}, {}]);
    const { request: ask, logged } = startApp();
    await ask(`${path}/participants?after=${ids[0]}`, { headers: withKey(key) });
    expect(logged).toMatchObject([{ status: 200, trips: 1 }]);
  });
});

describe('lookupEventParticipants', () => {
  test('shows every documented field, the document masked, and no other', async () => {
    const { lookup, ids } = await createRaceOf([
      { ...FILLED_IN, person_id: await createPerson() },
      { bib_number: '42' },
    ]);
    expect(await lookup('bib=0042')).toEqual({
      data: [
        {
          inscription_id: ids[0],
          bib_number: '0042',
          chip: 'TX-9001',
          full_name: 'Ana María Ejemplo Ñandú',
          gender: 'F',
          category: 'F40',
          distance: '21K',
          kit_status: 'READY',
          document: '******78-K',
        },
      ],
      meta: { page: 1, page_size: 20, total: 1, total_pages: 1 },
    });
  });

  test("shows null for an empty field, never the person's profile", async () => {
    const { lookup, ids } = await createRaceOf([
      { bib_number: '7', person_id: await createPerson() },
    ]);
    expect((await lookup('bib=7')).data).toEqual([
      {
        inscription_id: ids[0],
        bib_number: '7',
        chip: null,
        full_name: null,
        gender: null,
        category: null,
        distance: null,
        kit_status: null,
        document: null,
      },
    ]);
  });

  test.each([
    [{ given_names: 'Ana', surnames: null }, 'Ana'],
    [{ given_names: null, surnames: 'Ejemplo' }, 'Ejemplo'],
    [{ given_names: '', surnames: '' }, null],
    [{ given_names: 'Ana', surnames: '' }, 'Ana'],
  ])('joins the names of %o', async (names, full_name) => {
    const { lookup } = await createRaceOf([{ bib_number: '7', ...names }]);
    expect((await lookup('bib=7')).data).toMatchObject([{ full_name }]);
  });

  test.each([
    ['12345678', '****5678'],
    ['123456789', '*****6789'],
    ['1234567', '****567'],
    ['12345', '***45'],
    ['1234', '**34'],
    ['123', '**3'],
    ['12', '*2'],
    ['1', '*'],
    ['X1234567L', '*****567L'],
    ['ÑÑÑÑÑÑÑÑ', '****ÑÑÑÑ'],
  ])('masks the document %s as %s', async (document, masked) => {
    const { lookup } = await createRaceOf([{ document }]);
    const { data } = await lookup(`document=${encodeURIComponent(document)}`);
    expect(data.map((found) => found.document)).toEqual([masked]);
  });

  test.each(['bib=41', 'chip=TX-9', 'document=12345678'])('finds by %s', async (query) => {
    const { lookup, ids } = await createRaceOf([
      { bib_number: '41', chip: 'TX-9', document: '12345678' },
      { bib_number: '410', chip: 'TX-90', document: '123456789' },
      { bib_number: '4', chip: 'TX', document: '1234567' },
      { bib_number: '041', chip: 'tx-9', document: '012345678' },
      {},
    ]);
    expect(idsOf(await lookup(query))).toEqual([ids[0]]);
  });

  test.each([
    'bib=A7%25',
    'bib=A_9',
    'bib=a79',
    'document=5678',
    'document=****5678',
    `bib=${encodeURIComponent("' or '1'='1")}`,
  ])('finds nothing by a similar value (%s)', async (query) => {
    const { lookup } = await createRaceOf([{ bib_number: 'A79', document: '12345678' }]);
    expect(await lookup(query)).toEqual({
      data: [],
      meta: { page: 1, page_size: 20, total: 0, total_pages: 0 },
    });
  });

  test('combines filters with AND', async () => {
    const { lookup, ids } = await createRaceOf([
      { bib_number: '1', chip: 'C1', document: 'D1' },
      { bib_number: '2', chip: 'C1', document: 'D1', registered_at: new Date(0) },
      { bib_number: '3', chip: 'C3', document: 'D1', registered_at: new Date(1) },
    ]);
    const idsFor = async (query: string) => idsOf(await lookup(query));
    expect(await idsFor('document=D1')).toEqual([ids[1], ids[2], ids[0]]);
    expect(await idsFor('document=D1&chip=C1')).toEqual([ids[1], ids[0]]);
    expect(await idsFor('document=D1&chip=C1&bib=1')).toEqual([ids[0]]);
    expect(await idsFor('bib=1&chip=C3')).toEqual([]);
    expect(await idsFor('bib=3&document=D2')).toEqual([]);
  });

  test('trims values and ignores blank ones', async () => {
    const { lookup, ids } = await createRaceOf([{ bib_number: '1', chip: 'C 1' }, { chip: '' }]);
    for (const query of [
      'bib=%20%091%20',
      'bib=+1+',
      'bib=1&chip=&document=%20',
      'chip=%20C+1%20',
    ]) {
      expect(idsOf(await lookup(query))).toEqual([ids[0]]);
    }
  });

  test('finds registrations in every state except cancelled', async () => {
    const { lookup, ids } = await createRaceOf([
      { document: 'D1', status: 'PENDING', registered_at: instant(1) },
      { document: 'D1', status: 'CANCELLED', registered_at: instant(2) },
      { document: 'D1', status: 'PAID', registered_at: instant(3) },
    ]);
    const page = await lookup('document=D1');
    expect(idsOf(page)).toEqual([ids[0], ids[2]]);
    expect(page.meta.total).toBe(2);
  });

  test('sorts by time of registration, then by id, across pages', async () => {
    const { seeds, order } = queueOf('C1');
    const { lookup } = await createRaceOf([...seeds, {}]);
    expect(idsOf(await lookup('chip=C1'))).toEqual(order);
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const answer = await lookup(`chip=C1&page=${page}&page_size=2`);
      expect(answer.meta).toEqual({ page, page_size: 2, total: 7, total_pages: 4 });
      seen.push(...idsOf(answer));
    }
    expect(seen).toEqual(order);
  });

  test('shows one event of one organization only', async () => {
    const { organizationId, lookup, ids } = await createRaceOf([{ document: 'D1' }]);
    const sibling = await createEvent(organizationId);
    const stranger = await createRace();
    for (const eventId of [sibling, stranger.eventId]) {
      await createRegistrations(eventId, [{ document: 'D1' }]);
    }
    expect(idsOf(await lookup('document=D1'))).toEqual(ids);
  });

  test.each(['', '?bib=', '?bib=&chip=%20&document=%09', '?Bib=1', '?page=2', '?name=Ana'])(
    'requires bib, chip or document (%s)',
    async (query) => {
      const { key, path } = await createRace({ bibs: ['1'] });
      const response = await request(`${path}/participants/lookup${query}`, {
        headers: withKey(key),
      });
      const detail = await expectError(response, 400, 'VALIDATION_ERROR');
      expect(detail).toContain('bib, chip and document');
    },
  );

  test.each(['bib', 'chip', 'document'])('refuses %s sent twice', async (name) => {
    const { key, path } = await createRace();
    const query = `${name}=1&${name}=2`;
    const response = await request(`${path}/participants/lookup?${query}`, {
      headers: withKey(key),
    });
    expect(await expectError(response, 400, 'VALIDATION_ERROR')).toContain(`${name}: `);
  });
});

describe.each(['participants?', 'participants/lookup?bib=1&'])('%s', (list) => {
  test.each([
    ['page', 'page=0'],
    ['page', 'page=-1'],
    ['page', 'page=1.5'],
    ['page', 'page=1&page=2'],
    ['page', 'page=1000000000000000'],
    ['page_size', 'page_size=0'],
    ['page_size', 'page_size=101'],
    ['page_size', 'page_size=ten'],
  ])('refuses an invalid %s (%s)', async (name, query) => {
    const organizationId = await createOrganization();
    const key = await createKey(organizationId);
    const path = `/public/v1/events/${await createEvent(organizationId)}/${list}${query}`;
    const response = await request(path, { headers: withKey(key) });
    const detail = await expectError(response, 400, 'VALIDATION_ERROR');
    const largest = name === 'page' ? 999_999_999_999_999 : 100;
    expect(detail).toContain(`${name}: expected a whole number from 1 to ${largest}, not`);
  });

  test.each(['page=&page_size=', 'page=%201&page_size=20%20', 'page=%20'])(
    'reads a blank number as absent, and a number without its blanks (%s)',
    async (query) => {
      const organizationId = await createOrganization();
      const key = await createKey(organizationId);
      const path = `/public/v1/events/${await createEvent(organizationId)}/${list}${query}`;
      const response = await request(path, { headers: withKey(key) });
      const { meta } = await response.json<{ meta: object }>();
      expect(meta).toMatchObject({ page: 1, page_size: 20 });
    },
  );
});
