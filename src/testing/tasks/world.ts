import { drizzle } from 'drizzle-orm/node-postgres';
import { insertKey } from '../../dev/stack/seed.ts';
import type { DevServer, Session } from '../runtime/dev-server.ts';

export type Phase = 'before' | 'during' | 'after';

/** A race for a single task, in the state of a phase. */
export type World = {
  session: Session;
  eventId: string;
  /** The panel's address with the session inside. */
  panel: string;
  board: string;
  shortAddress: string;
  /** Sends a request of the organizer, who did something before the task. */
  asOwner(method: 'PATCH' | 'PUT', path: string, body: object): Promise<string>;
};

export const RACE = 'Carrera de la Costa';

/** Before the race nobody has started, and after 70 minutes half of the runners are on the course. */
const AGE_SECONDS: Readonly<Record<Phase, number>> = {
  before: -20 * 3_600,
  during: 70 * 60,
  after: 20 * 3_600,
};

const FIRST_BIB = 1_001;

/** The bibs of a distance follow each other, and its runners arrive in the order of their bibs. */
const DISTANCES = [
  { name: '21K', runners: 800, firstMs: 4_020_000, nextMs: 7_000, points: [5, 10, 15] },
  { name: '10K', runners: 800, firstMs: 1_990_120, nextMs: 4_500, points: [5] },
  { name: '2K', runners: 400, firstMs: 420_000, nextMs: 2_000, points: [] },
];

const RUNNERS = DISTANCES.flatMap(({ runners, firstMs, nextMs, points, ...distance }) =>
  Array.from({ length: runners }, (_, at) => ({
    distance: distance.name,
    at,
    // The first two of 10K arrive within a second.
    chipMs: at === 1 && distance.name === '10K' ? firstMs + 280 : firstMs + at * nextMs,
    points,
  })),
).map((runner, at) => ({ ...runner, bib: String(FIRST_BIB + at) }));

const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23);

/**
 * Makes an organization with a race of 2 000 runners: bibs 1001 to 1800 run 21K, 1801 to 2600 run 10K, and the
 * children 2601 to 3000 run 2K. Odd bibs are women. Bib 3001 has not paid, 3002 is cancelled, 3003 lacks the distance,
 * 3004 the category, 3005 the gender, and one runner has no bib.
 */
export async function makeWorld(served: DevServer, phase: Phase): Promise<World> {
  const session = await served.newOrganization();
  const eventId = crypto.randomUUID();
  await served.pool.query(
    `with event as (
       insert into events (id, organization_id, name, event_date, city, time_zone)
       values ($1, $2, $3, date_trunc('minute', now() - $4 * interval '1 second'), 'Puerto Ejemplo', 'America/Lima')
     ),
     past as (
       insert into events (organization_id, name, event_date, city)
       values ($2, 'Subida al Cerro', now() - interval '40 days', 'Villa Muestra')
     ),
     runner as (
       insert into persons (id) select gen_random_uuid() from generate_series(1, 2006) returning id
     )
     insert into registrations
       (event_id, person_id, status, bib_number, given_names, surnames, gender, category, distance)
     select $1, id, case n when 2000 then 'PENDING' when 2001 then 'CANCELLED' else 'PAID' end,
       case when n < 2005 then (1001 + n)::text end,
       (array['Ana', 'Bruno', 'Carla', 'Diego', 'Elena María', 'Félix', 'Gloria', 'Hugo', 'Inés', 'Julio'])[1 + n % 10],
       (array['Arce', 'Bravo', 'Campos', 'Durán', 'Espino', 'Flores', 'Garzón'])[1 + (n / 3) % 7] || ' ' ||
         (array['Muestra', 'Prueba', 'Ejemplo', 'Zamora', 'Núñez', 'Ortiz', 'Peña', 'Quiroz', 'Rey'])[1 + n % 9],
       case when n <> 2004 then (array['F', 'M'])[1 + n % 2] end,
       case when n between 1600 and 1999 then 'Under 12' when n <> 2003
         then (array['18-29', '30-39', '40-49', '50-59', '60-99'])[1 + (n / 2) % 5] end,
       case when n < 800 then '21K' when n between 1600 and 1999 then '2K' when n <> 2002 then '10K' end
     from (select id, (row_number() over ())::int - 1 as n from runner) runner`,
    [eventId, session.organizationId, RACE, AGE_SECONDS[phase]],
  );
  const key = await insertKey(drizzle(served.pool), session.organizationId);
  const send = async (method: string, address: string, headers: object, body: object) => {
    const answer = await fetch(`${served.origin}${address}`, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${text}`);
    return text;
  };
  const asOwner: World['asOwner'] = (method, path, body) =>
    send(
      method,
      `/api/v1/organizations/${session.organizationId}/events/${eventId}${path}`,
      { Authorization: `Bearer ${session.token}` },
      body,
    );
  const asCrew = (path: string, body: object) =>
    send('POST', `/public/v1/events/${eventId}${path}`, { 'X-API-Key': key }, body);
  const switched = await asOwner('PATCH', '/board', {
    board_enabled: true,
    board_names: phase === 'before' ? 'full' : 'initials',
  });
  const startMs = Math.floor((Date.now() - AGE_SECONDS[phase] * 1_000) / 60_000) * 60_000;
  await asOwner('PUT', '/starts', {
    version: 0,
    starts: [{ name: 'Everybody', starts_at: new Date(startMs).toISOString() }],
  });
  await asOwner('PUT', '/points', {
    version: 0,
    points: DISTANCES.flatMap(({ name, points }) =>
      points.map((km, at) => ({ name: `Km ${km}`, distance: name, order: at + 1, km })),
    ),
  });
  if (phase !== 'before') {
    const elapsedMs = AGE_SECONDS[phase] * 1_000;
    await asCrew('/passings', { passings: passingsUntil(elapsedMs) });
    await asCrew('/results', { results: resultsUntil(elapsedMs, phase) });
  }
  const { board_code: code } = JSON.parse(switched);
  return {
    session,
    eventId,
    panel: served.linkOf(session),
    board: `${served.origin}/board/${eventId}`,
    shortAddress: `${served.origin}/b/${code}`,
    asOwner,
  };
}

/** Of 50 runners of a distance, one does not start and one stops after Km 5. */
const starts = ({ at }: { at: number }) => at % 50 !== 24;
const stops = ({ at }: { at: number }) => at % 50 === 49;

const passingsUntil = (elapsedMs: number) =>
  RUNNERS.filter(starts).flatMap((runner) =>
    runner.points
      .filter((km) => km === 5 || !stops(runner))
      .map((km) => ({ km, ms: (runner.chipMs * km) / (runner.distance === '21K' ? 21.1 : 10) }))
      .filter(({ ms }) => ms < elapsedMs)
      .map(({ km, ms }) => ({ bib_number: runner.bib, point: `Km ${km}`, time: clock(ms) })),
  );

/** Bib 1841 is disqualified. After the race the runners who did not start have this status. */
const resultsUntil = (elapsedMs: number, phase: Phase): object[] =>
  RUNNERS.filter((runner) => !stops(runner) && runner.chipMs < elapsedMs).flatMap(
    (runner): object[] => {
      const { bib, chipMs } = runner;
      if (!starts(runner)) return phase === 'after' ? [{ bib_number: bib, status: 'DNS' }] : [];
      if (bib === '1841') return [{ bib_number: bib, status: 'DSQ' }];
      const gunMs = chipMs + (Number(bib) % 30) * 1_000;
      return [{ bib_number: bib, chip_time: clock(chipMs), gun_time: clock(gunMs) }];
    },
  );
