import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { bytesIn } from '../../../testing/csv.ts';
import type { ResultsFile } from '../../../testing/results-files.ts';
import { startInProcess } from '../../../testing/runtime/command.ts';
import { type Crew, REHEARSAL, sendCrew, useApi } from '../../../testing/runtime/crew.ts';
import { WARNING_CODES } from '../../../timing-files/judge/warning-codes.ts';
import { formatRaceTime, parseRaceTime } from '../../../timing-files/read/race-time.ts';

const FILES: ResultsFile[] = JSON.parse(inject('resultsFiles'));

const api = useApi();

const spelled = (time: string): string | null => {
  const ms = parseRaceTime(time);
  return ms === undefined ? null : formatRaceTime(ms);
};

const expectedOf = (text: string) => {
  const [chip = '', gun = ''] = text.split('/');
  const [chip_time, gun_time] = [spelled(chip), spelled(gun)];
  const isFinished = chip_time !== null || gun_time !== null;
  return { status: isFinished ? 'FINISHED' : text.trim(), chip_time, gun_time };
};

/** A folder with the file, and a race with the bibs of its results. */
async function startingCrew(file: ResultsFile) {
  const crew = await sendCrew(api(), startInProcess, { runners: 0 });
  for (const bib of Object.keys(file.results)) await crew.register(bib);
  writeFileSync(join(crew.folder, 'r.csv'), bytesIn(file));
  return crew;
}

/** Whether the preview can say how the file is read. */
const isClear = ({ suggestion }: ResultsFile) => suggestion !== null;

/** Sends a file past every warning, and compares what the API holds with what a person reads. */
async function expectSent(crew: Crew, { results }: ResultsFile, exitCode: number | null) {
  const force = [...WARNING_CODES, 'other_reading'].join();
  const sent = await crew.run('send', 'r.csv', '--yes', '--force', force);
  expect(sent.exitCode, sent.stderr).toBe(exitCode);
  const held: Record<string, object> = {};
  for await (const result of crew.client.listEventResults(crew.eventId)) {
    const { bib_number, status, chip_time, gun_time } = result;
    held[bib_number ?? ''] = { status, chip_time, gun_time };
  }
  const expected = Object.entries(results).map(([bib, text]) => [bib, expectedOf(text)]);
  expect(held).toEqual(Object.fromEntries(expected));
}

test.each(FILES.filter(isClear))(
  'sends the results of $source as a person reads them',
  async (file) => {
    const crew = await startingCrew(file);
    const checked = await crew.run('check', 'r.csv', '--yes', '--force', WARNING_CODES.join());
    expect(checked.exitCode, checked.stderr).toBeLessThanOrEqual(1);
    await expectSent(crew, file, checked.exitCode);
  },
);

test.each(FILES.filter((file) => !isClear(file)))(
  'asks how to read $source and sends nothing, unless the bibs of the event tell',
  async (file) => {
    const crew = await startingCrew(file);
    const checked = await crew.run('check', 'r.csv', '--yes');
    if (checked.exitCode === 0) return expectSent(crew, file, 0);
    expect(checked.exitCode).toBe(3);
    // Where the file has no result yet, --force lets every row be rejected.
    expect((await crew.run('send', 'r.csv', ...REHEARSAL, '--yes')).exitCode).not.toBe(0);
    expect(await crew.held()).toEqual({});
  },
);
