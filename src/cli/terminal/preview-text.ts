import type {
  PassingsFilePreview,
  PreviewWarning,
  ResultsFilePreview,
} from '../../client/index.ts';
import { spell } from '../../timing-files/judge/distances.ts';
import { isTimeFormat, parseTime, TIME_FORMATS } from '../../timing-files/read/time-formats.ts';
import { reasonOf } from '../queue/item.ts';
import { pasted, say, warned } from '../words.ts';
import { table } from './output.ts';

/** The query of an upload as flags of this command, ready to paste into a shell. */
export const flagsOf = (query: string): string =>
  [...new URLSearchParams(query)]
    .map(([name, value]) => {
      const flag = `--${name.replaceAll('_', '-')}`;
      return value === '' ? `${flag}=` : `${flag} ${pasted(value)}`;
    })
    .join(' ');

/** The preview of a file of results, or of the passings of a point. */
export type FilePreview = ResultsFilePreview | PassingsFilePreview;

/** The preview of a file: the columns, the first rows, the effect of the upload, the rejected rows. */
export function previewText(preview: FilePreview): string {
  const { encoding, delimiter, header_line, columns, counts, rows, failed } = preview;
  const filled = new Set(rows.flatMap((row) => ('splits' in row ? Object.keys(row.splits) : [])));
  const read = columns.map(({ name, meaning, why, samples }, at) => {
    // Any column may become a split, except a column without times.
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
    ...failed.map(({ row: line, bib_number: bib, reason_code, reason: detail }) => {
      const reason = reasonOf(reason_code, detail, bib);
      return `  ${say('rejected', { line, bib: bib ?? '-', reason })}`;
    }),
    ...(more > 0 ? [say('and_more', { more })] : []),
  ].join('\n');
}

function cellsOf(row: FilePreview['rows'][number]): (string | null)[] {
  const start = [`${row.row}`, row.bib_number];
  if ('point' in row) return [...start, row.time];
  const splits = Object.entries(row.splits).map((split) => split.join(' '));
  return [...start, row.status, row.chip_time, row.gun_time, splits.join(', ')];
}

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

/** A warning with the line numbers and, for a question, the flags of each answer. */
export function warningText(warning: PreviewWarning, preview: FilePreview): string {
  const { code, rows } = warning;
  const lines = rows.slice(0, 5).join(', ');
  const where = rows.length === 0 ? '' : say('on_lines', { lines });
  const answers = choicesOf(warning, preview).map(
    ({ flags, text }) => `\n    ${flags}\n      ${text}`,
  );
  return `  ${code}: ${questionText(warning)}${where}${answers.join('')}`;
}

/** The API ends a question with the answers as parameters. The command shows the answers as flags. */
export const questionText = (warning: PreviewWarning): string =>
  warned({
    ...warning,
    detail: warning.detail.replace(/ Send it with one of these parameters: .*$/s, ''),
  });

/** The answers to a question, as flags and in words. */
export function choicesOf({ choices = [] }: PreviewWarning, preview: FilePreview) {
  const isOfFormat = choices.some(({ query }) => formatIn(query) !== undefined);
  return choices.map((choice) => {
    // The plain reading needs no flag, but a person has to confirm the plain reading.
    const flags = flagsOf(choice.query) || '--time-format clock';
    return { flags, text: readingText(choice, preview, isOfFormat ? 'clock' : undefined) };
  });
}

type Reading = NonNullable<FilePreview['suggestion']>;
type Columns = Pick<FilePreview, 'columns'>;

const formatIn = (query: string) => new URLSearchParams(query).get('time_format') ?? undefined;

/**
 * The reading of a file in the API's words. In Spanish, the flags of the reading say the same, and an example shows the
 * format of the times.
 * @param plain the format of a query without a format, if a person is to look at the format
 */
export function readingText({ query, why }: Reading, preview: Columns, plain?: string): string {
  const format = formatIn(query) ?? plain;
  const example = format === undefined ? '' : formatText(format, query, preview);
  const isDoubtful = why.includes(', although: ');
  const key = isDoubtful ? 'detail_doubtful_reading' : 'detail_reading';
  return say(key, { detail: why, example }).trim();
}

/** `1:05 is 1 h 5 min`. Without a fitting cell, an example of the format. */
function formatText(format: string, query: string, { columns }: Columns): string {
  if (!isTimeFormat(format)) return format;
  const said = new URLSearchParams(query);
  const names = ['chip_time', 'gun_time'].flatMap((name) => said.getAll(name));
  const timed = columns.filter(({ name, meaning }, at) =>
    names.length > 0
      ? names.includes(name) || names.includes(`#${at + 1}`)
      : meaning === 'chip_time' || meaning === 'gun_time',
  );
  for (const sample of timed.flatMap(({ samples }) => samples)) {
    const timeMs = parseTime(format, sample);
    if (timeMs !== undefined)
      return say('detail_time', { sample, time: spell(timeMs), detail: '' });
  }
  return say('detail_time_format', { example: TIME_FORMATS[format].example, detail: '' });
}
