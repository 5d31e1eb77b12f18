import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import {
  createEvent,
  createOrganization,
  createRace,
  createRegistrations,
  db,
} from '../../testing/factories.ts';
import { startApp } from '../../testing/harness.ts';
import { createMember } from '../../testing/members.ts';
import { uploadCsv, uploadRows } from '../../testing/uploads.ts';
import { eventSettings } from '../db/schema.ts';
import { PANEL_BODY_MAX } from '../http/json-body.ts';
import type { OrganizationEvent } from './panel-answer-schemas.ts';

const { request } = startApp();

/** An organization with an event, and the headers of its owner. */
async function createOrganizer() {
  const organizationId = await createOrganization();
  const eventId = await createEvent(organizationId, { name: 'Harbour Half' });
  const { headers } = await createMember(organizationId);
  return { organizationId, eventId, headers, path: `/api/v1/organizations/${organizationId}` };
}

type Organizer = Awaited<ReturnType<typeof createOrganizer>>;

const send = (
  { path, eventId, headers }: Organizer,
  body: string,
  { of = eventId, type = 'application/json' } = {},
) =>
  request(`${path}/events/${of}/board`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': type },
    body,
  });

async function switched(organizer: Organizer, switches: object) {
  const response = await send(organizer, JSON.stringify(switches));
  expect(response.status).toBe(200);
  const { board_enabled, board_names } = await response.json<OrganizationEvent>();
  return [board_enabled, board_names];
}

/** Asks a new isolate, because an isolate serves a ranking for some seconds. */
const boardStatus = async ({ eventId }: Organizer) =>
  (await startApp().request(`/board/${eventId}/data`)).status;

test('getOrganization shows the id and the name', async () => {
  const organizationId = await createOrganization({ name: 'Harbour Runners' });
  const { headers } = await createMember(organizationId, 'admin');
  const response = await request(`/api/v1/organizations/${organizationId}`, { headers });
  expect(await response.json()).toEqual({ id: organizationId, name: 'Harbour Runners' });
});

describe('listOrganizationEvents', () => {
  test('shows the events with their switches, latest date first', async () => {
    const { organizationId, path, headers } = await createOrganizer();
    await createOrganizer();
    const event_date = new Date('2031-05-04T07:30:00.250Z');
    const id = await createEvent(organizationId, {
      event_date,
      name: 'Later',
      city: 'San Ejemplo',
      time_zone: 'America/Lima',
      board_names: 'initials',
    });
    const response = await request(`${path}/events?page_size=1`, { headers });
    expect(await response.json()).toEqual({
      data: [
        {
          id,
          name: 'Later',
          city: 'San Ejemplo',
          event_date: '2031-05-04T07:30:00.250Z',
          first_start_at: null,
          status: 'open',
          time_zone: 'America/Lima',
          board_enabled: false,
          board_names: 'initials',
          board_code: null,
          paid_inscriptions: 0,
          total_results: 0,
          ranking_rule: 'chip',
          prizes: 'all',
          latest_batch: null,
          latest_change_at: null,
        },
      ],
      meta: { page: 1, page_size: 1, total: 2, total_pages: 2 },
    });
    const rest = await request(`${path}/events?page_size=1&page=2`, { headers });
    expect(await rest.json()).toMatchObject({ data: [{ name: 'Harbour Half' }] });
  });
});

test('listOrganizationEvents counts paid registrations and results and shows the latest batch', async () => {
  const race = await createRace({ bibs: ['1', '2', '3'] });
  await createRace({ bibs: ['1'] });
  await createRegistrations(race.eventId, [{ bib_number: '4', status: 'PENDING' }]);
  const { headers } = await createMember(race.organizationId);
  await uploadRows(race, [{ bib_number: '1', time: '1:00:00' }]);
  await uploadCsv(race, 'bib,time\n2,1:00:00\n4,1:10:00\n9,1:20:00\n');
  const response = await request(`/api/v1/organizations/${race.organizationId}/events`, {
    headers,
  });
  expect(await response.json()).toMatchObject({
    data: [
      {
        id: race.eventId,
        paid_inscriptions: 3,
        total_results: 3,
        latest_batch: {
          source: 'csv',
          user_id: null,
          total_processed: 3,
          received_at: expect.any(String),
        },
      },
    ],
  });
});

test('getOrganizationEvent answers an item of the list', async () => {
  const { path, headers, eventId } = await createOrganizer();
  const list = await request(`${path}/events`, { headers });
  const { data } = await list.json<{ data: OrganizationEvent[] }>();
  const one = await request(`${path}/events/${eventId}`, { headers });
  expect(await one.json()).toEqual(data[0]);
});

describe('updateEventBoard', () => {
  test('changes the settings that are sent and keeps the others', async () => {
    const organizer = await createOrganizer();
    expect(await switched(organizer, { board_enabled: true })).toEqual([true, 'none']);
    expect(await switched(organizer, { board_names: 'initials' })).toEqual([true, 'initials']);
    expect(await switched(organizer, { board_enabled: false, board_names: 'none' })).toEqual([
      false,
      'none',
    ]);
    const [row] = await db
      .select()
      .from(eventSettings)
      .where(eq(eventSettings.event_id, organizer.eventId));
    expect(row).toMatchObject({ board_enabled: false, ranking_rule: 'chip', prizes: 'all' });
  });

  test('records the true value before, of each of two first changes at once', async () => {
    const organizer = await createOrganizer();
    await Promise.all([
      switched(organizer, { board_enabled: true }),
      switched(organizer, { board_names: 'initials' }),
      switched(organizer, { board_enabled: true }),
    ]);
    const { rows } = await db.execute(sql`select kind, before, after from event_changes
      where event_id = ${organizer.eventId} order by kind`);
    expect(rows).toEqual([
      { kind: 'board_enabled', before: 'false', after: 'true' },
      { kind: 'board_names', before: 'none', after: 'initials' },
    ]);
  });

  test('opens and closes the board', async () => {
    const organizer = await createOrganizer();
    expect(await boardStatus(organizer)).toBe(404);
    await switched(organizer, { board_enabled: true });
    expect(await boardStatus(organizer)).toBe(200);
    await switched(organizer, { board_enabled: false });
    expect(await boardStatus(organizer)).toBe(404);
  });

  test.each(['"yes"', '1', 'null', '[]', '{}'])('refuses %s as a setting', async (value) => {
    const organizer = await createOrganizer();
    for (const [name, accepted] of [
      ['board_enabled', 'true or false'],
      ['board_names', 'one of none, initials, full'],
    ]) {
      const response = await send(organizer, `{"${name}": ${value}}`);
      const detail = await expectError(response, 400, 'VALIDATION_ERROR');
      expect(detail).toBe(
        `${name}: expected ${accepted}, not ${JSON.stringify(JSON.parse(value))}.`,
      );
    }
    expect(await boardStatus(organizer)).toBe(404);
  });

  test('refuses a body that is no JSON object, has another type or is too large', async () => {
    const organizer = await createOrganizer();
    for (const body of ['', '{', 'true', '[{"board_enabled": true}]']) {
      await expectError(await send(organizer, body), 400, 'VALIDATION_ERROR');
    }
    const text = await send(organizer, '{"board_enabled": true}', { type: 'text/plain' });
    await expectError(text, 400, 'VALIDATION_ERROR');
    const padded = await send(organizer, '{"board_enabled": true}'.padEnd(PANEL_BODY_MAX + 1));
    await expectError(padded, 413, 'VALIDATION_ERROR');
    expect(await boardStatus(organizer)).toBe(404);
  });
});
