import { expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import {
  createEvent,
  createKey,
  createOrganization,
  createRace,
  createRegistrations,
} from '../../testing/factories.ts';
import { request, startApp, testConfig, withKey } from '../../testing/harness.ts';
import { createMember } from '../../testing/members.ts';
import { connect } from '../db/client.ts';
import { consoleLog } from '../log.ts';
import { createBoards } from './boards.ts';

test('hides a name from every view of a board that shows names, and shows it again', async () => {
  const organizationId = await createOrganization();
  const eventId = await createEvent(organizationId, {
    board_enabled: true,
    board_names: 'initials',
  });
  const seed = { distance: '10K', surnames: 'Ejemplo' };
  await createRegistrations(eventId, [
    { ...seed, bib_number: '1', given_names: 'Zenobia' },
    { ...seed, bib_number: '2', given_names: 'Bruno' },
  ]);
  // A single isolate, whose clock leaps: the isolate keeps the names.
  const database = connect(testConfig.DATABASE_URL);
  let hours = 0;
  const now = () => Date.now() + hours * 3_600_000;
  const boards = createBoards({ db: database, log: consoleLog, now });
  const { request } = startApp(testConfig, { boards });
  const key = await createKey(organizationId);
  const { headers } = await createMember(organizationId, 'admin');
  const ask = (method: string, bib = '') =>
    request(
      `/api/v1/organizations/${organizationId}/events/${eventId}/hidden-names${bib && `/${bib}`}`,
      { method, headers },
    );
  const listed = async () => (await (await ask('GET')).json<{ data: unknown[] }>()).data;
  await request(`/public/v1/events/${eventId}/results`, {
    method: 'POST',
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      results: [
        { bib_number: '1', time: '00:40:00' },
        { bib_number: '2', time: '00:41:00' },
      ],
    }),
  });

  const views = [
    'data',
    'results?distance=10K',
    'find?q=zenobia',
    'find?q=bruno',
    'bibs/1',
    'bibs/2',
  ];
  const viewsWith = async (name: string) => {
    hours += 1;
    const shown = views.map(async (view) => {
      const response = await request(`/board/${eventId}/${view}`);
      expect(response.status).toBe(200);
      return (await response.text()).includes(name);
    });
    const has = await Promise.all(shown);
    return views.filter((_, at) => has[at]);
  };
  const all = ['data', 'results?distance=10K'];
  expect(await viewsWith('Zenobia')).toEqual([...all, 'find?q=zenobia', 'bibs/1']);
  for (let twice = 0; twice < 2; twice += 1) {
    expect((await ask('PUT', '1')).status).toBe(204);
    expect(await listed()).toMatchObject([
      { bib_number: '1', given_names: 'Zenobia', surnames: 'Ejemplo' },
    ]);
  }
  expect(await viewsWith('Zenobia')).toEqual([]);
  expect(await viewsWith('Bruno')).toEqual([...all, 'find?q=bruno', 'bibs/2']);
  for (let twice = 0; twice < 2; twice += 1) {
    expect((await ask('DELETE', '1')).status).toBe(204);
    expect(await listed()).toEqual([]);
  }
  expect(await viewsWith('Zenobia')).toEqual([...all, 'find?q=zenobia', 'bibs/1']);
  for (const method of ['PUT', 'DELETE']) {
    await expectError(await ask(method, '99'), 404, 'NOT_FOUND');
  }
});

test('hides no runner of another event', async () => {
  const [own, otherRace] = await Promise.all([
    createRace({ bibs: ['1'] }),
    createRace({ bibs: ['1', '2'] }),
  ]);
  const { headers } = await createMember(own.organizationId, 'owner');
  const path = (eventId: string) =>
    `/api/v1/organizations/${own.organizationId}/events/${eventId}/hidden-names`;
  for (const target of [`${path(otherRace.eventId)}/1`, `${path(own.eventId)}/2`]) {
    await expectError(await request(target, { method: 'PUT', headers }), 404, 'NOT_FOUND');
  }
  expect((await request(`${path(own.eventId)}/1`, { method: 'PUT', headers })).status).toBe(204);
  const { headers: others } = await createMember(otherRace.organizationId, 'owner');
  for (const method of ['PUT', 'DELETE']) {
    const response = await request(`${path(own.eventId)}/1`, { method, headers: others });
    await expectError(response, 404, 'NOT_FOUND');
  }
  const listed = await request(path(own.eventId), { headers });
  expect(await listed.json()).toMatchObject({ data: [{ bib_number: '1' }] });
});
