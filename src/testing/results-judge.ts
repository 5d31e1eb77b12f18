import type { Warning } from '../timing-files/judge/warning.ts';
import { FileError } from '../timing-files/read/file-error.ts';
import { openFile } from '../timing-files/read/open-file.ts';
import { parseParameters } from '../timing-files/read/parameters.ts';
import { parseRaceTime } from '../timing-files/read/race-time.ts';
import { RowError } from '../timing-files/read/reason-codes.ts';
import { judgeRow } from '../timing-files/read/result.ts';
import type { SheetStart } from '../timing-files/read/workbook.ts';
import { type Preview, previewFile } from '../timing-files/suggest/preview.ts';
import { type Batch, createBatchBuilder } from '../worker/results/upload/batch.ts';
import { readCsvBatch } from '../worker/results/upload/csv-batch.ts';
import { bytesIn, streamOf } from './csv.ts';
import type { ResultsFile } from './results-files.ts';

/** The stored results of a query, compared with a person's reading of the file. */
type Outcome =
  | { kind: 'right' }
  /** Faults in stored results, and missing results. Without faults, the missing rows fail. */
  | { kind: 'wrong' | 'incomplete'; faults: string[]; missing: string[] }
  | { kind: 'refused'; why: string };

export type Verdict = {
  name: string;
  plain: Outcome;
  /** Whether a plain upload stores something wrong and warns of nothing. */
  isSilent: boolean;
  /** Undefined if the preview asks a person. */
  suggested: Outcome | undefined;
  /** The preview with the suggested parameters. */
  again?: Preview<Batch>;
  query: string;
  /** An entry for each answer that the preview offers. */
  offered: { query: string; why: string; outcome: Outcome }[];
  /** Whether a preview with an offered answer asks again. */
  isAskedAgain: boolean;
  warnings: string[];
  stored: 'right' | 'asked, right' | 'asked, none right' | 'incomplete' | 'refused' | 'WRONG';
};

/** Follows the suggestion for a file, or each offered answer. */
export async function judgeFile(file: ResultsFile): Promise<Verdict> {
  const { outcome: plain, warnings: ofPlain } = await follow(file, '');
  const isSilent = plain.kind === 'wrong' && ofPlain.length === 0;
  const verdict = {
    name: file.name,
    plain,
    isSilent,
    query: '',
    offered: [],
    isAskedAgain: false,
    warnings: [],
  };
  const preview = await orRefusal(previewOf(file));
  if ('kind' in preview) return { ...verdict, suggested: preview, stored: 'refused' };
  const warnings = preview.warnings.map(({ code }) => code);
  if (preview.suggestion) {
    const { query } = preview.suggestion;
    const { outcome: suggested } = await follow(file, query);
    const stored = suggested.kind === 'wrong' ? 'WRONG' : suggested.kind;
    const again = await previewOf(file, query);
    return { ...verdict, suggested, again, query: decodeURIComponent(query), warnings, stored };
  }
  const offered: Verdict['offered'] = [];
  let isAskedAgain = false;
  for (const { query, why } of preview.warnings.flatMap(({ choices }) => choices ?? [])) {
    offered.push({ query, why, outcome: (await follow(file, query)).outcome });
    isAskedAgain ||= (await previewOf(file, query)).suggestion === null;
  }
  const isOffered = file.isRefusable
    ? offered.length === 0
    : Object.keys(file.results).length === 0 ||
      offered.some(({ outcome }) => outcome.kind === 'right');
  const stored = isOffered ? 'asked, right' : 'asked, none right';
  return { ...verdict, suggested: undefined, offered, isAskedAgain, warnings, stored };
}

async function orRefusal<T>(reading: Promise<T>): Promise<T | (Outcome & { kind: 'refused' })> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FileError) return { kind: 'refused', why: error.message };
    throw error;
  }
}

async function previewOf(file: ResultsFile, query = ''): Promise<Preview<Batch>> {
  const sheets: SheetStart[] = [];
  const blocks = await textIn(file, query, (all) => void sheets.push(...all));
  return previewBlocks(blocks, query, file, sheets);
}

/** The preview of a file in an event with these bibs. */
export const previewBlocks = (
  blocks: readonly Uint8Array[],
  query = '',
  { bibs, distance = null }: { bibs: readonly string[]; distance?: string | null } = { bibs: [] },
  sheets: readonly SheetStart[] = [],
): Promise<Preview<Batch>> =>
  previewFile(blocks, parseParameters(new URLSearchParams(query)), {
    collect: createBatchBuilder,
    sheets,
    bibsOf: async (texts) =>
      new Map(texts.filter((text) => bibs.includes(text)).map((text) => [text, distance])),
  });

/** The file or, for a workbook, the sheet. */
const textIn = (
  file: ResultsFile,
  query = '',
  onSheets: (sheets: readonly SheetStart[]) => void = () => {},
): Promise<Uint8Array[]> =>
  openFile(streamOf([bytesIn(file)]), parseParameters(new URLSearchParams(query)), { onSheets });

async function follow(file: ResultsFile, query: string) {
  const loaded = await orRefusal(load(file, query));
  if ('kind' in loaded) return { outcome: loaded, warnings: [] };
  return { outcome: compare(file, loaded), warnings: loaded.warnings };
}

type Stored = { results: Record<string, unknown>; splits: string[] };

/** The results and splits stored by an upload with this query, and the upload's warnings. */
async function load(
  file: ResultsFile,
  query: string,
): Promise<Stored & { warnings: readonly Warning[] }> {
  const parameters = parseParameters(new URLSearchParams(query));
  const { warnings = [], sentAgain } = await readCsvBatch(streamOf([bytesIn(file)]), parameters);
  const splits = new Set<string>();
  const results: Record<string, unknown> = {};
  for (const row of sentAgain()) {
    const judged = row && judgeRow(row);
    if (!judged || judged instanceof RowError) continue;
    const { bib, status, chipTimeMs, gunTimeMs, splitNames } = judged;
    results[bib] = status === 'FINISHED' ? [chipTimeMs, gunTimeMs] : status;
    for (const name of splitNames) splits.add(name);
  }
  return { results, splits: [...splits].sort(), warnings };
}

/** The results in a person's reading, in the form of `load`. */
const expectedOf = ({ results, splits = [] }: ResultsFile): Stored => ({
  results: Object.fromEntries(
    Object.entries(results).map(([bib, result]) => {
      if (!result.includes(':')) return [bib, result];
      const [chip = '', gun = ''] = result.split(' / ');
      return [bib, [parseRaceTime(chip) ?? null, parseRaceTime(gun) ?? null]];
    }),
  ),
  splits: splits.toSorted(),
});

/** A bib without a runner in the event is refused row by row, so nothing is stored. */
function compare(file: ResultsFile, stored: Stored): Outcome {
  const expected = expectedOf(file);
  const known = Object.entries(stored.results).filter(([bib]) => file.bibs.includes(bib));
  const faults = known.flatMap(([bib, result]) => {
    const right = expected.results[bib];
    const isRight = right === 'ANY' || JSON.stringify(result) === JSON.stringify(right);
    return isRight ? [] : [`${bib}: ${JSON.stringify(result)}, not ${JSON.stringify(right)}`];
  });
  const [splits, right] = [stored.splits.join(), expected.splits.join()];
  if (known.length > 0 && splits !== right) faults.push(`splits ${splits}, not ${right}`);
  const missing = Object.keys(expected.results).filter(
    (bib) => expected.results[bib] !== 'ANY' && !(bib in stored.results),
  );
  if (faults.length + missing.length === 0) return { kind: 'right' };
  return { kind: faults.length > 0 ? 'wrong' : 'incomplete', faults, missing };
}
