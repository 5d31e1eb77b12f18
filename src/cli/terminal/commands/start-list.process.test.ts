import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startInProcess } from '../../../testing/runtime/command.ts';
import { linesIn, sendCrew, useApi } from '../../../testing/runtime/crew.ts';
import { says, until } from '../../../testing/runtime/watching.ts';

// A test waits several times.
vi.setConfig({ testTimeout: 60_000 });

const api = useApi();

const PERSON = { given_names: 'Ada', surnames: '=Ejemplo; "A"', chip: 'C-7', distance: '21K' };

async function startCrew(runners = 12) {
  const crew = await sendCrew(api(), startInProcess, { runners, registration: PERSON });
  const idOf = async (bib: string) => {
    const found = await crew.client.lookupEventParticipants(crew.eventId, { bib });
    return found.data[0]?.inscription_id ?? '';
  };
  return { ...crew, idOf, path: (name: string) => join(crew.folder, name) };
}

const HEADER = 'Bib,Chip,First name,Last name,Gender,Distance,Category,Kit,Registration';

test('D06 D12: writes the start list for a timing program, and says what has changed since', async () => {
  const { run, read, idOf, cancel, register, renumber } = await startCrew();
  const first = await run('start-list', 'start.csv');
  expect([first.exitCode, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toContain('start.csv: 12 runners.');
  const [header, row = '', second = ''] = read('start.csv').split('\r\n');
  expect(header).toBe(`\uFEFF${HEADER}`);
  // A spreadsheet runs no formula, and bib 2 comes before bib 10.
  expect(row).toMatch(/^1,C-7,Ada,"'=Ejemplo; ""A""",,21K,,,[\da-f-]{36}$/);
  expect(second).toMatch(/^2,/);
  expect(read('start.csv')).not.toMatch(/9000000|@/);
  expect((await run('start-list', 'start.csv')).stdout).toContain('nothing has changed');

  const [seven, nine, eleven, twelve] = await Promise.all(['7', '9', '11', '12'].map(idOf));
  for (const bib of ['601', '602', '603']) await register(bib);
  await renumber(seven ?? '', '412');
  await cancel([nine ?? '', eleven ?? '']);
  await renumber(twelve ?? '', null);
  const next = await run('start-list', 'start.csv');
  expect(next.stdout).toContain(
    '3 late entries (bib 601, 602, 603), bib 7 is now 412, 3 withdrawn (bib 9, 11, 12).' +
      ' Without a bib, and not in it: 1.',
  );
  expect(read('start.csv')).not.toMatch(/\n(7|9|11|12),/);
});

test('writes a delimiter that is asked for, and names those that are known', async () => {
  const { run, read } = await startCrew(2);
  expect((await run('start-list', 'start.txt', '--delimiter', 'tab')).exitCode).toBe(0);
  expect(read('start.txt')).toContain('Bib\tChip\tFirst name');
  const wrong = await run('start-list', 'start.txt', '--delimiter', '|');
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('semicolon')]);
  // The list before had another delimiter, and the same runners.
  await run('start-list', 'start.txt', '--delimiter', 'semicolon');
  expect(read('start.txt')).toContain('Bib;Chip;First name');
});

test('D08 D09: keeps a file that is no start list, and one that would lose everybody', async () => {
  const { run, read, write, idOf, cancel } = await startCrew(1);
  write('results.csv', 'bib,time\n1,1:28:03\n');
  const other = await run('start-list', 'results.csv');
  expect([other.exitCode, read('results.csv')]).toEqual([4, 'bib,time\n1,1:28:03\n']);
  await run('start-list', 'start.csv');
  const before = read('start.csv');
  await cancel([await idOf('1')]);
  const empty = await run('start-list', 'start.csv');
  expect([empty.exitCode, empty.stderr]).toEqual([4, expect.stringContaining('has 1')]);
  expect(read('start.csv')).toBe(before);
});

test('leaves the file whole where the API is away or the key lacks the scope', async () => {
  const { run, read, path, createKey, env, start } = await startCrew(3);
  await run('start-list', 'start.csv');
  const before = read('start.csv');
  env['RACE_RESULTS_KEY'] = await createKey(['results:write', 'events:read']);
  const lacking = await start('start-list', 'start.csv').ended;
  expect([lacking.exitCode, lacking.stderr]).toEqual([
    5,
    expect.stringContaining('inscriptions:read'),
  ]);
  env['RACE_RESULTS_API'] = 'http://127.0.0.1:1';
  expect((await start('start-list', 'start.csv').ended).exitCode).toBe(6);
  expect(read('start.csv')).toBe(before);
  expect(statSync(path('start.csv')).size).toBeGreaterThan(100);
});

test('D03 D07: keeps the start list while it watches, and sends the row of a late entry by itself', async () => {
  const { start, read, write, path, register, held, folder } = await startCrew(2);
  // The file stands in the folder that is watched, and is no file of results.
  write('finish.csv', 'bib,time\n1,1:28:03\n2,1:29:03\n601,1:30:03\n');
  const running = start('watch', folder, '--start-list', 'start.csv', '--json');
  onTestFinished(running.end);
  const said = (type: string) => linesIn(running.printed()).filter((line) => line.type === type);
  await says(running, 'rejected');
  await until(running.printed, () => existsSync(path('start.csv')) || undefined);
  expect(read('start.csv')).not.toContain('\n601,');
  await register('601');
  await until(running.printed, async () => '601' in (await held()) || undefined);
  await says(running, 'retried');
  expect(said('retried')).toMatchObject([{ bibs: ['601'] }]);
  expect(said('start_list').at(-1)).toMatchObject({ changes: { late: ['601'] } });
  expect(read('start.csv')).toMatch(/\n601,/);
  expect(said('not_read')).toEqual([]);
  // A file that is lost or in the way is said once, and comes back.
  writeFileSync(path('start.csv'), 'bib,time\n');
  await register('602');
  await says(running, 'start_list_not_kept');
  expect(read('start.csv')).toBe('bib,time\n');
});
