import { basename } from 'node:path';
import { ApiError, type PreviewWarning } from '../../client/index.ts';
import { type Parameters, writeQuery } from '../../timing-files/read/parameters.ts';
import { plainCsvLine } from '../../timing-files/write/csv.ts';
import { CliError, EXIT, failure } from '../exit-codes.ts';
import { hasSameNames, RACE_FILE, type Reading } from '../files/race-file.ts';
import type { ReadFile } from '../files/reading.ts';
import { unreadable } from '../files/watched-files.ts';
import type { Folder } from '../queue/folder.ts';
import { finishMs, passingIn, pointOf } from '../queue/item.ts';
import { ALL, csvOf } from '../queue/sending.ts';
import { named, pasted, say, warned } from '../words.ts';
import type { Context } from './context.ts';
import { type FilePreview, flagsOf, readingText, warningText } from './preview-text.ts';

/** A reason for a person to look before a file is sent. */
export type Guard = { code: string; detail: string };

/** A warning of the API, in the language of the computer. */
export const guardOf = (warning: PreviewWarning): Guard => ({
  code: warning.code,
  detail: warned(warning),
});

/**
 * Finds a header changed since the last version, or an unchecked header in a folder with checked headers.
 * @param before the file's previous header
 */
export function headerGuard(
  { race }: Pick<Context['settings'], 'race'>,
  file: string,
  { header, isKnown }: ReadFile,
  before?: readonly string[],
): Guard[] {
  const expected = before ?? race.readings?.[0]?.header;
  if (!expected || isKnown || hasSameNames(expected, header)) return [];
  const quoted = (names: readonly string[]) =>
    named(names.map((name) => JSON.stringify(name.slice(0, 100)))) || '-';
  const why = say('columns_differ', {
    missing: quoted(expected.filter((name) => !header.includes(name))),
    added: quoted(header.filter((name) => !expected.includes(name))),
  });
  const key = before ? 'header_changed' : 'header_unchecked';
  const values = { race_file: RACE_FILE, file: basename(file), why };
  return [{ code: 'header_differs', detail: say(key, values) }];
}

/** Whether a person has given the meaning of the times: of a point, or of the finish. */
export const isMeant = ({ parameters, accepted }: ReadFile): boolean =>
  parameters.point !== undefined || accepted.includes('point_or_finish');

/** Asks about a file with times below the stored finish times, unless a person has given the meaning. */
export function meaningGuard(file: string, read: ReadFile, known: Known): Guard[] {
  const isAsked = !isMeant(read) && isBelowFinishers(file, read, known);
  const detail = isAsked ? say('point_or_finish', { file: basename(file) }) : '';
  return isAsked ? [{ code: 'point_or_finish', detail }] : [];
}

type Known = Pick<Folder, 'held'> & { store: Pick<Folder['store'], 'acknowledged'> };

/**
 * Whether most finishers of the file have a slower stored time from another file. Such a file probably belongs to a
 * point on the course. A file correcting its own times, as after a new start, does not count.
 */
function isBelowFinishers(file: string, { rows }: ReadFile, { held, store }: Known): boolean {
  let finishers = 0;
  let below = 0;
  for (const [key, { text }] of rows) {
    const stored = held.get(key)?.text;
    const isOwn = store.acknowledged.get(key)?.file === file;
    if (stored === undefined || isOwn || pointOf(key) !== undefined) continue;
    const [before, now] = [finishMs(stored), finishMs(text)];
    if (before === undefined || now === undefined) continue;
    finishers += 1;
    if (now < before) below += 1;
  }
  return below * 2 > finishers;
}

const STOPPING = [
  'header_differs',
  'point_or_finish',
  'implausible_for_distance',
  'time_of_day',
  'rows_fail_alike',
  'whole_minutes',
  'bibs_unlikely',
  'zero_time',
  'finished_despite_mark',
  'no_race_time',
  'other_reading',
] as const satisfies (PreviewWarning['code'] | QuestionCode)[];

/** The whole file may be misread: no row is sent before a person accepts the warning. */
export const isStopping = (code: string): code is (typeof STOPPING)[number] =>
  STOPPING.some((one) => one === code);

type QuestionCode = 'header_differs' | 'point_or_finish' | 'other_reading';

/** Only a person can choose the reading of the file. */
export const isQuestion = ({ code, choices }: PreviewWarning): boolean =>
  code === 'file_refused' || (choices !== undefined && !isStopping(code));

/** Open questions without a risk of wrong results: rows with an unknown status fail. */
const HARMLESS = new Set<string>([
  'splits_unlikely',
  'status_unclear',
] satisfies PreviewWarning['code'][]);

/** Previews a file as results, or as the passings of the file's point. A preview writes nothing. */
export function previewOf(
  { settings: { eventId }, client, signal }: Pick<Context, 'settings' | 'client' | 'signal'>,
  bytes: Uint8Array | string,
  { point }: Pick<Parameters, 'point'>,
  read: string,
  sender?: string,
): Promise<FilePreview> {
  const options = { read, signal, ...(sender !== undefined && { sender, leave: ALL }) };
  return point === undefined
    ? client.previewEventResultsFile(eventId, bytes, options)
    : client.previewEventPassingsFile(eventId, point, bytes, options);
}

/** Previews an already read file. The API sees race times instead of times of day. */
export function previewRead(
  context: Pick<Context, 'settings' | 'client' | 'signal'>,
  bytes: Uint8Array,
  { isOfDay, parameters, rows }: ReadFile,
  sender?: string,
): Promise<FilePreview> {
  if (!isOfDay) return previewOf(context, bytes, parameters, writeQuery(parameters), sender);
  const texts = [...rows.values()].map(({ text }) => text);
  if (parameters.point === undefined) {
    const { csv, read } = csvOf(texts.filter((text) => !passingIn(text)));
    return previewOf(context, csv, parameters, read, sender);
  }
  const passings = texts.flatMap((text) => passingIn(text) ?? []);
  const lines = passings.map(({ bib_number, time }) => plainCsvLine([bib_number, time]));
  return previewOf(context, ['bib,time\n', ...lines].join(''), parameters, '', sender);
}

/**
 * Turns the warnings of the API's preview into guards.
 * @throws CliError for an unreadable file, or if only a person can choose the reading; RaceResultsError
 */
export async function previewGuards(
  context: Context,
  name: string,
  bytes: Uint8Array,
  file: ReadFile,
  sender: string,
): Promise<Guard[]> {
  const isKnown = file.isKnown || file.isOfDay;
  const preview = await previewRead(context, bytes, file, sender).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    throw unreadable(name, error.detail);
  });
  const { warnings, suggestion } = preview;
  const flags = flagsOf(suggestion?.query ?? '') || '-';
  const others = warnings.filter(
    ({ code }) => !isIdle(code, file) && (code !== IMPOSSIBLE || areMostImpossible(preview)),
  );
  const unclear = others.filter(
    (one) =>
      isQuestion(one) && !HARMLESS.has(one.code) && (!isKnown || one.code === 'file_refused'),
  );
  if (unclear.length > 0) {
    const hint = suggestion ? [say('readable_with', { flags })] : [];
    throw unclearFile(name, preview, unclear, hint);
  }
  const guards: Guard[] = others
    .filter((one) => !isQuestion(one) || HARMLESS.has(one.code))
    .map(guardOf);
  if (suggestion && suggestion.query !== writeQuery(file.parameters) && !isKnown) {
    const detail = say('other_reading', {
      why: readingText(suggestion, preview),
      flags,
      path: pasted(name),
    });
    guards.push({ code: 'other_reading', detail });
  }
  return guards;
}

const IMPOSSIBLE = 'implausible_for_distance';
/** The longest list of left rows in a preview. */
const LEFT_LISTED = 1_000;

/** The API leaves impossible rows. If most rows are impossible, the reading of the file is wrong. */
function areMostImpossible({ left, counts }: FilePreview): boolean {
  const impossible = left.filter(({ reason_code: code }) => /^too_(fast|slow)$/.test(code)).length;
  return impossible * 2 > Math.min(counts.total_processed, LEFT_LISTED);
}

/** The warnings of a file with an open question. */
export function unclearFile(
  name: string,
  preview: FilePreview,
  warnings: PreviewWarning[],
  hint: string[] = [],
): CliError {
  const lines = warnings.map((one) => warningText(one, preview));
  const head = say('file_unclear', { name, path: pasted(name) });
  return new CliError(EXIT.unclear, [head, ...lines, ...hint].join('\n'));
}

/** Warnings without meaning here: most runners may be on the course. */
export function isIdle(code: string, file: ReadFile): boolean {
  const { total, unreadable: failed } = file;
  const onCourse = file.onCourse.length;
  switch (code) {
    case 'no_results_yet':
    case 'many_changes': // The API leaves these rows.
    case 'times_left_out': // The status decides.
    case 'dns_with_passing': // The API leaves these rows.
    case 'old_gun': // The API leaves these rows.
    case 'splits_removed': // The command asks itself, with the bibs.
      return true;
    case 'whole_minutes': // A person has chosen the format.
      return file.parameters.timeFormat !== 'clock';
    case 'column_not_read':
      return file.isKnown;
    case 'rows_fail_alike':
      return total === onCourse || failed.length < (total - onCourse) * 0.9;
    default:
      return false;
  }
}

/**
 * Asks a person, or accepts a `--force` with the names of all guards.
 * @returns the codes of the stopping guards, asked again for each file
 * @throws CliError if the guards are not passed
 */
export async function passGuards(
  { settings, output, prompter }: Pick<Context, 'settings' | 'output' | 'prompter'>,
  guards: readonly Guard[],
  question = say('ask_send_anyway'),
): Promise<string[]> {
  const codes = guards.map(({ code }) => code);
  const kept = codes.filter(isStopping);
  if (guards.length === 0) return kept;
  const lines = guards.map(({ code, detail }) => `\n  ${detail} (${code})`).join('');
  output.warning('guards', { guards }, say('look_before_sending', { lines }));
  if (codes.every((code) => settings.force.has(code))) return kept;
  if (prompter.canAsk && (await prompter.confirm(question))) return kept;
  throw failure(EXIT.guard, 'guard_stopped');
}

/** The stored reading of a file checked by a person. */
export const readingOf = (path: string, read: ReadFile, accepted: readonly string[]): Reading => ({
  file: basename(path),
  header: read.header,
  read: writeQuery(read.parameters),
  ...(accepted.length > 0 && { accepted: [...new Set(accepted)] }),
  ...(read.isOfDay && { times_of_day: true }),
});
