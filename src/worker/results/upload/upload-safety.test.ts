import { and, eq, isNotNull } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../dev/stack/gateway.ts';
import { expectError } from '../../../testing/assertions.ts';
import { createRace, db } from '../../../testing/factories.ts';
import { setFault, tagged, withoutServices } from '../../../testing/faults.ts';
import { startApp, startLimitedApp, testConfig } from '../../../testing/harness.ts';
import {
  answered,
  bodyOf,
  bytesOf,
  filePart,
  form,
  postCsv,
  postForm,
  postJson,
  type Race,
  storedBatches,
  storedResults,
  uploadRows,
} from '../../../testing/uploads.ts';
import { apiKeys } from '../../db/schema.ts';

const JSON_BODY = bytesOf(['{"results":[{"bib_number":"7","chip_time":"20:00"}]}']);
const CSV_BODY = form([filePart('bib,time\n7,20:00\n')]);

const uploads = [
  ['JSON', postJson, JSON_BODY],
  ['CSV', postForm, CSV_BODY],
] as const;

async function expectNothingWritten({ eventId }: Race) {
  expect(await storedResults(eventId)).toEqual({});
  expect(await storedBatches(eventId)).toEqual([]);
}

const hasBeenUsed = async ({ organizationId }: Race) =>
  (
    await db
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(and(eq(apiKeys.organization_id, organizationId), isNotNull(apiKeys.last_used_at)))
  ).length > 0;

/** The body, whose second half waits until the key was judged and then for `next`. */
async function* heldBack(race: Race, body: Uint8Array, next: () => Promise<unknown>) {
  yield body.subarray(0, body.length / 2);
  while (!(await hasBeenUsed(race))) await new Promise((resolve) => setTimeout(resolve, 20));
  await next();
  yield body.subarray(body.length / 2);
}

/** A service whose database a test can break at any moment, for the service's own requests alone. */
function startBreakable() {
  const tag = crypto.randomUUID();
  const { request } = startApp(tagged(testConfig, tag));
  const breakDatabase = (fault: Fault) => setFault(testConfig, 'postgres', tag, fault);
  return { send: request, breakDatabase };
}

describe.each(uploads)('an upload as %s writes nothing', (_format, post, body) => {
  it('refuses a key that is revoked while the body is on its way', async () => {
    const race = await createRace({ bibs: ['7'] });
    const revoke = () =>
      db
        .update(apiKeys)
        .set({ revoked_at: new Date() })
        .where(eq(apiKeys.organization_id, race.organizationId));
    const response = await post(race, bodyOf(heldBack(race, body, revoke)));
    await expectError(response, 401, 'UNAUTHORIZED');
    await expectNothingWritten(race);
  });

  it('says when to try again while Postgres is away', async () => {
    const race = await createRace({ bibs: ['7'] });
    const { request: send } = startApp(withoutServices(testConfig, 'postgres'));
    const response = await post(race, body, { send });
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    await expectError(response, 503, 'SERVICE_UNAVAILABLE');
    await expectNothingWritten(race);
  });

  it.each<Fault>([
    { kind: 'refuse' },
    { kind: 'tear-before' },
    { kind: 'garbage' },
    { kind: 'sqlstate', sqlstate: '57P01' },
  ])('writes nothing when Postgres goes away just before: %j', async (fault) => {
    const race = await createRace({ bibs: ['7'] });
    const { send, breakDatabase } = startBreakable();
    const pieces = heldBack(race, body, () => breakDatabase(fault));
    await expectError(await post(race, bodyOf(pieces), { send }), 503, 'SERVICE_UNAVAILABLE');
    await expectNothingWritten(race);
  });
});

describe.each(uploads)('an upload as %s', (_format, post, body) => {
  it('takes an upload again whose answer was lost', async () => {
    const race = await createRace({ bibs: ['7'] });
    const { send, breakDatabase } = startBreakable();
    const lost = heldBack(race, body, () => breakDatabase({ kind: 'tear-after', times: 1 }));
    await expectError(await post(race, bodyOf(lost), { send }), 503, 'SERVICE_UNAVAILABLE');
    const stored = await storedResults(race.eventId);
    expect(stored).toMatchObject({ 7: { chip: 1_200_000 } });

    expect(await answered(await post(race, body, { send }))).toMatchObject({ updated: 1 });
    expect(await storedResults(race.eventId)).toEqual(stored);
  });

  it('tries an upload again that meets a deadlock', async () => {
    const race = await createRace({ bibs: ['7'] });
    const { send, breakDatabase } = startBreakable();
    const deadlock = { kind: 'sqlstate', sqlstate: '40P01', times: 1 } as const;
    const pieces = heldBack(race, body, () => breakDatabase(deadlock));
    expect(await answered(await post(race, bodyOf(pieces), { send }))).toMatchObject({
      uploaded: 1,
    });
    expect(await storedBatches(race.eventId)).toHaveLength(1);
  });

  it('writes an upload while Redis is away', async () => {
    const race = await createRace({ bibs: ['7'] });
    const { request: send } = startLimitedApp(withoutServices(testConfig, 'redis'));
    expect(await answered(await post(race, body, { send }))).toMatchObject({ uploaded: 1 });
  });
});

it('uploads of the same bibs at once all succeed, and end as one after the other would', async () => {
  const bibs = Array.from({ length: 60 }, (_, index) => `${index}`);
  const race = await createRace({ bibs });
  const rows = (minutes: number, from: readonly string[]) =>
    from.map((bib_number) => ({ bib_number, chip_time: `${minutes}:00` }));
  const csv = (minutes: number, from: readonly string[]) =>
    `bib,time\n${from.map((bib) => `${bib},${minutes}:00\n`).join('')}`;
  for (let round = 0; round < 3; round++) {
    const outs = await Promise.all([
      uploadRows(race, rows(10, bibs)),
      uploadRows(race, rows(20, bibs.toReversed())),
      postCsv(race, csv(30, bibs)).then(answered),
      uploadRows(race, rows(40, bibs.slice(0, 30).toReversed())),
    ]);
    expect(outs.map(({ failed }) => failed)).toEqual([[], [], [], []]);
    expect(outs.reduce((sum, { uploaded }) => sum + uploaded, 0)).toBe(round === 0 ? 60 : 0);

    const stored = await storedResults(race.eventId);
    const timesOf = (from: readonly string[]) => [...new Set(from.map((bib) => stored[bib]?.chip))];
    const [upper, lower] = [timesOf(bibs.slice(30)), timesOf(bibs.slice(0, 30))];
    expect([upper.length, lower.length]).toEqual([1, 1]);
    expect([600_000, 1_200_000, 1_800_000]).toContain(upper[0]);
    expect([2_400_000, upper[0]]).toContain(lower[0]);
  }
});
