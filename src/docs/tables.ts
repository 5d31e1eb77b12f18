import { ERROR_STATUS } from '../errors.ts';
import { ERROR_CODES } from './error-codes.ts';
import { delimiterOf, type SentFile, TIMING_EXPORTS, type TimingExport } from './timing-exports.ts';

const DELIMITERS: Record<string, string> = { ';': 'semicolons', '\t': 'tabs', ',': 'commas' };

/** Of every code: status, what it means, what to do. */
export function errorTable(): string {
  const rows = Object.entries(ERROR_STATUS)
    .sort(([, status], [, other]) => status - other)
    .map(([code, status]) => {
      const { means, remedy } = ERROR_CODES[code as keyof typeof ERROR_STATUS];
      return [`\`${code}\``, status, means, remedy];
    });
  return table(['Code', 'Status', 'What it means', 'What to do'], rows);
}

/** Of everything that exports results: its file, how that is read, what to change before. */
export const exportTable = (): string =>
  table(
    ['From', 'A typical file', 'Is read as', 'Change before the upload'],
    TIMING_EXPORTS.map((exported) => [
      exported.source,
      describeFile(exported.sent),
      describeReading(exported),
      exported.advice?.text ?? 'Nothing.',
    ]),
  );

function describeFile(sent: SentFile): string {
  const [header = ''] = sent.text.split('\r\n');
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

const table = (header: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
