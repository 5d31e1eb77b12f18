import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRace, createRegistrations, db } from '../../../testing/factories.ts';
import { request, withKey } from '../../../testing/harness.ts';
import { type Race, storedResults, uploadRows } from '../../../testing/uploads.ts';
import { registrations } from '../../db/schema.ts';
import type { ResultBatchReversal, ResultChange } from './answer-schemas.ts';

const BIBS = ['1', '2', '3'];

/** A result as its chip time in seconds, with the batches that it names. */
type Version = { seconds: number; batch: string; restoredBy: string | null };

/** The result of a bib, or the batch that took it away. */
type State = { now: Version | undefined; takenBy: string | undefined };

type Kept = Version & { bib: string; replacedBy: string };

const anyAction = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('upload' as const),
      rows: fc.dictionary(fc.constantFrom(...BIBS), fc.integer({ min: 10, max: 12 })),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('revert' as const), of: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('replace' as const), bib: fc.constantFrom(...BIBS) }),
  },
);

/** The rules of reverting, in plain code. */
class Model {
  readonly states = new Map<string, State>();
  readonly kept: Kept[] = [];
  readonly batches: { id: string; reverts: string | undefined }[] = [];

  isOf = (batch: string, version: Version): boolean =>
    version.batch === batch || version.restoredBy === batch;

  write(bib: string, batch: string, next: Version | undefined): void {
    const now = this.states.get(bib)?.now;
    if (now) this.kept.push({ ...now, bib, replacedBy: batch });
    this.states.set(bib, { now: next, takenBy: next ? undefined : batch });
  }

  upload(batch: string, rows: Record<string, number>): void {
    this.batches.push({ id: batch, reverts: undefined });
    for (const [bib, seconds] of Object.entries(rows)) {
      if (this.states.get(bib)?.now?.seconds === seconds) continue;
      this.write(bib, batch, { seconds, batch, restoredBy: null });
    }
  }

  isCurrent(bib: string, batch: string): boolean {
    const state = this.states.get(bib);
    return state?.now ? this.isOf(batch, state.now) : state?.takenBy === batch;
  }

  touched(batch: string): string[] {
    return BIBS.filter(
      (bib) =>
        this.isCurrent(bib, batch) ||
        this.kept.some(
          (kept) => kept.bib === bib && (this.isOf(batch, kept) || this.isTaken(batch, kept)),
        ),
    );
  }

  /** Whether the batch is a revert that took this result away or replaced it. */
  isTaken = (batch: string, kept: Kept): boolean =>
    kept.replacedBy === batch && this.batches.some(({ id, reverts }) => id === batch && reverts);

  /** Whether the result is what a revert of the batch left. */
  isUndone(bib: string, batch: string): boolean {
    const { now, takenBy } = this.states.get(bib) ?? {};
    const holder = now ? (now.restoredBy ?? now.batch) : takenBy;
    return this.batches.some(({ id, reverts }) => id === holder && reverts === batch);
  }

  before(bib: string, batch: string): Kept | undefined {
    return this.kept.find((kept) => kept.bib === bib && kept.replacedBy === batch);
  }

  revert(batch: string, revert: string | null) {
    const outcome = { restored: 0, removed: 0, reinstated: 0, already_reverted: 0, kept: 0 };
    for (const bib of this.touched(batch)) {
      if (!this.isCurrent(bib, batch)) {
        outcome[this.isUndone(bib, batch) ? 'already_reverted' : 'kept'] += 1;
        continue;
      }
      const before = this.before(bib, batch);
      const isThere = this.states.get(bib)?.now !== undefined;
      outcome[before ? (isThere ? 'restored' : 'reinstated') : 'removed'] += 1;
      const { seconds, batch: of } = before ?? {};
      const next = seconds && of ? { seconds, batch: of, restoredBy: revert } : undefined;
      this.write(bib, revert ?? '', next);
    }
    if (revert) this.batches.push({ id: revert, reverts: batch });
    return outcome;
  }

  forget(bib: string): void {
    this.states.delete(bib);
    this.kept.splice(0, Infinity, ...this.kept.filter((kept) => kept.bib !== bib));
  }
}

async function call<T>(race: Race, path: string, method = 'GET'): Promise<T> {
  const answer = await request(`${race.path}/result-batches/${path}`, {
    method,
    headers: withKey(race.key),
  });
  expect(answer.status).toBe(200);
  return answer.json<T>();
}

const seconds = (time: string | null | undefined) =>
  time == null ? undefined : Number(time.slice(6, 8));

async function expectAgreement(race: Race, model: Model): Promise<void> {
  const stored = await storedResults(race.eventId);
  expect(Object.fromEntries(Object.entries(stored).map(([bib, { chip }]) => [bib, chip]))).toEqual(
    Object.fromEntries(
      [...model.states].flatMap(([bib, { now }]) => (now ? [[bib, now.seconds * 1_000]] : [])),
    ),
  );
  for (const { id } of model.batches) {
    const { data } = await call<{ data: ResultChange[] }>(race, `${id}/changes`);
    expect(data.map(({ bib_number }) => bib_number)).toEqual(model.touched(id));
    for (const { bib_number, before, replaced_by } of data) {
      const bib = bib_number ?? '';
      expect(seconds(before?.chip_time)).toBe(model.before(bib, id)?.seconds);
      expect(replaced_by === null).toBe(model.isCurrent(bib, id));
    }
  }
}

test('uploads and reverts in any order leave what plain rules say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { minLength: 2, maxLength: 12 }), async (actions) => {
      const race = await createRace({ bibs: BIBS });
      const model = new Model();
      for (const action of actions) {
        if (action.kind === 'upload') {
          const rows = Object.entries(action.rows).map(([bib_number, time]) => ({
            bib_number,
            chip_time: `00:${time}`,
          }));
          model.upload((await uploadRows(race, rows)).batch_id, action.rows);
        } else if (action.kind === 'replace') {
          // Another system deletes the registration and makes a new one.
          const ofBib = and(
            eq(registrations.event_id, race.eventId),
            eq(registrations.bib_number, action.bib),
          );
          await db.delete(registrations).where(ofBib);
          await createRegistrations(race.eventId, [{ bib_number: action.bib }]);
          model.forget(action.bib);
        } else {
          const batch = model.batches[action.of % (model.batches.length || 1)];
          if (!batch) continue;
          const told = await call<ResultBatchReversal>(
            race,
            `${batch.id}/revert?dry_run=true`,
            'POST',
          );
          const done = await call<ResultBatchReversal>(race, `${batch.id}/revert`, 'POST');
          expect({ ...done, batch_id: null, dry_run: true }).toEqual(told);
          expect(done).toMatchObject(model.revert(batch.id, done.batch_id));
        }
      }
      await expectAgreement(race, model);
    }),
    { numRuns: 40 },
  );
});
