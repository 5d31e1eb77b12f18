import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { sendCrew, useApi, useCommand } from '../../../testing/runtime/crew.ts';
import { clock, shows, stopped } from '../../../testing/runtime/watching.ts';

const command = useCommand();
const api = useApi();

const MOST_A_MINUTE = 30;
/** The time between two checks, whose requests come at once. */
const MEASURED_MS = 90_000;

test('B14 T08 T09: three laptops on a key with an arrival every 3 s are never limited', async () => {
  const finish = await sendCrew(api(), command().start, { runners: 200 });
  const crews = [finish];
  for (let laptop = 1; laptop < 3; laptop++) {
    const crew = await sendCrew(api(), command().start, { race: finish });
    Object.assign(crew.env, { RACE_RESULTS_KEY: finish.env['RACE_RESULTS_KEY'] });
    crews.push(crew);
  }
  const running = crews.map((crew) => {
    crew.write('r.csv', 'bib,time\n');
    const one = crew.start('watch', 'r.csv', '--json');
    onTestFinished(() => one.kill());
    return one;
  });
  await wait(10_000);
  const before = crews.map(({ proxy }) => proxy.requests());
  let bib = 1;
  const arriving = setInterval(() => {
    for (const crew of crews) {
      appendFileSync(join(crew.folder, 'r.csv'), `${bib},${clock(5_000 + bib)}\n`);
      bib += 1;
    }
  }, 3_000);
  onTestFinished(() => clearInterval(arriving));
  await wait(MEASURED_MS);
  clearInterval(arriving);
  const rates = crews.map(
    ({ proxy }, at) => ((proxy.requests() - (before[at] ?? 0)) * 60_000) / MEASURED_MS,
  );
  process.stdout.write(`requests a minute: ${rates.map((rate) => rate.toFixed(1)).join(', ')}\n`);
  for (const one of running) {
    await shows(one, { state: 'OK', queue: 0 });
    expect(one.printed()).not.toContain('used up');
    expect((await stopped(one)).exitCode).toBe(0);
  }
  expect(await crews[0]?.held()).toHaveProperty(`${bib - 1}`);
  // A request more or less in the time of one laptop is chance.
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  expect(mean).toBeLessThanOrEqual(MOST_A_MINUTE);
});
