import type { PreviewWarning, ResultsFilePreview } from '../../client/index.ts';
import { rows as countOf, say } from '../words.ts';
import { table } from './output.ts';

/** The query of an upload as the flags of this command, ready to be pasted into a shell. */
export function flagsOf(query: string): string {
  const pairs = [...new URLSearchParams(query)];
  return pairs
    .map(([name, value]) => {
      const flag = `--${name.replaceAll('_', '-')}`;
      return value === '' ? `${flag}=` : `${flag} ${quoted(value)}`;
    })
    .join(' ');
}

/** A bare `#3` would start a comment. */
function quoted(value: string): string {
  if (/^[\p{L}\p{N}_.:/+][\p{L}\p{N}_.:/+-]*$/u.test(value)) return value;
  if (process.platform === 'win32' || !/["$`\\!]/.test(value))
    return `"${value.replaceAll('"', '""')}"`;
  return `'${value.replaceAll("'", "'\\''")}'`;
}

const DELIMITERS: Readonly<Record<string, () => string>> = {
  ',': () => say('commas'),
  ';': () => say('semicolons'),
  '\t': () => say('tabs'),
  '|': () => say('vertical_bars'),
};

/** How a file is read: its columns, its first rows, what the upload would do, what would fail. */
export function previewLines({
  encoding,
  delimiter,
  header_line,
  columns,
  counts,
  rows,
  failed,
}: ResultsFilePreview): string[] {
  const between = DELIMITERS[delimiter]?.() ?? JSON.stringify(delimiter);
  const header = header_line === 0 ? say('no_header') : say('header_on_line', { header_line });
  const lines = [`${encoding}, ${between}, ${header}`, ''];
  const filled = new Set(rows.flatMap(({ splits }) => Object.keys(splits)));
  const read = columns.map(({ name, meaning, why, samples }, at) => {
    // Any column may become a split. One with names in it never will.
    const isIdle = meaning === 'split' && !filled.has(name.trim());
    return [
      name || `#${at + 1}`,
      isIdle ? '-' : (meaning ?? '-'),
      samples[0] ?? '',
      isIdle ? say('it_has_no_times') : meaning ? '' : why,
    ];
  });
  lines.push(
    table([say('column'), say('read_as'), say('first_cell'), ''], read.map(shortened)),
    '',
  );
  if (rows.length > 0) {
    const first = rows.slice(0, 5).map((row) => [
      String(row.row),
      row.bib_number,
      row.status,
      row.chip_time ?? '',
      row.gun_time ?? '',
      Object.entries(row.splits)
        .map(([name, time]) => `${name} ${time}`)
        .join(', '),
    ]);
    const titles = [
      ...[say('line'), say('bib'), say('status')],
      ...[say('chip_time'), say('gun_time')],
      say('splits'),
    ];
    lines.push(table(titles, first.map(shortened)), '');
  }
  const { statuses } = counts;
  const others = (['DNF', 'DNS', 'DSQ'] as const)
    .filter((status) => statuses[status] > 0)
    .map((status) => `, ${statuses[status]} ${status}`)
    .join('');
  lines.push(
    say('finished_an_upload_would_store', {
      total_processed: countOf(counts.total_processed),
      finished: statuses.FINISHED,
      others,
      new: counts.new,
      changed: counts.changed,
      unchanged: counts.unchanged,
    }),
  );
  if (counts.duplicates > 0) {
    lines.push(say('of_a_bib_that_comes', { duplicates: countOf(counts.duplicates) }));
  }
  const rejected = counts.errors + counts.not_found;
  if (rejected > 0) {
    lines.push(say('would_be_rejected', { rejected: countOf(rejected) }));
    for (const { row, bib_number, reason } of failed) {
      lines.push(`  ${say('line')} ${row}, ${say('bib')} ${bib_number ?? '-'}: ${reason}`);
    }
    if (rejected > failed.length) lines.push(say('and_more', { length: rejected - failed.length }));
  }
  return lines;
}

const CELL_LENGTH = 40;

const shortened = (cells: readonly string[]): string[] =>
  cells.map((cell) => (cell.length > CELL_LENGTH ? `${cell.slice(0, CELL_LENGTH - 1)}…` : cell));

/** A warning with its lines and, where a person has to decide, the flags of each answer. */
export function warningText({ code, detail, rows, choices = [] }: PreviewWarning): string {
  const where =
    rows.length === 0
      ? ''
      : ` (${say('line')} ${rows.slice(0, 5).join(', ')}${rows.length > 5 ? ', …' : ''})`;
  const answers = choices.map(({ query, why }) => `\n    ${choiceFlags(query)}\n      ${why}`);
  return `  ${code}: ${questionOf(detail)}${where}${answers.join('')}`;
}

/** The API ends the question with its answers as queries. Here they follow as flags. */
export const questionOf = (detail: string): string => detail.replace(/ Add one of: .*$/s, '');

/** The plain reading needs no flag, but somebody has to say that it is the right one. */
export const choiceFlags = (query: string): string => flagsOf(query) || '--time-format clock';
