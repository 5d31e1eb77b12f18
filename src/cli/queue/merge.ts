import { basename } from 'node:path';
import type { FileRowText } from './item.ts';
import { nameTimeOf } from './name-time.ts';

/** The last reading of a file. */
export type SettledFile = {
  path: string;
  /** Of the bytes: equal files are copies of each other. */
  digest: string;
  /** The time of the last change, from the disk. */
  modifiedMs: number;
  /** The files of the first look are 0. A file that appears or changes later has a higher number. */
  turn: number;
  rows: ReadonlyMap<string, FileRowText>;
};

type SaidRow = FileRowText & {
  /** Other values of older files. */
  over?: readonly string[];
};

/** The merged rows of all files. */
export type Merged = {
  rows: ReadonlyMap<string, SaidRow>;
  /** The rows of disagreeing files without a known order, by key. */
  unordered: Map<string, FileRowText[]>;
  /** The names of all copies of a file. */
  twins: Map<string, string[]>;
};

/** FAT counts in steps of 2 s. */
const SAME_TIME_MS = 2_000;

/**
 * Merges the rows of files. A key with a single value needs no order. The order of the files in the list does not
 * count.
 */
export function merge(files: readonly SettledFile[]): Merged {
  const { originals, twins } = withoutCopies(files);
  const [only, ...others] = originals;
  if (only && others.length === 0) return { rows: only.rows, unordered: new Map(), twins };
  const rows = new Map<string, SaidRow>();
  const claims = new Map<string, [SettledFile, FileRowText][]>();
  const firsts = new Map<string, SettledFile>();
  for (const file of originals) {
    for (const [key, row] of file.rows) {
      const before = rows.get(key);
      const first = firsts.get(key);
      if (before && first) {
        const found = claims.get(key) ?? [[first, before]];
        found.push([file, row]);
        claims.set(key, found);
      } else {
        rows.set(key, row);
        firsts.set(key, file);
      }
    }
  }
  const unordered = new Map<string, FileRowText[]>();
  for (const [key, found] of claims) {
    const row = newestOf(found);
    if (row) rows.set(key, row);
    else {
      rows.delete(key);
      unordered.set(key, oneOfEach(found));
    }
  }
  return { rows, unordered, twins };
}

/** A copy is as old as the oldest of its twins. */
function withoutCopies(files: readonly SettledFile[]) {
  const found = new Map<string, SettledFile[]>();
  for (const file of [...files].sort((one, other) => (one.path < other.path ? -1 : 1))) {
    found.set(file.digest, [...(found.get(file.digest) ?? []), file]);
  }
  const twins = new Map<string, string[]>();
  const originals = [...found.values()].flatMap((same) => {
    const oldest = same.reduce((one, other) => ((byName(other, one) ?? 0) < 0 ? other : one));
    const named = nameTimeOf(basename(oldest.path))
      ? oldest
      : (same.find(({ path }) => nameTimeOf(basename(path))) ?? oldest);
    if (same.length > 1)
      twins.set(
        named.path,
        same.map(({ path }) => path),
      );
    const modifiedMs = Math.min(...same.map((one) => one.modifiedMs));
    return [{ ...named, modifiedMs, turn: Math.min(...same.map(({ turn }) => turn)) }];
  });
  return { originals, twins };
}

/** The row newer than all different rows; undefined without such a row, or if a late comer contradicts the row. */
function newestOf(claims: readonly [SettledFile, FileRowText][]): SaidRow | undefined {
  const [[, first] = []] = claims;
  if (claims.every(([, row]) => row.text === first?.text)) return first;
  for (const [file, row] of claims) {
    const others = claims.filter(([, other]) => other.text !== row.text);
    if (!others.every(([other]) => isNewer(file, other))) continue;
    if (others.some(([other]) => isLateComer(other, file))) return undefined;
    return { ...row, over: [...new Set(others.map(([, other]) => other.text))].sort() };
  }
  return undefined;
}

const isNewer = (file: SettledFile, other: SettledFile): boolean =>
  (byName(file, other) ?? file.modifiedMs - other.modifiedMs - SAME_TIME_MS) > 0;

/** The order of two files by the times in the names; undefined if the names do not tell. */
export function byName({ path }: { path: string }, other: { path: string }): number | undefined {
  const [own, others] = [nameTimeOf(basename(path)), nameTimeOf(basename(other.path))];
  if (!own || !others || (own.day === undefined) !== (others.day === undefined)) return undefined;
  const later = (own.day ?? 0) - (others.day ?? 0) || own.seconds - others.seconds;
  return later === 0 ? undefined : later;
}

/**
 * Whether an older file came or changed after the reading of the newer file: after a clock set back, or as an old copy.
 */
const isLateComer = (older: SettledFile, newer: SettledFile): boolean =>
  older.turn > newer.turn &&
  (byName(older, newer) === undefined || older.modifiedMs > newer.modifiedMs + SAME_TIME_MS);

function oneOfEach(claims: readonly [SettledFile, FileRowText][]): FileRowText[] {
  const rows = claims.map(([, row]) => row).sort((one, other) => (one.file < other.file ? -1 : 1));
  return [...new Map(rows.map((row) => [row.text, row])).values()];
}
