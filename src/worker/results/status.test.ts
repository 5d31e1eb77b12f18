import { expect, test } from 'vitest';
import { configureEvent, createRace } from '../../testing/factories.ts';
import { request, withKey } from '../../testing/harness.ts';
import { uploadRows } from '../../testing/uploads.ts';
import {
  byStatus,
  LISTED_STATUSES,
  RESULT_STATUSES,
  STATUS_RULES,
} from '../../timing-files/read/result-status.ts';
import type { BoardList, BoardResult, BoardSnapshot } from '../board/answer-schemas.ts';
import type { ExportedResult, Result } from './read/answer-schemas.ts';

const bibOf = (status: string) => `bib-${status}`;

/** A race with a timed row and an untimed row for each status. */
async function createRaceOfAll() {
  const timed = RESULT_STATUSES.map((status) => ({
    bib_number: bibOf(status),
    status,
    gun_time: '41:02',
  }));
  const untimed = RESULT_STATUSES.map((status) => ({ bib_number: `${bibOf(status)}-0`, status }));
  const race = await createRace({
    bibs: [...timed, ...untimed].map(({ bib_number }) => bib_number),
  });
  const read = async <T>(path: string, headers = {}) => {
    const response = await request(`${race.path}/results${path}`, {
      headers: { ...withKey(race.key), ...headers },
    });
    return (await response.json<{ data: T[] }>()).data;
  };
  return { race, timed, untimed, read };
}

test('keeps times, gives positions and lists each status by its rules', async () => {
  const { race, timed, untimed, read } = await createRaceOfAll();
  await uploadRows(race, timed);
  const listed = await read<Result>('');
  expect(listed.map(({ status }) => status)).toEqual(LISTED_STATUSES);
  expect(
    listed.map(({ status, gun_time, position_overall }) => ({
      status,
      keepsTimes: gun_time !== null,
      hasPosition: position_overall !== null,
    })),
  ).toEqual(
    LISTED_STATUSES.map((status) => {
      const { keepsTimes, hasPosition } = STATUS_RULES[status];
      return { status, keepsTimes, hasPosition };
    }),
  );
  for (const status of RESULT_STATUSES) {
    const found = await read<Result>(`?status=${status}`);
    expect(found.map(({ bib_number }) => bib_number)).toEqual([bibOf(status)]);
  }
  const exported = await read<ExportedResult>('/export', { Accept: 'application/json' });
  expect(exported.map(({ status }) => status)).toEqual(LISTED_STATUSES);

  const { failed } = await uploadRows(race, untimed);
  const needTimes = RESULT_STATUSES.filter((status) => STATUS_RULES[status].hasPosition);
  expect(failed.map(({ bib_number }) => bib_number)).toEqual(
    needTimes.map((status) => `${bibOf(status)}-0`),
  );
});

test('shows and lists each status on the board by its rules', async () => {
  const { race, timed } = await createRaceOfAll();
  await configureEvent(race.eventId, { board_enabled: true });
  await uploadRows(race, timed);
  const board = async <T>(path: string) =>
    (await request(`/board/${race.eventId}/${path}`)).json<T>();
  const { races } = await board<BoardSnapshot>('data');
  expect(races.map(({ counts }) => counts)).toEqual([byStatus(() => 1)]);
  const { rows } = await board<BoardList>('results');
  expect(rows.map(({ status }) => status)).toEqual(LISTED_STATUSES);
  for (const { status, place, time } of rows) {
    const { hasPosition } = STATUS_RULES[status];
    expect([place !== null, time !== null], status).toEqual([hasPosition, hasPosition]);
    const runner = await board<BoardResult>(`bibs/${bibOf(status)}`);
    expect(runner.status).toBe(status);
  }
});
