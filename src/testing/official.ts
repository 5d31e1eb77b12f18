import { and, eq } from 'drizzle-orm';
import type { JSONWebKeySet } from 'jose';
import { registrations } from '../worker/db/schema.ts';
import type { OfficialResults } from '../worker/results/official/answer-schemas.ts';
import { createRace, db } from './factories.ts';
import { request, withKey } from './harness.ts';
import { panelOf } from './members.ts';
import { postJson, type Race, uploadRows } from './uploads.ts';

/** A race with its manager, who makes the results official. */
export async function createManaged(bibs: string[] = ['1', '2', '3']) {
  const race = await createRace({ bibs });
  const panel = await panelOf(race, { role: 'admin' });
  const { headers, userId } = panel;
  const panelPath = `${panel.path}/results`;
  const inPanel = (path: string, init?: RequestInit) => panel.ask(`/results${path}`, init);
  const ask = (path: string, init: RequestInit = {}) =>
    request(race.path + path, { ...init, headers: withKey(race.key) });
  const make = () => inPanel('/official', { method: 'POST' });
  const versions = async () =>
    (await (await ask('/results/official')).json<{ data: OfficialResults[] }>()).data;
  return {
    race,
    userId,
    panelPath,
    headers,
    inPanel,
    ask,
    make,
    made: async () => {
      const response = await make();
      if (response.status !== 201) throw new Error(await response.text());
      return response.json<OfficialResults>();
    },
    versions,
    /** The changes since the last version. The first look compares, and the second look answers the changes. */
    changes: async () => {
      await versions();
      return (await versions())[0]?.changes;
    },
    file: async (version: number) => textOf(await ask(`/results/official/${version}`)),
    state: async () => (await ask('/results/export')).headers.get('Results-State'),
  };
}

/** In workerd `text()` warns about a type without text. */
export const textOf = async (response: Response) =>
  new TextDecoder().decode(await response.arrayBuffer());

export const publicKeys = async () =>
  (await request('/.well-known/jwks.json')).json<JSONWebKeySet & { keys: object[] }>();

/** Stores two finishers, a DNF and a passing. */
export async function uploadThree(race: Race) {
  const of = (bib: string) =>
    and(eq(registrations.event_id, race.eventId), eq(registrations.bib_number, bib));
  const groups = { gender: 'F', category: 'Open "A"', distance: '21K' };
  await db.update(registrations).set(groups).where(of('1'));
  await db.update(registrations).set({ distance: '21K' }).where(of('3'));
  await uploadRows(race, [
    { bib_number: '3', chip_time: '58:00', splits: { 10: '20:00', 9: '18:00', ñ: '30:00' } },
    { bib_number: '1', chip_time: '1:00:00.5', gun_time: '1:00:10' },
    { bib_number: '2', status: 'DNF' },
  ]);
  const passings = [{ bib_number: '2', point: 'Km 5', time: '25:00' }];
  await postJson(race, JSON.stringify({ passings }), { to: '/passings' });
}
