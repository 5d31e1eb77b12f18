import { expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import {
  createEvent,
  createKey,
  createOrganization,
  createRegistrations,
} from '../../testing/factories.ts';
import { startApp, testConfig } from '../../testing/harness.ts';
import { panelOf } from '../../testing/members.ts';
import { uploadRows } from '../../testing/uploads.ts';
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
  const race = { organizationId, eventId };
  const panel = await panelOf(race, { role: 'admin', send: request });
  const ask = (method: string, bib = '') =>
    panel.ask(`/hidden-names${bib && `/${bib}`}`, { method });
  const listed = async () => (await (await ask('GET')).json<{ data: unknown[] }>()).data;
  await uploadRows({ ...race, key, path: `/public/v1/events/${eventId}` }, [
    { bib_number: '1', time: '00:40:00' },
    { bib_number: '2', time: '00:41:00' },
  ]);

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
