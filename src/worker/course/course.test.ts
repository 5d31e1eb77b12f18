import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createRace, createRegistrations } from '../../testing/factories.ts';
import { startApp, withKey } from '../../testing/harness.ts';
import { panelOf } from '../../testing/members.ts';
import type { EventPoints, EventStartsStored } from './answer-schemas.ts';

const { request } = startApp();

const AT = '2027-05-09T09:00:00.000+02:00';

const start = (name: string, of: object = {}) => ({
  name,
  distance: null,
  bib_from: null,
  bib_to: null,
  starts_at: AT,
  ...of,
});

/** A race, and its course for its key and its organizer. */
async function createCourse() {
  const race = await createRace({ bibs: ['1', '2', '500', 'A7'] });
  await createRegistrations(race.eventId, [
    { bib_number: '501', distance: '10K' },
    { bib_number: '502', distance: '10K', status: 'CANCELLED' },
  ]);
  const { headers, userId, path: panel } = await panelOf(race);
  const send = (path: string, who: Record<string, string>, body: object) =>
    request(path, {
      method: 'PUT',
      headers: { ...who, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const key = withKey(race.key);
  return {
    race,
    userId,
    ask: (below: string) => request(`${race.path}/${below}`, { headers: key }),
    put: (below: string, body: object) => send(`${race.path}/${below}`, key, body),
    askPanel: (below: string) => request(`${panel}/${below}`, { headers }),
    putPanel: (below: string, body: object) => send(`${panel}/${below}`, headers, body),
  };
}

describe('the starts of an event', () => {
  test('are none until somebody tells them', async () => {
    const { ask, askPanel } = await createCourse();
    expect(await (await ask('starts')).json()).toEqual({ version: 0, starts: [] });
    expect(await (await askPanel('starts')).json()).toEqual({ version: 0, starts: [] });
  });

  test('are kept as they were told, for key and panel, and count the runners without a start', async () => {
    const { put, ask, askPanel } = await createCourse();
    const starts = [
      start('10K', { distance: '10K', starts_at: '2027-05-09T09:30:00.250-03:30' }),
      start('Wave', { bib_from: 1, bib_to: 499, starts_at: '2027-05-09T07:00:00.000Z' }),
    ];
    const stored = await (await put('starts', { version: 0, starts })).json();
    // The bibs 500 and A7: neither the wave nor the distance claims these bibs.
    expect(stored).toEqual({ version: 1, starts, runners_without_start: 2, shift: null });
    for (const answer of [await ask('starts'), await askPanel('starts')]) {
      expect(await answer.json()).toEqual({ version: 1, starts });
    }
  });

  test('change once if the same request comes again', async () => {
    const { put, putPanel, askPanel, userId } = await createCourse();
    const body = { version: 0, starts: [start('Gun')] };
    for (const answer of [await put('starts', body), await put('starts', body)]) {
      expect(await answer.json<EventStartsStored>()).toMatchObject({ version: 1 });
    }
    const fewer = await putPanel('starts', { version: 1, starts: [] });
    expect(await fewer.json()).toMatchObject({ version: 2, starts: [] });
    const { data } = await (await askPanel('changes')).json<{ data: object[] }>();
    const list = JSON.stringify([start('Gun')]);
    const without = (text: unknown) => JSON.stringify(JSON.parse(String(text)));
    expect(
      data.map((change) => {
        const { before, after, ...who } = change as Record<string, unknown>;
        return { ...who, before: without(before), after: without(after) };
      }),
    ).toMatchObject([
      { kind: 'starts', before: list, after: '[]', user_id: userId, key_prefix: null },
      { kind: 'starts', before: '[]', after: list, user_id: null, key_prefix: expect.any(String) },
    ]);
  });

  test('are not replaced by a change of an older version', async () => {
    const { put, putPanel, ask } = await createCourse();
    await put('starts', { version: 0, starts: [start('Gun')] });
    const answer = await putPanel('starts', { version: 0, starts: [start('Other gun')] });
    const detail = await expectError(answer, 409, 'VALIDATION_ERROR');
    expect(detail).toContain('version 1');
    expect(await (await ask('starts')).json()).toMatchObject({ starts: [{ name: 'Gun' }] });
  });

  test('are those of one of two first changes at once, and the other change is refused', async () => {
    const { put, ask } = await createCourse();
    const answers = await Promise.all(
      ['A', 'B'].map((name) => put('starts', { version: 0, starts: [start(name)] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await (await ask('starts')).json()).toMatchObject({ version: 1 });
  });

  test('refuse what nobody can mean, and say where', async () => {
    const { put, ask } = await createCourse();
    const cases: [object, string][] = [
      [start('a', { bib_from: 1 }), 'send both or neither'],
      [start('a', { bib_from: 9, bib_to: 1 }), 'bib_from is greater than bib_to'],
      [
        start('a', { bib_from: 1.5, bib_to: 9 }),
        'starts.0.bib_from: expected null or a whole number',
      ],
      [start('a', { starts_at: '9:00' }), 'starts.0.starts_at: expected a date and time'],
      [start('a', { starts_at: '2027-05-09T09:00:00' }), 'with its offset'],
      [start(' '), 'starts.0.name: expected the name of the start'],
      [start('a', { wave: 1 }), 'field "wave"'],
    ];
    for (const [sent, says] of cases) {
      const answer = await put('starts', { version: 0, starts: [sent] });
      expect(await expectError(answer, 400, 'VALIDATION_ERROR')).toContain(says);
    }
    const twice = await put('starts', { version: 0, starts: [start('a'), start('b')] });
    expect(await expectError(twice, 400, 'VALIDATION_ERROR')).toContain('starts 1 and 2');
    expect(await (await ask('starts')).json()).toEqual({ version: 0, starts: [] });
  });
});

describe('the points of an event', () => {
  const upload = (
    { race }: Awaited<ReturnType<typeof createCourse>>,
    point: string,
    time: string,
  ) =>
    request(`${race.path}/passings`, {
      method: 'POST',
      headers: { ...withKey(race.key), 'Content-Type': 'application/json' },
      body: JSON.stringify({ passings: [{ bib_number: '1', point, time }] }),
    });

  test('are those that have passings until somebody tells them', async () => {
    const course = await createCourse();
    await upload(course, 'Km 10', '40:00');
    await upload(course, 'Bridge', '20:00');
    expect(await (await course.ask('points')).json()).toEqual({
      version: 0,
      points: [
        { name: 'Bridge', distance: null, order: 1, km: null },
        { name: 'Km 10', distance: null, order: 2, km: 10 },
      ],
    });
  });

  test('are those that were told, in their order, with the kilometres of their names', async () => {
    const { put, askPanel } = await createCourse();
    const points = [
      { name: 'Summit', distance: 'Trail', order: 2, km: 12.5 },
      { name: 'Km 5', order: 1 },
    ];
    const answer = await put('points', { version: 0, points });
    const told = {
      version: 1,
      points: [
        { name: 'Km 5', distance: null, order: 1, km: 5 },
        { name: 'Summit', distance: 'Trail', order: 2, km: 12.5 },
      ],
    };
    expect(await answer.json<EventPoints>()).toEqual(told);
    expect(await (await askPanel('points')).json()).toEqual(told);
    expect(await (await put('points', { version: 0, points })).json()).toEqual(told);
  });

  test('have a name and an order of their own within a distance', async () => {
    const { put } = await createCourse();
    const point = (name: string, order: number) => ({ name, order, distance: null, km: null });
    for (const [points, says] of [
      [[point('Km 5', 1), point('KM  5', 2)], 'points 1 and 2 have one name'],
      [[point('Km 5', 1), point('Km 8', 1)], 'points 1 and 2 have one order'],
      [[{ ...point('Km 5', 1), km: 0 }], 'points.0.km: expected null or the kilometres'],
    ] as const) {
      const answer = await put('points', { version: 0, points });
      expect(await expectError(answer, 400, 'VALIDATION_ERROR')).toContain(says);
    }
  });
});
