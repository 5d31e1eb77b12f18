import { stdout } from 'node:process';
import { readResultsFiles } from './results-files.ts';
import { judgeFile, type Verdict } from './results-judge.ts';

/** Prints how each file of a folder is read, and fails if a suggestion stores anything wrong. */
const [, , folder] = process.argv;
const verdicts: Verdict[] = [];
for (const file of readResultsFiles(folder)) verdicts.push(await judgeFile(file));

const offeredOf = ({ offered }: Verdict): string => {
  const right = offered.filter(({ outcome }) => outcome.kind === 'right').length;
  return offered.length === 0 ? '' : `${right} of ${offered.length} right`;
};
const rows = verdicts.map((one) => [
  one.name,
  one.plain.kind,
  one.suggested?.kind ?? 'asked',
  offeredOf(one),
  one.stored,
  one.query.replaceAll('\n', '\u23ce'),
  one.warnings.join(' '),
  one.suggested?.kind === 'wrong' ? one.suggested.faults.slice(0, 4).join('; ') : '',
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
process.exitCode = counts.has('WRONG') ? 1 : 0;
