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

/** Something that a person should look at before a file is sent. */
export type Guard = { code: string; detail: string };

/** A warning of the API, in the language of the computer. */
export const guardOf = (warning: Guard): Guard => ({ code: warning.code, detail: warned(warning) });

/**
 * Another header than the file had before, or one that nobody has checked in a folder where headers were checked.
 * @param before the header that the file had
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

/** Whether a person has said what the times of a file are: of a point, or of the finish. */
export const isMeant = ({ parameters, accepted }: ReadFile): boolean =>
  parameters.point !== undefined || accepted.includes('point_or_finish');

/** A file whose times are below those of finishers of other files, and nobody has said that it is the finish. */
export function meaningGuard(file: string, read: ReadFile, known: Known): Guard[] {
  const isAsked = !isMeant(read) && isBelowFinishers(file, read, known);
  const detail = isAsked ? say('point_or_finish', { file: basename(file) }) : '';
  return isAsked ? [{ code: 'point_or_finish', detail }] : [];
}

type Known = Pick<Folder, 'held'> & { store: Pick<Folder['store'], 'acknowledged'> };

/**
 * Whether most finishers of a file that nobody has set up would become faster than they are stored: then it is
 * probably of a point on the course. A file that had them before corrects its times, as after another start.
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
] as const satisfies (PreviewWarning['code'] | Asked)[];

/** The file may be read in a wrong way as a whole: nothing of it is sent before a person has said yes to that warning. */
export const isStopping = (code: string): code is (typeof STOPPING)[number] =>
  STOPPING.some((one) => one === code);

type Asked = 'header_differs' | 'point_or_finish' | 'other_reading';

/** Only a person can say how the file is read. */
export const isQuestion = ({ code, choices }: PreviewWarning): boolean =>
  code === 'file_refused' || (choices !== undefined && !isStopping(code));

/** Questions that store nothing wrong while they are open: rows with an unknown status fail. */
const HARMLESS = new Set<string>([
  'splits_unlikely',
  'status_unclear',
] satisfies PreviewWarning['code'][]);

/** How an upload would read a file: as results, or as the passings of its point. It writes nothing. */
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

/** The same for a file that was read. The API sees race times instead of times of day. */
export function previewRead(
  context: Pick<Context, 'settings' | 'client' | 'signal'>,
  bytes: Uint8Array,
  { isOfDay, parameters, rows }: ReadFile,
  sender?: string,
): Promise<FilePreview> {
  if (!isOfDay) return previewOf(context, bytes, parameters, writeQuery(parameters), sender);
  const texts = [...rows.values()].map(({ text }) => text);
  const passings = texts.flatMap((text) => passingIn(text) ?? []);
  if (parameters.point === undefined) {
    const { csv, read } = csvOf(texts.filter((text) => !passingIn(text)));
    return previewOf(context, csv, parameters, read, sender);
  }
  const lines = passings.map(({ bib_number, time }) => plainCsvLine([bib_number, time]));
  const query = new URLSearchParams({ point: parameters.point });
  const csv = ['bib,time\n', ...lines].join('');
  return previewOf(context, csv, parameters, `${query}`, sender);
}

/**
 * The warnings of the API's preview. It writes nothing.
 * @throws CliError if the file cannot be read, or only a person can say how; RaceResultsError
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
      why: readingText(suggestion.query, preview),
      flags,
      path: pasted(name),
    });
    guards.push({ code: 'other_reading', detail });
  }
  return guards;
}

const IMPOSSIBLE = 'implausible_for_distance';
/** A preview lists so many rows. */
const LEFT_LISTED = 1_000;

/** The API leaves impossible rows. If most rows are impossible, the file is read in a wrong way. */
function areMostImpossible({ left, counts }: FilePreview): boolean {
  const impossible = left.filter(({ reason_code: code }) => /^too_(fast|slow)$/.test(code)).length;
  return impossible * 2 > Math.min(counts.total_processed, LEFT_LISTED);
}

/** The warnings of a file that only a person can read. */
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

/** Warnings that say nothing here: most runners may be on the course. */
export function isIdle(code: string, file: ReadFile): boolean {
  const { total, onCourse, unreadable: failed } = file;
  switch (code) {
    case 'no_results_yet':
    case 'many_changes': // The API leaves these rows.
    case 'times_left_out': // The status decides.
    case 'splits_removed': // The command asks itself, with the bibs.
      return true;
    case 'whole_minutes': // A person has chosen the format.
      return file.parameters.timeFormat !== 'clock';
    case 'column_not_read':
      return file.isKnown;
    case 'rows_fail_alike':
      return failed.length < (total - onCourse) * 0.9;
    default:
      return false;
  }
}

/**
 * Asks a person, or takes `--force` if it names all of them.
 * @returns the codes of those that a person is asked about again for each file
 * @throws CliError if they are not passed
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

/** What is kept of a file that a person has looked at. */
export const readingOf = (path: string, read: ReadFile, accepted: readonly string[]): Reading => ({
  file: basename(path),
  header: read.header,
  read: writeQuery(read.parameters),
  ...(accepted.length > 0 && { accepted: [...new Set(accepted)] }),
  ...(read.isOfDay && { times_of_day: true }),
});
