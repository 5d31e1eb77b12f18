import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { linesTable, type Report } from './measure.ts';

const README = join(import.meta.dirname, '../../README.md');

/** The places that README.md keeps for reports, by the name of their bench; what is there now. */
export function placesIn(readme: string): Map<string, string> {
  const places = readme.matchAll(/^<!-- bench (\w+) -->\n(.*?)^<!-- \/bench -->$/gms);
  return new Map(Array.from(places, ([, name = '', text = '']) => [name, text.trim()]));
}

/** @throws where the text keeps no place for the bench */
export function withReport(readme: string, name: string, report: string): string {
  const start = `<!-- bench ${name} -->\n`;
  const from = readme.indexOf(start) + start.length;
  const to = readme.indexOf('<!-- /bench -->', from);
  if (!placesIn(readme).has(name)) throw new Error(`README.md keeps no place for ${name}.`);
  return `${readme.slice(0, from)}\n${report}\n\n${readme.slice(to)}`;
}

/** A report with the command that makes it, and when and on what it was made. */
export function signed(name: string, report: Report, server: string | undefined): string {
  const made = [
    `\`npm run bench -- ${name}\``,
    new Date().toISOString().slice(0, 10),
    `${availableParallelism()} cores`,
    `Node ${process.versions.node}`,
    ...(server === undefined ? [] : [server]),
  ];
  return [textOf([report]), `*${made.join(', ')}*`].join('\n\n');
}

/** What all of them measured in one table, and their notes. */
export function textOf(reports: readonly Report[]): string {
  const lines = reports.flatMap((report) => report.lines);
  const notes = reports.flatMap((report) => report.notes);
  return [...(lines.length > 0 ? [linesTable(lines)] : []), ...notes].join('\n\n');
}

export const benchesInReadme = (): string[] => [...placesIn(readFileSync(README, 'utf8')).keys()];

/** @throws where README.md keeps no place for the bench */
export function writeToReadme(name: string, report: string): void {
  writeFileSync(README, withReport(readFileSync(README, 'utf8'), name, report));
}
