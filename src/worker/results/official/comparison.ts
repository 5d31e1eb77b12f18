import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { compareBibs } from '../../../timing-files/read/name-order.ts';
import { type Database, transact } from '../../db/client.ts';
import { plannedForEvent } from '../../db/planned.ts';
import { EXPORT_BUDGET_MS } from '../../db/streamed-statement.ts';
import { toResultContent } from '../result.ts';
import { CHANGED_MAX } from '../schemas.ts';
import { linesOf, unsealed } from './document.ts';
import { readDocument, readPresentRows } from './reading.ts';
import type { ChangedResults, saidResult } from './sql.ts';

type Said = z.output<ReturnType<typeof saidResult>>;

/** A result of a document. A registration without a bib may have one too. */
type OfBib = Said & { bib_number: string | null };

type Changes = NonNullable<ChangedResults>;
type Change = Changes['first'][number];

/** The memory that `compareWithVersion` takes for a result. */
export const COMPARED_BYTES = 120;

/**
 * Compares the results of an event with the document of a version, at one moment each. A document never changes. It is
 * read twice, because a comparison keeps a digest of each result alone.
 * @returns how they differ, and the digest of the results that were compared; undefined without results
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
  const [, { rows: pieces }] = await transact(db, [
    plannedForEvent(EXPORT_BUDGET_MS),
    readPresentRows({ eventId }),
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

/** A bib and a digest of what its result says. */
function keyOf({ bib_number, status, chip_time, gun_time, splits }: OfBib): string {
  const times = Object.keys(splits)
    .sort()
    .map((name) => [name, splits[name]]);
  const said = JSON.stringify([status, chip_time, gun_time, times]);
  return `${JSON.stringify(bib_number)} ${createHash('sha256').update(said).digest('base64')}`;
}

/** Takes one of what is left. @returns false if there is none */
function take(left: Map<string, number>, key: string): boolean {
  const count = left.get(key);
  if (count === undefined) return false;
  if (count === 1) left.delete(key);
  else left.set(key, count - 1);
  return true;
}

type Side = 'before' | 'after';

/** Counts the changes, and keeps the first of them. */
function createChanges() {
  const bibs = new Set<string>();
  let first: Change[] = [];
  /** Runners without a bib are nobody in particular: a result that has gone stands beside one that is new. */
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
