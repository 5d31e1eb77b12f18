import { stdout } from 'node:process';
import { readResultsFiles } from './results-files.ts';
import { judgeFile, type Verdict } from './results-judge.ts';

/**
 * Prints the reading of each file in the folders; without an argument, of the test files. Fails if a suggestion stores
 * a wrong result, if a plain upload does so without a warning, or if a choice is asked again.
 */
const [, , ...folders] = process.argv;

const offeredOf = ({ offered }: Verdict): string => {
  const right = offered.filter(({ outcome }) => outcome.kind === 'right').length;
  return offered.length === 0 ? '' : `${right} of ${offered.length} right`;
};
const faultsOf = ({ faults, missing }: { faults: string[]; missing: string[] }): string =>
  [...faults, ...missing.map((bib) => `${bib} is missing`)].slice(0, 4).join('; ');

function print(folder: string | undefined, verdicts: readonly Verdict[]): void {
  const rows = verdicts.map((verdict) => [
    verdict.name,
    verdict.isSilent ? 'SILENT' : verdict.plain.kind,
    verdict.suggested?.kind ?? 'asked',
    offeredOf(verdict),
    verdict.isAskedAgain ? `${verdict.stored}, AGAIN` : verdict.stored,
    verdict.query.replaceAll('\n', '\u23ce'),
    verdict.warnings.join(' '),
    verdict.suggested?.kind === 'wrong' ? faultsOf(verdict.suggested) : '',
  ]);
  const head = ['file', 'plain', 'suggested', 'offered', 'stored', 'query', 'warnings', 'faults'];
  const widths = head.map((_, at) =>
    Math.min(44, Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0))),
  );
  for (const row of [head, ...rows]) {
    const cells = row.map((cell, at) => cell.padEnd(widths[at] ?? 0));
    stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
  const counts = Map.groupBy(verdicts, ({ stored }) => stored);
  const sums = Array.from(counts, ([stored, all]) => `${all.length} ${stored}`).join(', ');
  const silent = verdicts.filter(({ isSilent }) => isSilent).length;
  stdout.write(
    `${folder ?? 'committed'}: ${sums}; ${silent} wrong in silence without parameters\n`,
  );
}

for (const folder of folders.length === 0 ? [undefined] : folders) {
  const verdicts: Verdict[] = [];
  for (const file of readResultsFiles(folder)) verdicts.push(await judgeFile(file));
  print(folder, verdicts);
  const isBad = verdicts.some((one) => one.stored === 'WRONG' || one.isSilent || one.isAskedAgain);
  if (isBad) process.exitCode = 1;
}
