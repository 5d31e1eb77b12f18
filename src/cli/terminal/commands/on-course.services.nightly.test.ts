import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { PanelClient } from '../../../client/index.ts';
import { type Line, linesIn, sendCrew, useApi, useCommand } from '../../../testing/runtime/crew.ts';
import { formatRaceTime } from '../../../timing-files/read/race-time.ts';
import { BoardResult } from '../../../worker/board/answer-schemas.ts';

// At the pace of a race day.
const command = useCommand();
const api = useApi();

const RUNNERS = 500;
const HEADER = 'bib,time\n';
const FINISH = 'finish';
const PLACES = ['Km 5', 'Km 10', 'Km 15', FINISH];
/** A race in short: one runner behind the other, and the leader from one place to the next. */
const [GAP_MS, LEG_MS, TICK_MS] = [25, 3_000, 200];
const TEAR_EVERY_MS = 2_500;
const SHOWN_WITHIN_MS = 10_000;
const PATIENCE_MS = 40_000;
const CALM_MS = 3_000;
const SPECTATORS = 6;

const timeAt = (bib: number, place: number) =>
  formatRaceTime((place + 1) * (1_200_000 + ((bib * 7_919) % 600_000)));
const bibs = Array.from({ length: RUNNERS }, (_, at) => at + 1);

test('the board shows within ten seconds what three commands at once read of 500 runners, over a connection that is cut', async () => {
  const km5 = await sendCrew(api(), command().start, {
    runners: RUNNERS,
    registration: { distance: '21K' },
  });
  const km10 = await sendCrew(api(), command().start, { race: km5 });
  const rest = await sendCrew(api(), command().start, { race: km5 });
  const { client, eventId, organizationId, sessionToken } = km5;
  const panel = new PanelClient({ baseUrl: api().origin, sessionToken });
  await panel.updateEventBoard(organizationId, eventId, { board_enabled: true });

  mkdirSync(join(rest.folder, 'out'));
  const files = [
    join(km5.folder, 'km5.csv'),
    join(km10.folder, 'km10.csv'),
    join(rest.folder, 'out/km15.csv'),
    join(rest.folder, 'out/finish.csv'),
  ];
  const rowOf = (bib: number, place: number) => `${bib},${timeAt(bib, place)}\n`;
  // On the eve, the crew of two files says what each of them means, with a few rows of a rehearsal.
  for (const [place, file] of files.entries()) writeFileSync(file, `${HEADER}${rowOf(1, place)}`);
  const checked = [
    await rest.run('check', 'out/km15.csv', '--point', 'Km 15', '--yes'),
    await rest.run('check', 'out/finish.csv', '--yes'),
  ];
  expect(checked.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  for (const file of files) writeFileSync(file, HEADER);
  const watching = [
    km5.start('watch', 'km5.csv', '--point', 'Km 5', '--json'),
    km10.start('watch', 'km10.csv', '--point', 'Km 10', '--json'),
    rest.start('watch', 'out', '--json'),
  ];
  for (const running of watching) onTestFinished(() => running.kill());

  const stoodAt = new Map<string, number>();
  const shownAt = new Map<string, number>();
  /** What the board shows of a runner. */
  const look = async (bib: number) => {
    const response = await fetch(`${api().origin}/board/${eventId}/bibs/${bib}`);
    expect(response.status).toBe(200);
    const { status, chip_time, splits } = BoardResult.parse(await response.json());
    const now = performance.now();
    const finish = status === 'FINISHED' ? [{ name: FINISH, time: chip_time }] : [];
    for (const { name, time } of [...splits, ...finish]) {
      expect(time).toBe(timeAt(bib, PLACES.indexOf(name)));
      const key = `${bib} ${name}`;
      if (!shownAt.has(key)) shownAt.set(key, now);
    }
  };

  // Each has asked the API what it holds.
  const isReady = ({ type, missing }: Line) => type === 'status' && missing !== null;
  for (const { printed } of watching) while (!linesIn(printed()).some(isReady)) await wait(TICK_MS);

  const startedAt = performance.now();
  const play = async () => {
    const rows = PLACES.map(() => 0);
    while (rows.some((count) => count < RUNNERS)) {
      const elapsedMs = performance.now() - startedAt;
      for (const [place, name] of PLACES.entries()) {
        const from = rows[place] ?? 0;
        const to = Math.min(RUNNERS, Math.floor((elapsedMs - place * LEG_MS) / GAP_MS));
        if (to <= from) continue;
        const arrived = bibs.slice(from, to);
        appendFileSync(files[place] ?? '', arrived.map((bib) => rowOf(bib, place)).join(''));
        for (const bib of arrived) stoodAt.set(`${bib} ${name}`, performance.now());
        rows[place] = to;
      }
      await wait(TICK_MS);
    }
  };
  const proxies = [km5.proxy, km10.proxy, rest.proxy];
  const tearing = setInterval(() => {
    for (const proxy of proxies) proxy.tear();
  }, TEAR_EVERY_MS);
  onTestFinished(() => clearInterval(tearing));
  let isPlayed = false;
  const isWaiting = (bib: number) =>
    PLACES.some((name) => {
      const key = `${bib} ${name}`;
      return stoodAt.has(key) && !shownAt.has(key);
    });
  const spectate = async (first: number) => {
    while (!isPlayed || shownAt.size < stoodAt.size) {
      if (performance.now() - startedAt > PATIENCE_MS) return;
      for (let bib = first; bib <= RUNNERS; bib += SPECTATORS) if (isWaiting(bib)) await look(bib);
      await wait(TICK_MS);
    }
  };
  await Promise.all([
    play().then(() => {
      isPlayed = true;
    }),
    ...bibs.slice(0, SPECTATORS).map(spectate),
  ]);
  clearInterval(tearing);
  for (const proxy of proxies) expect(proxy.connections()).toBeGreaterThan(3);

  const late = [...stoodAt].flatMap(([key, at]) => {
    const ms = (shownAt.get(key) ?? Number.POSITIVE_INFINITY) - at;
    return ms > SHOWN_WITHIN_MS ? [`${key}: ${Math.round(ms)} ms`] : [];
  });
  expect(late).toEqual([]);
  expect(stoodAt.size).toBe(RUNNERS * PLACES.length);

  // Every passing that the files hold is in the API.
  const passings: string[] = [];
  for await (const { bib_number, point, time } of client.exportEventPassings(eventId)) {
    passings.push(`${bib_number} ${point} ${time}`);
  }
  const expected = bibs.flatMap((bib) =>
    PLACES.slice(0, -1).map((name, place) => `${bib} ${name} ${timeAt(bib, place)}`),
  );
  expect(passings.toSorted()).toEqual(expected.toSorted());
  // A file that has just changed is not read whole yet.
  await wait(CALM_MS);
  const ends = await Promise.all(
    watching.map((running) => {
      running.interrupt();
      return running.ended;
    }),
  );
  const last = ends.map(({ stdout }) => linesIn(stdout).findLast(({ type }) => type === 'stopped'));
  expect(last).toMatchObject([
    { is_compared: true, results: RUNNERS, stored: RUNNERS },
    { is_compared: true, results: RUNNERS, stored: RUNNERS },
    { is_compared: true, results: 2 * RUNNERS, stored: 2 * RUNNERS },
  ]);
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
});
