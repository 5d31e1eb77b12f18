import type {
  PassingsFilePreview,
  PreviewWarning,
  ResultsFilePreview,
} from '../../client/index.ts';
import { reasonOf } from '../queue/item.ts';
import { pasted, say, warned } from '../words.ts';
import { table } from './output.ts';

/** The query of an upload as the flags of this command, ready to be pasted into a shell. */
export const flagsOf = (query: string): string =>
  [...new URLSearchParams(query)]
    .map(([name, value]) => {
      const flag = `--${name.replaceAll('_', '-')}`;
      return value === '' ? `${flag}=` : `${flag} ${pasted(value)}`;
    })
    .join(' ');

/** The preview of a file of results, or of the passings of a point. */
export type FilePreview = ResultsFilePreview | PassingsFilePreview;

/** How a file is read: its columns, its first rows, what the upload would do, what would fail. */
export function previewText(preview: FilePreview): string {
  const { encoding, delimiter, header_line, columns, counts, rows, failed } = preview;
  const filled = new Set(rows.flatMap((row) => ('splits' in row ? Object.keys(row.splits) : [])));
  const read = columns.map(({ name, meaning, why, samples }, at) => {
    // Any column may become a split. One with names in it never will.
    const isIdle = meaning === 'split' && !filled.has(name.trim());
    const note = isIdle
      ? say('column_without_times')
      : meaning
        ? ''
        : say('detail_column', { detail: why });
    const readAs = (isIdle ? null : meaning) ?? '-';
    return shortened([name || `#${at + 1}`, readAs, samples[0] ?? null, note]);
  });
  const first = rows.slice(0, 5).map((one) => shortened(cellsOf(one)));
  const heading = 'statuses' in counts ? 'preview_rows' : 'preview_passings';
  const rejected = counts.errors + counts.not_found;
  const more = rejected - failed.length;
  return [
    say('preview_form', { encoding, delimiter: JSON.stringify(delimiter), header_line }),
    `\n${table(say('preview_columns'), read)}`,
    ...(first.length > 0 ? [`\n${table(say(heading), first)}`] : []),
    '',
    outcomeOf(counts),
    ...(counts.duplicates > 0 ? [say('preview_duplicates', counts)] : []),
    ...(rejected > 0 ? [say('preview_rejected', { rejected })] : []),
    ...failed.map(({ row, bib_number: bib, reason_code, reason }) =>
      say('preview_failure', {
        line: row,
        bib: bib ?? '-',
        reason: reasonOf(reason_code, reason, bib),
      }),
    ),
    ...(more > 0 ? [say('and_more', { more })] : []),
  ].join('\n');
}

function cellsOf(row: FilePreview['rows'][number]): (string | null)[] {
  const start = [`${row.row}`, row.bib_number];
  if ('point' in row) return [...start, row.time];
  const splits = Object.entries(row.splits).map((split) => split.join(' '));
  return [...start, row.status, row.chip_time, row.gun_time, splits.join(', ')];
}

/** What the upload would store. */
function outcomeOf(counts: FilePreview['counts']): string {
  if (!('statuses' in counts)) {
    const changed = counts.updated - counts.unchanged;
    return say('preview_passing_counts', { ...counts, changed });
  }
  const { FINISHED: finished, ...others } = counts.statuses;
  const words = Object.entries(others).filter(([, count]) => count > 0);
  return say('preview_counts', {
    ...counts,
    finished,
    others: words.map(([word, count]) => `, ${count} ${word}`).join(''),
  });
}

const CELL_LENGTH = 40;

const shortened = (cells: readonly (string | null)[]): string[] =>
  cells.map((cell) => {
    const text = cell ?? '';
    return text.length > CELL_LENGTH ? `${text.slice(0, CELL_LENGTH - 1)}…` : text;
  });

/** A warning with its lines and, where a person has to decide, the flags of each answer. */
export function warningText({ code, detail, rows, choices = [] }: PreviewWarning): string {
  const text = warned({ code, detail: questionOf(detail) });
  const lines = rows.slice(0, 5).join(', ');
  const where = rows.length === 0 ? '' : say('on_lines', { lines });
  const answers = choices.map(({ query, why }) => `\n    ${choiceFlags(query)}\n      ${why}`);
  return `  ${code}: ${text}${where}${answers.join('')}`;
}

/** The API ends the question with its answers as parameters. Here they follow as flags. */
export const questionOf = (detail: string): string =>
  detail.replace(/ Send it with one of these parameters: .*$/s, '');

/** The plain reading needs no flag, but somebody has to say that it is the right one. */
export const choiceFlags = (query: string): string => flagsOf(query) || '--time-format clock';
