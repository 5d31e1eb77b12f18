import { expect, test } from 'vitest';
import { gunAt } from '../site/board/public/board/starts.ts';
import { comingTo } from '../site/panel/public/panel/on-course/coming.ts';
import { RaceClock } from '../timing-files/read/race-clock.ts';
import { formatRaceTime } from '../timing-files/read/race-time.ts';
import { startOf } from '../timing-files/read/starts.ts';
import type { BoardResult, BoardSnapshot } from '../worker/board/answer-schemas.ts';
import type { EventStarts } from '../worker/course/answer-schemas.ts';
import type { OnCourse } from '../worker/results/panel-answer-schemas.ts';
import { configureEvent, createRace, createRegistrations } from './factories.ts';
import { request, withKey } from './harness.ts';
import { panelOf } from './members.ts';

const start = (name: string, starts_at: string, of: object = {}) => ({
  name,
  distance: null,
  bib_from: null,
  bib_to: null,
  starts_at: `2027-05-09T${starts_at}.000+02:00`,
  ...of,
});

const STARTS = [
  start('5K', '10:00:00', { distance: '5K' }),
  start('10K', '09:30:00', { distance: '10K' }),
  start('21K', '09:00:00', { distance: '21K' }),
  start('Wave B', '09:07:30', { distance: '21K', bib_from: 500, bib_to: 599 }),
];

/** The time of day at which each runner passes, and the time since the own gun. */
const RUNNERS = [
  { bib_number: '1', distance: '5K', cell: '10:12:03', time: '00:12:03.000' },
  { bib_number: '2', distance: '10K', cell: '09:50:00', time: '00:20:00.000' },
  { bib_number: '3', distance: '21K', cell: '09:21:09', time: '00:21:09.000' },
  { bib_number: '500', distance: '21K', cell: '09:30:00', time: '00:22:30.000' },
  { bib_number: '599', distance: '21K', cell: '09:30:01', time: '00:22:31.000' },
  { bib_number: '600', distance: '21K', cell: '09:22:00', time: '00:22:00.000' },
];

const msOf = (time: string) => Date.parse(`1970-01-01T${time}Z`);

const instantOf = (cell: string) => new Date(`2027-05-09T${cell}+02:00`).toISOString();

test('everybody reads the same start of every runner: the wall, the card, the board for programs, the API, a laptop and the speaker', async () => {
  const race = await createRace();
  await configureEvent(race.eventId, { board_enabled: true });
  await createRegistrations(
    race.eventId,
    RUNNERS.map(({ bib_number, distance }) => ({ bib_number, distance })),
  );
  const send = (method: string, path: string, body: object) =>
    request(race.path + path, {
      method,
      headers: { ...withKey(race.key), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const ask = async <T>(path: string) =>
    (await request(path, { headers: withKey(race.key) })).json<T>();
  await send('PUT', '/starts', { version: 0, starts: STARTS });
  const passings = RUNNERS.map(({ bib_number, cell: time }) => ({
    bib_number,
    point: 'Km 4',
    time,
  }));
  const stored = await send('POST', '/passings?time_format=time_of_day', { passings });
  expect(await stored.json()).toMatchObject({ uploaded: RUNNERS.length, errors: 0 });

  const told = await ask<EventStarts>(`${race.path}/starts`);
  const { data } = await ask<{ data: { bib_number: string; time: string }[] }>(
    `${race.path}/passings`,
  );
  const { event } = await ask<BoardSnapshot>(`/board/${race.eventId}/data`);
  const distances = new Map(RUNNERS.map(({ bib_number, distance }) => [bib_number, distance]));
  const laptop = new RaceClock({
    zone: 'Europe/Madrid',
    starts: told.starts,
    points: [],
    distances,
  });
  for (const { bib_number: bib, distance, cell, time } of RUNNERS) {
    const own = startOf(told.starts, { bib, distance })?.starts_at;
    expect(data.find(({ bib_number }) => bib_number === bib)?.time, bib).toBe(time);
    expect(formatRaceTime(laptop.timeMs(bib, cell, 'Km 4') ?? 0), bib).toBe(time);
    for (const card of [
      `/board/${race.eventId}/bibs/${bib}`,
      `/board/v1/${race.eventId}/runners/${bib}`,
    ]) {
      const { starts_at, splits } = await ask<BoardResult>(card);
      expect(starts_at, card).toBe(own);
      expect(
        splits.map(({ passed_at }) => passed_at),
        card,
      ).toEqual([instantOf(cell)]);
    }
    const first = STARTS.find((one) => one.distance === distance)?.starts_at ?? '';
    expect(gunAt(event, distance), bib).toBe(Date.parse(first));
  }
  const panel = await panelOf(race);
  const onCourse = await (await panel.ask('/on-course')).json<OnCourse>();
  const startsMs = Date.parse(instantOf('09:00:00'));
  const announced = comingTo(onCourse.data, ['Km 4'], startsMs).flatMap(([, coming]) => coming);
  for (const { bib_number: bib, cell, time } of RUNNERS) {
    const listed = onCourse.data.find(({ bib_number }) => bib_number === bib);
    expect(listed, bib).toMatchObject({ time, passed_at: instantOf(cell) });
    const coming = announced.find(({ runner }) => runner.bib_number === bib);
    const gunMs = Date.parse(instantOf(cell)) - msOf(time);
    expect(coming?.atMs, bib).toBe(gunMs + msOf(coming?.time ?? ''));
  }
  expect(await (await panel.ask('')).json()).toMatchObject({
    first_start_at: '2027-05-09T07:00:00.000Z',
  });
});
