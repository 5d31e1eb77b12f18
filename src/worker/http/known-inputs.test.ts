import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { createRace } from '../../testing/factories.ts';
import { request, withKey } from '../../testing/harness.ts';
import { type Race, storedBatches, uploadRows } from '../../testing/uploads.ts';

let race: Race;
let revert: string;

beforeAll(async () => {
  race = await createRace({ bibs: ['1'] });
  const { batch_id } = await uploadRows(race, [{ bib_number: '1', chip_time: '20:00' }]);
  revert = `/result-batches/${batch_id}/revert`;
});

const post = (path: string, headers: Record<string, string> = {}, body?: string) =>
  request(race.path + path, {
    method: 'POST',
    headers: { ...withKey(race.key), ...headers },
    ...(body !== undefined && { body }),
  });

const detailOf = async (answer: Response) => expectError(answer, 400, 'VALIDATION_ERROR');

describe('a write', () => {
  test.each([
    ['?dryrun=true', 'the query parameter dry_run?'],
    ['?dry-run=true', 'the query parameter dry_run?'],
    ['?DRY_RUN=true', 'the query parameter dry_run?'],
    ['?dry_run=true&x=1', 'Its query parameters are reason, dry_run.'],
  ])('answers 400 to %s and names what was meant', async (query, meant) => {
    expect(await detailOf(await post(revert + query))).toContain(meant);
    expect(await storedBatches(race.eventId)).toHaveLength(1);
  });

  test.each(['Dry-Run', 'X-Dry-Run', 'dry_run', 'Idempotency-Key', 'X-Idempotency-Key'])(
    'answers 400 to the header %s, which it does not take',
    async (header) => {
      expect(await detailOf(await post(revert, { [header]: 'true' }))).toContain('header');
      expect(await storedBatches(race.eventId)).toHaveLength(1);
    },
  );

  test('answers 400 to a body where none belongs, and takes one that says nothing', async () => {
    const json = { 'Content-Type': 'application/json' };
    for (const body of [
      '{"dry_run": true}',
      'dry_run=true',
      '{{',
      'x'.repeat(5_000),
      ' '.repeat(2_000),
    ]) {
      expect(await detailOf(await post(revert, json, body))).toContain('dry_run');
    }
    expect(await storedBatches(race.eventId)).toHaveLength(1);
    for (const body of ['', '{}', ' {\n} ']) {
      expect((await post(`${revert}?dry_run=true`, json, body)).status).toBe(200);
    }
  });

  test('names the parameter of a results file that was meant', async () => {
    const csv = { 'Content-Type': 'text/csv' };
    const file = 'bib,time,point\n1,20:00,Km 5\n';
    expect(await detailOf(await post('/results/file?were=Point:Finish', csv, file))).toContain(
      'Did you mean the query parameter where?',
    );
    expect(
      await detailOf(await post('/results/file', { ...csv, 'Idempotent-Key': '1' }, file)),
    ).toContain('Did you mean the header Idempotency-Key?');
    expect(await detailOf(await post('/results?idempotency_key=1', csv, file))).toContain(
      'Did you mean the header Idempotency-Key?',
    );
  });

  test('ignores the headers of proxies and libraries', async () => {
    const headers = {
      traceparent: '00-0-0-00',
      baggage: 'a=1',
      'X-Forwarded-For': '192.0.2.1',
      ...{
        'User-Agent': 'timing/1',
        'X-Request-Id': 'lap-1',
        Accept: '*/*',
        'Sec-Fetch-Mode': 'cors',
      },
    };
    expect((await post(`${revert}?dry_run=true`, headers)).status).toBe(200);
  });
});

test('ignores unknown inputs of a read', async () => {
  const headers = { ...withKey(race.key), 'Dry-Run': 'true' };
  expect((await request(`${race.path}/results?dryrun=1`, { headers })).status).toBe(200);
});
