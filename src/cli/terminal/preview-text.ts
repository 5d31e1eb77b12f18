import type {
  PassingsFilePreview,
  PreviewWarning,
  ResultsFilePreview,
} from '../../client/index.ts';
import { spell } from '../../timing-files/judge/distances.ts';
import { isTimeFormat, parseTime, TIME_FORMATS } from '../../timing-files/read/time-formats.ts';
import { reasonOf } from '../queue/item.ts';
import { isText, pasted, say, warned } from '../words.ts';
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
  const queries = choices.map(({ query }) => query);
  return choices.map(({ query, why }) => {
    const [, detail] = why.split(', although: ');
    const despite = detail === undefined ? '' : say('detail_despite', { detail });
    // The plain reading needs no flag, but a person has to confirm the plain reading.
    const flags = flagsOf(query) || '--time-format clock';
    return { flags, text: readingText(query, preview, queries) + despite };
  });
}

/**
 * The reading of a query in words, with an example of each column.
 * @param others the queries of all choices: parameters shared by all choices are left out
 */
export function readingText(
  query: string,
  preview: FilePreview,
  others: readonly string[] = [],
): string {
  const said = new URLSearchParams(query);
  const all = others.map((other) => new URLSearchParams(other));
  const isShared = (name: string, value: string) =>
    all.length > 1 && all.every((one) => one.getAll(name).includes(value));
  const own = [...said].filter(([name, value]) => !isShared(name, value));
  // A parameter named only by different choices has the plain value here.
  for (const [name, plain] of Object.entries({ time_format: 'clock', where: '' })) {
    if (!said.has(name) && all.some((one) => one.has(name))) own.push([name, plain]);
  }
  const parts = own.map(([name, value]) => partText(name, value, said, preview));
  const text = parts.length === 0 ? say('reads_as_it_is') : `${parts.join('; ')}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function partText(
  name: string,
  value: string,
  said: URLSearchParams,
  preview: FilePreview,
): string {
  const word = value.slice(0, value.lastIndexOf(':'));
  const status = value.slice(value.lastIndexOf(':') + 1);
  if (name === 'time_format') return formatText(value, said, preview);
  if (name === 'status_word' && status === '') return say('reads_word_left_out', { word });
  const key = `reads_${name}${value === '' || value === '0' ? '_none' : ''}`;
  const column = columnText(value, preview);
  return isText(key) ? say(key, { value, column, word, status }) : `${name}=${value}`;
}

/** `"Zeit" (1:05:00)` */
function columnText(value: string, { columns }: FilePreview): string {
  const found = columns.find(({ name }, at) => value === name || value === `#${at + 1}`);
  const [sample] = found?.samples ?? [];
  return (found?.name ? JSON.stringify(found.name) : value) + (sample ? ` (${sample})` : '');
}

/** `1:05 is 1 h 5 min`. Without a fitting cell, an example of the format. */
function formatText(format: string, said: URLSearchParams, { columns }: FilePreview): string {
  if (!isTimeFormat(format)) return format;
  const names = ['chip_time', 'gun_time'].flatMap((name) => said.getAll(name));
  const timed = columns.filter(({ name, meaning }, at) =>
    names.length > 0
      ? names.includes(name) || names.includes(`#${at + 1}`)
      : meaning === 'chip_time' || meaning === 'gun_time',
  );
  for (const sample of timed.flatMap(({ samples }) => samples)) {
    const timeMs = parseTime(format, sample);
    if (timeMs !== undefined) return say('reads_time', { sample, time: spell(timeMs) });
  }
  return say('reads_time_format', { example: TIME_FORMATS[format].example });
}
