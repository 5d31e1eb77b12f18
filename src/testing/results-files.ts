import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const FOLDER = join(import.meta.dirname, '../timing-files/files');

const Expectation = z.strictObject({
  /** The software or the habit that writes such files. */
  source: z.string(),
  /** By bib: the chip time, ` / ` and the gun time, or a status. Empty if the file has no results. */
  results: z.record(z.string(), z.string()),
  splits: z.optional(z.array(z.string())),
  /** The suggested query, decoded; null if a person has to decide. */
  suggestion: z.nullable(z.string()),
  /** Codes of warnings that the preview must give. */
  warnings: z.optional(z.array(z.string())),
});

/** A file of `timing-files/files` and what a person reads in it. */
export type ResultsFile = z.infer<typeof Expectation> & { base64: string };

/** Reads the files for all tests of a run. Tests in the Workers runtime get them by `inject`. */
export const readResultsFiles = (): ResultsFile[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const read = (file: string) => readFileSync(join(FOLDER, file));
      const csv = read(name.replace(/json$/, 'csv'));
      return {
        ...Expectation.parse(JSON.parse(read(name).toString())),
        base64: csv.toString('base64'),
      };
    });
