import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { formatRaceTimeOrNull } from '../timing-files/read/race-time.ts';

const RESULTS_FILES = join(import.meta.dirname, '../timing-files/files');

const Expectation = z.strictObject({
  /** The software or the habit behind such files. */
  source: z.string(),
  /** By bib: the chip time, ` / ` and the gun time, or a status. Empty if the file has no results. */
  results: z.record(z.string(), z.string()),
  splits: z.optional(z.array(z.string())),
  /** The suggested query, decoded; null if a person has to decide. */
  suggestion: z.optional(z.nullable(z.string())),
  /** Codes of the required warnings of the preview. */
  warnings: z.optional(z.array(z.string())),
  /** The distance of the event's registrations. */
  distance: z.optional(z.string()),
});

/** A results file and its content in a person's reading. */
export type ResultsFile = Omit<z.infer<typeof Expectation>, 'distance'> & {
  name: string;
  base64: string;
  /** Whether the file has no result, so that no answer may store a row. */
  isRefusable: boolean;
  /** The bibs of the event, and the common distance. */
  bibs: string[];
  distance: string | null;
};

const Listed = z.object({
  file: z.string(),
  expect: z.record(
    z.string(),
    z.object({
      chip: z.nullable(z.number()),
      gun: z.nullable(z.number()),
      status: z.string(),
      any: z.boolean(),
    }),
  ),
  splits: z.array(z.string()),
  refuse: z.optional(z.boolean()),
  bibs: z.optional(z.array(z.string())),
  distance: z.nullish(z.string()),
});

/** The bibs of an event with 300 runners, as the bibs of most of these files. */
const BIBS = Array.from({ length: 300 }, (_, at) => String(at + 1));

/**
 * The files of a folder with a person's reading: `name.json` beside each file, or a list `manifest.json` for all files.
 */
export const readResultsFiles = (folder = RESULTS_FILES): ResultsFile[] =>
  existsSync(join(folder, 'manifest.json')) ? readListed(folder) : readPairs(folder);

const base64Of = (...path: string[]): string => readFileSync(join(...path)).toString('base64');

function readPairs(folder: string): ResultsFile[] {
  const names = readdirSync(folder);
  return names
    .filter((name) => name.endsWith('.json'))
    .map((json) => {
      const stem = json.replace(/json$/, '');
      const name = names.find((one) => one.startsWith(stem) && one !== json) ?? '';
      const file = Expectation.parse(JSON.parse(readFileSync(join(folder, json)).toString()));
      return {
        ...file,
        name,
        base64: base64Of(folder, name),
        isRefusable: false,
        bibs: [...BIBS, ...Object.keys(file.results)],
        distance: file.distance ?? null,
      };
    });
}

function readListed(folder: string): ResultsFile[] {
  const text = readFileSync(join(folder, 'manifest.json')).toString();
  return z
    .array(Listed)
    .parse(JSON.parse(text))
    .map((listed) => ({
      name: listed.file,
      source: listed.file,
      base64: base64Of(folder, listed.file),
      results: Object.fromEntries(
        Object.entries(listed.expect).map(([bib, { chip, gun, status, any }]) => [
          bib,
          any ? 'ANY' : status === 'FINISHED' ? `${timeOf(chip)} / ${timeOf(gun)}` : status,
        ]),
      ),
      splits: listed.splits,
      isRefusable: listed.refuse === true,
      bibs: listed.bibs ?? BIBS,
      distance: listed.distance ?? null,
    }));
}

const timeOf = (timeMs: number | null): string => formatRaceTimeOrNull(timeMs) ?? '';
