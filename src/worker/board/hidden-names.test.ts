import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  createEvent,
  createKey,
  createOrganization,
  createRegistrations,
  db,
} from '../../testing/factories.ts';
import { startApp, testConfig, withKey } from '../../testing/harness.ts';
import { connect } from '../db/client.ts';
import { boardHiddenNames } from '../db/schema.ts';
import { createBoards, loadFromDatabase } from './boards.ts';

test('hides a name from every view of a board that shows names, and shows it again', async () => {
  const organizationId = await createOrganization();
  const eventId = await createEvent(organizationId, {
    board_enabled: true,
    board_shows_names: true,
  });
  const seed = { distance: '10K', surnames: 'Ejemplo' };
  const [hidden = ''] = await createRegistrations(eventId, [
    { ...seed, bib_number: '1', given_names: 'Zenobia' },
    { ...seed, bib_number: '2', given_names: 'Bruno' },
  ]);
  // One isolate, whose clock leaps: it keeps the names that it has looked up.
  const database = connect(testConfig.DATABASE_URL);
  let hours = 0;
  const now = () => Date.now() + hours * 3_600_000;
  const load = loadFromDatabase(database, now);
  const boards = createBoards({ db: database, load, now });
  const { request } = startApp(testConfig, { boards });
  const key = await createKey(organizationId);
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

  const views = ['data', 'results?distance=10K', 'bibs/1', 'bibs/2'];
  const viewsWith = async (name: string) => {
    hours += 1;
    const found = views.map(async (view) => {
      const response = await request(`/board/${eventId}/${view}`);
      expect(response.status).toBe(200);
      return (await response.text()).includes(name);
    });
    const has = await Promise.all(found);
    return views.filter((_, at) => has[at]);
  };
  const all = ['data', 'results?distance=10K'];
  expect(await viewsWith('Zenobia')).toEqual([...all, 'bibs/1']);
  await db.insert(boardHiddenNames).values({ registration_id: hidden });
  expect(await viewsWith('Zenobia')).toEqual([]);
  expect(await viewsWith('Bruno')).toEqual([...all, 'bibs/2']);
  await db.delete(boardHiddenNames).where(sql`registration_id = ${hidden}`);
  expect(await viewsWith('Zenobia')).toEqual([...all, 'bibs/1']);
});
