import { availableParallelism, cpus } from 'node:os';
import { linesTable, type Report } from './measure.ts';

/** The figures of a report as a table, and its notes. */
export const textOf = ({ lines, notes }: Report): string =>
  [...(lines.length > 0 ? [linesTable(lines)] : []), ...notes].join('\n\n');

/** The contents of `RESULTS.md`. @param server undefined if no bench used a real server */
export function resultsFile(
  reports: readonly (Report & { name: string })[],
  server: string | undefined,
): string {
  const machine = [
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    `Node ${process.versions.node}`,
    ...(server === undefined ? [] : [server]),
  ];
  const sections = reports.map((report) => [`## ${report.name}`, textOf(report)].join('\n\n'));
  return `${[
    '# Benchmark results',
    `\`npm run bench -- --write ${reports.map(({ name }) => name).join(' ')}\` wrote this file on ` +
      `${new Date().toISOString().slice(0, 10)}. The machine: ${machine.join(', ')}.`,
    ...sections,
  ].join('\n\n')}\n`;
}
