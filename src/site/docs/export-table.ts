import { markdownTable } from '../markdown-table.ts';
import { delimiterOf, type SentFile, TIMING_EXPORTS, type TimingExport } from './timing-exports.ts';

const DELIMITERS: Record<string, string> = { ';': 'semicolons', '\t': 'tabs', ',': 'commas' };

/** The table of timing programs: a typical export, how the API reads the export, and the first thing to change. */
export const exportTable = (): string =>
  markdownTable(
    ['From', 'A typical file', 'Is read as', 'Change before the upload'],
    TIMING_EXPORTS.map((exported) => [
      exported.source,
      describeFile(exported.sent),
      describeReading(exported),
      exported.advice?.text ?? 'Nothing.',
    ]),
  );

function describeFile(sent: SentFile): string {
  const [header = ''] = sent.lines;
  return `${sent.encoding}, ${DELIMITERS[delimiterOf(sent)]}: \`${header.replaceAll('\t', ' ⇥ ')}\``;
}

function describeReading({ sent: { read }, failed = {} }: TimingExport): string {
  if ('refused' in read) return `Nothing: “${read.refused}”.`;
  const { splits = [] } = read;
  const columns = [
    ['bib', read.bib],
    ['chip time', read.chipTime],
    ['gun time', read.gunTime],
    ['status', read.status],
    ...splits.map((split) => ['split', split]),
  ].flatMap(([meaning, name]) => (name === undefined ? [] : [`${meaning}: \`${name}\``]));
  const failures = Object.entries(failed).map(([line, why]) => `Line ${line} fails: “${why}”.`);
  return [`${columns.join(', ')}.`, ...failures].join(' ');
}
