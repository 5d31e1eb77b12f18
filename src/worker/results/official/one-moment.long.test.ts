import { expect, test } from 'vitest';
import { withKey } from '../../../testing/harness.ts';
import { createManaged, textOf } from '../../../testing/official.ts';
import { startPausing } from '../../../testing/paused.ts';
import { uploadRows } from '../../../testing/uploads.ts';

const pausing = startPausing();

const finishedIn = (chip_time: string) => [{ bib_number: '1', chip_time }];

test.each(['key', 'panel'])(
  'exports to the %s no correction in a file that it calls official',
  async (reader) => {
    const { race, made, panelPath, headers } = await createManaged(['1']);
    await uploadRows(race, finishedIn('1:00:01'));
    await made();
    const [path, caller] =
      reader === 'key' ? [`${race.path}/results`, withKey(race.key)] : [panelPath, headers];
    const exported = await pausing.around(
      `${path}/export`,
      { headers: { ...caller, Accept: 'text/csv' } },
      () => uploadRows(race, finishedIn('0:59:00')),
    );
    const file = await textOf(exported);
    expect(exported.headers.get('Results-State')).toBe('official');
    expect(exported.headers.get('Content-Disposition')).toContain('(official)');
    expect(file).toContain('01:00:01.000');
    expect(file).not.toContain('00:59:00.000');
  },
);

test('signs the results of the moment that it states', async () => {
  const { race, panelPath, headers, file } = await createManaged(['1']);
  await uploadRows(race, finishedIn('1:00:01'));
  const answer = await pausing.around(`${panelPath}/official`, { method: 'POST', headers }, () =>
    uploadRows(race, finishedIn('0:59:00')),
  );
  expect(answer.status).toBe(201);
  expect(await file(1)).toContain('01:00:01.000');
});
