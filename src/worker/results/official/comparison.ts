import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { compareBibs } from '../../../timing-files/read/name-order.ts';
import { type Database, transact } from '../../db/client.ts';
import { plannedForEvent } from '../../db/planned.ts';
import { following } from '../../db/statement.ts';
import { EXPORT_BUDGET_MS } from '../../db/streamed-statement.ts';
import { toResultContent } from '../result.ts';
import { CHANGED_MAX } from '../schemas.ts';
import { linesOf, unsealed } from './document.ts';
import { readDocument, readPresentRows } from './reading.ts';
import type { ChangedResults, saidResult } from './sql.ts';

type Said = z.output<ReturnType<typeof saidResult>>;

/** A result of a document. A registration without a bib may have a result too. */
type OfBib = Said & { bib_number: string | null };

type Changes = NonNullable<ChangedResults>;
type Change = Changes['first'][number];

/** The memory of `compareWithVersion` for a result. */
export const COMPARED_BYTES = 120;

/**
 * Compares the results of an event with the document of a version, each at a single moment. A document never changes.
 * The function reads the document twice, because a comparison keeps only a digest of each result.
 * @returns the differences, and the digest of the compared results; undefined without results
 */
export async function compareWithVersion(
  db: Database,
  { eventId, version }: { eventId: string; version: number },
): Promise<{ changes: Changes; content: string } | undefined> {
  const signed = async () => {
    const [stream] = await transact(db, [readDocument({ eventId, version })]);
    return linesOf(unsealed(stream.rows));
  };
  const left = new Map<string, number>();
  for await (const line of await signed()) {
    const key = keyOf(JSON.parse(line));
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  const changes = createChanges();
  let content: string | undefined;
  const [{ rows: pieces }] = await transact(db, [
    following([plannedForEvent(EXPORT_BUDGET_MS)], readPresentRows({ eventId })),
  ]);
  for await (const { rows, digest } of pieces) {
    content = digest;
    for (const row of rows) {
      const result = { bib_number: row.bib_number, ...toResultContent(row) };
      if (!take(left, keyOf(result))) changes.add(result.bib_number, 'after', saidOf(result));
    }
  }
  if (content === undefined) return undefined;
  if (left.size > 0) {
    for await (const line of await signed()) {
      const result: OfBib = JSON.parse(line);
      if (take(left, keyOf(result))) changes.add(result.bib_number, 'before', saidOf(result));
    }
  }
  return { changes: changes.finish(), content };
}

const saidOf = ({ status, chip_time, gun_time, splits }: Said): Said => ({
  status,
  chip_time,
  gun_time,
  splits,
});

/** A bib and a digest of the content of its result. */
function keyOf({ bib_number, status, chip_time, gun_time, splits }: OfBib): string {
  const times = Object.keys(splits)
    .sort()
    .map((name) => [name, splits[name]]);
  const said = JSON.stringify([status, chip_time, gun_time, times]);
  return `${JSON.stringify(bib_number)} ${createHash('sha256').update(said).digest('base64')}`;
}

/** Takes a result out of the remaining results. @returns false without such a result */
function take(left: Map<string, number>, key: string): boolean {
  const count = left.get(key);
  if (count === undefined) return false;
  if (count === 1) left.delete(key);
  else left.set(key, count - 1);
  return true;
}

type Side = 'before' | 'after';

/** Counts the changes, and keeps the first changes. */
function createChanges() {
  const bibs = new Set<string>();
  let first: Change[] = [];
  /** Runners without a bib are anonymous: a removed result stands beside a new result. */
  const nameless = { before: 0, after: 0 };
  const pairs: Change[] = [];

  function addNameless(side: Side, said: Said): void {
    const at = nameless[side]++;
    if (at >= CHANGED_MAX) return;
    pairs[at] = { bib_number: null, before: null, after: null, ...pairs[at], [side]: said };
  }

  function add(bib: string | null, side: Side, said: Said): void {
    if (bib === null) addNameless(side, said);
    else if (bibs.has(bib)) {
      const known = first.find((change) => change.bib_number === bib);
      if (known) known[side] = said;
    } else {
      bibs.add(bib);
      const change = { bib_number: bib, before: null, after: null, [side]: said };
      const at = first.findIndex((other) => compareBibs(bib, other.bib_number) < 0);
      first = first.toSpliced(at === -1 ? first.length : at, 0, change).slice(0, CHANGED_MAX);
    }
  }

  return {
    add,
    finish: (): Changes => ({
      total: bibs.size + Math.max(nameless.before, nameless.after),
      first: [...first, ...pairs].slice(0, CHANGED_MAX),
    }),
  };
}
