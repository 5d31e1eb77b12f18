import { stdout } from 'node:process';
import { readResultsFiles } from './results-files.ts';
import { judgeFile, type Verdict } from './results-judge.ts';

/**
 * Prints how each file of a folder is read. Fails if a suggestion stores anything wrong, or if a plain upload does
 * so and warns of nothing.
 */
const [, , folder] = process.argv;
const verdicts: Verdict[] = [];
for (const file of readResultsFiles(folder)) verdicts.push(await judgeFile(file));

const offeredOf = ({ offered }: Verdict): string => {
  const right = offered.filter(({ outcome }) => outcome.kind === 'right').length;
  return offered.length === 0 ? '' : `${right} of ${offered.length} right`;
};
const faultsOf = ({ faults, missing }: { faults: string[]; missing: string[] }): string =>
  [...faults, ...missing.map((bib) => `${bib} is missing`)].slice(0, 4).join('; ');
const rows = verdicts.map((one) => [
  one.name,
  one.isSilent ? 'SILENT' : one.plain.kind,
  one.suggested?.kind ?? 'asked',
  offeredOf(one),
  one.stored,
  one.query.replaceAll('\n', '\u23ce'),
  one.warnings.join(' '),
  one.suggested?.kind === 'wrong' ? faultsOf(one.suggested) : '',
]);
const head = ['file', 'plain', 'suggested', 'offered', 'stored', 'query', 'warnings', 'faults'];
const widths = head.map((_, at) =>
  Math.min(44, Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0))),
);
for (const row of [head, ...rows]) {
  stdout.write(
    `${row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()}\n`,
  );
}
const counts = Map.groupBy(verdicts, ({ stored }) => stored);
stdout.write(`${Array.from(counts, ([stored, all]) => `${all.length} ${stored}`).join(', ')}\n`);
process.exitCode = counts.has('WRONG') || verdicts.some(({ isSilent }) => isSilent) ? 1 : 0;
