import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRace, createRegistrations, db } from '../../../testing/factories.ts';
import { request, withKey } from '../../../testing/harness.ts';
import { type Race, storedResults, uploadRows } from '../../../testing/uploads.ts';
import { registrations } from '../../db/schema.ts';
import type {
  ResultBatch,
  ResultBatchReversal,
  ResultChange,
  ResultDeletion,
} from './answer-schemas.ts';

const BIBS = ['1', '2', '3'];

/** A result as its chip time in seconds, with its batches. */
type Version = { seconds: number; batch: string; restoredBy: string | null };

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
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), bib: fc.constantFrom(...BIBS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('replace' as const), bib: fc.constantFrom(...BIBS) }),
  },
);

/** The rules of reverting, in plain code. */
class Model {
  /** The stored result of each bib. */
  readonly stored = new Map<string, Version>();
  readonly kept: Kept[] = [];
  readonly batches: { id: string; reverts: string | undefined; isDeletion?: true }[] = [];

  isOf = (batch: string, version: Version): boolean =>
    version.batch === batch || version.restoredBy === batch;

  write(bib: string, batch: string, next: Version | undefined): void {
    const now = this.stored.get(bib);
    if (now) this.kept.push({ ...now, bib, replacedBy: batch });
    if (next) this.stored.set(bib, next);
    else this.stored.delete(bib);
  }

  upload(batch: string, rows: Record<string, number>): void {
    this.batches.push({ id: batch, reverts: undefined });
    for (const [bib, seconds] of Object.entries(rows)) {
      if (this.stored.get(bib)?.seconds === seconds) continue;
      this.write(bib, batch, { seconds, batch, restoredBy: null });
    }
  }

  delete(batch: string, bib: string): void {
    this.batches.push({ id: batch, reverts: undefined, isDeletion: true });
    this.write(bib, batch, undefined);
  }

  /** The upload whose result the batch left; undefined for no result, null if the batch did nothing to the bib. */
  leftBy(bib: string, batch: string): string | undefined | null {
    const left = [this.stored.get(bib), ...this.kept.filter((kept) => kept.bib === bib)].find(
      (version) => version && this.isOf(batch, version),
    );
    if (left) return left.batch;
    return this.kept.some((kept) => kept.bib === bib && this.isTaken(batch, kept))
      ? undefined
      : null;
  }

  /** Whether the stored result equals the result after the batch, also after a restoring revert. */
  isCurrent = (bib: string, batch: string): boolean =>
    this.leftBy(bib, batch) === this.stored.get(bib)?.batch;

  touched = (batch: string): string[] => BIBS.filter((bib) => this.leftBy(bib, batch) !== null);

  /** Whether the batch is a deletion or a revert that removed or replaced this result. */
  isTaken = (batch: string, kept: Kept): boolean =>
    kept.replacedBy === batch &&
    this.batches.some(({ id, reverts, isDeletion }) => id === batch && (reverts ?? isDeletion));

  /** Whether the result is the result before the batch. */
  isUndone = (bib: string, batch: string): boolean =>
    this.before(bib, batch)?.batch === this.stored.get(bib)?.batch;

  /** Whether a batch is in force: no batch has reverted the batch since, or the revert was reverted too. */
  isInForce(batch: string): boolean {
    const chainOf = (id: string | undefined): string[] => {
      const reverts = this.batches.find((known) => known.id === id)?.reverts;
      return id === undefined ? [] : [...chainOf(reverts), id];
    };
    const [upload, ...reverts] = chainOf(batch);
    const latest = this.batches.findLast(({ id }) => chainOf(id)[0] === upload);
    return (chainOf(latest?.id).length - 1 - reverts.length) % 2 === 0;
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
      const isThere = this.stored.has(bib);
      outcome[before ? (isThere ? 'restored' : 'reinstated') : 'removed'] += 1;
      const { seconds, batch: of } = before ?? {};
      const next = seconds && of ? { seconds, batch: of, restoredBy: revert } : undefined;
      this.write(bib, revert ?? '', next);
    }
    if (revert) this.batches.push({ id: revert, reverts: batch });
    return outcome;
  }

  forget(bib: string): void {
    this.stored.delete(bib);
    this.kept.splice(0, Infinity, ...this.kept.filter((kept) => kept.bib !== bib));
  }
}

async function call<T>(race: Race, path: string, method = 'GET'): Promise<T> {
  const answer = await request(`${race.path}/result-batches${path}`, {
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
    Object.fromEntries([...model.stored].map(([bib, { seconds }]) => [bib, seconds * 1_000])),
  );
  const { data: listed } = await call<{ data: ResultBatch[] }>(race, '?page_size=100');
  for (const { id, reverted_at } of listed) {
    expect([id, reverted_at === null]).toEqual([id, model.isInForce(id)]);
  }
  for (const { id } of model.batches) {
    const { data } = await call<{ data: ResultChange[] }>(race, `/${id}/changes`);
    expect(data.map(({ bib_number }) => bib_number)).toEqual(model.touched(id));
    for (const { bib_number, before, replaced_by } of data) {
      const bib = bib_number ?? '';
      expect(seconds(before?.chip_time)).toBe(model.before(bib, id)?.seconds);
      expect(replaced_by === null).toBe(model.isCurrent(bib, id));
    }
  }
}

type Action = typeof anyAction extends fc.Arbitrary<infer A> ? A : never;

/** Applies an action to the service and to the model, and compares their answers. */
async function perform(action: Action, race: Race, model: Model): Promise<void> {
  if (action.kind === 'upload') {
    const rows = Object.entries(action.rows).map(([bib_number, time]) => ({
      bib_number,
      chip_time: `00:${time}`,
    }));
    model.upload((await uploadRows(race, rows)).batch_id, action.rows);
  } else if (action.kind === 'delete') {
    const answer = await request(`${race.path}/results/${action.bib}`, {
      method: 'DELETE',
      headers: withKey(race.key),
    });
    const isThere = model.stored.has(action.bib);
    expect(answer.status).toBe(isThere ? 200 : 404);
    if (!isThere) return;
    model.delete((await answer.json<ResultDeletion>()).batch_id, action.bib);
  } else if (action.kind === 'replace') {
    // A foreign system deletes the registration and makes a new registration.
    const ofBib = and(
      eq(registrations.event_id, race.eventId),
      eq(registrations.bib_number, action.bib),
    );
    await db.delete(registrations).where(ofBib);
    await createRegistrations(race.eventId, [{ bib_number: action.bib }]);
    model.forget(action.bib);
  } else {
    const batch = model.batches[action.of % (model.batches.length || 1)];
    if (!batch) return;
    const told = await call<ResultBatchReversal>(race, `/${batch.id}/revert?dry_run=true`, 'POST');
    const done = await call<ResultBatchReversal>(race, `/${batch.id}/revert`, 'POST');
    expect({ ...done, batch_id: null, dry_run: true }).toEqual(told);
    expect(done).toMatchObject(model.revert(batch.id, done.batch_id));
  }
}

test('leaves the results of plain rules after uploads, deletions and reverts in any order', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { minLength: 2, maxLength: 12 }), async (actions) => {
      const race = await createRace({ bibs: BIBS });
      const model = new Model();
      for (const action of actions) await perform(action, race, model);
      await expectAgreement(race, model);
    }),
    { numRuns: 12 },
  );
});
