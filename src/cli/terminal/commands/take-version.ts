import { basename, join } from 'node:path';
import { FileError } from '../../../timing-files/read/file-error.ts';
import { CliError, EXIT } from '../../exit-codes.ts';
import { chooseReading, faultText, type ReadFile, readRows } from '../../files/reading.ts';
import { rejectedCsv } from '../../files/rejected-file.ts';
import type { Problem, Version } from '../../files/watched-files.ts';
import { unlessOffline } from '../../queue/api.ts';
import { impossibleResults } from '../../queue/impossible.ts';
import type { Queue } from '../../queue/queue.ts';
import { type Stop, undecided } from '../../queue/state.ts';
import { judgeVersion } from '../../queue/version.ts';
import { pastedPath, say } from '../../words.ts';
import { needsClock } from '../clock.ts';
import type { Context } from '../context.ts';
import {
  type Guard,
  headerGuard,
  isStopping,
  meaningGuard,
  previewGuards,
  readingOf,
} from '../guards.ts';
import { keepRejected, sayRejected, saySplitsLost } from '../notices.ts';

/** A version of a file that is not sent. */
export class Stopped extends Error {
  readonly file: string;
  readonly stop: Stop;

  constructor(file: string, stop: Stop) {
    super(stop.text);
    this.file = file;
    this.stop = stop;
  }
}

const stopped = (file: string, short: string, text: string, answer: Stop['answer'] = 'none') =>
  new Stopped(file, { short, text, answer });

/** A file that is not there, or cannot be opened. */
export function waitingFor({ file, problem }: Problem): Stopped {
  const key = problem === 'ENOENT' ? 'short_absent' : 'short_unopened';
  const short = say(key, { name: basename(file), code: problem });
  return stopped(file, short, say('waits_for_file', { short }));
}

/** How the settings say that files are read. A file that was read in another way is read again. */
export const readingMark = ({ fileFlags, race, isOfDay }: Context['settings']): string =>
  JSON.stringify([fileFlags, race.readings, race.starts, isOfDay]);

const IMPOSSIBLE = 'implausible_for_distance';

type Watch = { context: Context; queue: Queue; target: string; offline: string | null };

/**
 * Takes over what a version of a file says.
 * @returns whether there was something to be read
 * @throws Stopped if it is not sent
 */
export async function takeVersion(watch: Watch, version: Version): Promise<boolean> {
  const { context, queue } = watch;
  const { settings, output } = context;
  const { state, points } = queue;
  const { file, isPartial } = version;
  const read = await readVersion(watch, version);
  if (!read) return false;
  const before = state.sources.get(file);
  const guards = [
    ...headerGuard(settings, file, read, before?.header),
    ...meaningGuard(file, read, state),
  ];
  const isChecked = before?.isChecked === true || (guards.length === 0 && read.rows.size > 0);
  if (guards.length === 0 && isChecked && !before?.isChecked) {
    guards.push(...(await doubtsOf(watch, version, read)));
  }
  if (guards.length > 0) throw stoppedBy(file, settings.folder, read, guards);
  const verdict = judgeVersion(state, file, read, { isPartial, points });
  output.forget(`stopped ${file}`);
  state.known = verdict.known;
  state.sources.set(file, {
    mark: `${version.mark}\n${readingMark(settings)}`,
    header: read.header,
    point: read.parameters.point ?? null,
    rows: isPartial && before ? Math.max(before.rows, read.total) : read.total,
    onCourse: read.onCourse,
    readAt: new Date().toISOString(),
    isChecked,
    isTrusted: read.accepted.includes(IMPOSSIBLE),
    unreadable: read.unreadable,
  });
  await queue.save();
  saySplitsLost(output, file, verdict.splitsLost);
  await noticeRejected(watch, file, read);
  return true;
}

/** @returns undefined if there is nothing to be read. @throws Stopped if it cannot be read */
async function readVersion(
  { context, queue, target }: Watch,
  { file, bytes, isPartial, isCut }: Version,
): Promise<ReadFile | undefined> {
  const isNew = !queue.state.sources.has(file);
  try {
    return readRows(await chooseReading(bytes, file, context.settings), isCut);
  } catch (error) {
    if (error instanceof CliError && error.exitCode === EXIT.unclear) {
      // Its times of day wait for the start list.
      const isLoading = needsClock(context.settings);
      const short = isLoading ? '' : say('short_no_starts', { name: basename(file) });
      throw stopped(file, short, error.message);
    }
    if (!(error instanceof FileError)) throw error;
    const isEmpty = bytes.length === 0;
    // A file that is being written has nothing yet.
    if (isPartial || (isEmpty && isNew)) return undefined;
    const short = say(isEmpty ? 'short_no_rows' : 'short_unreadable', { name: basename(file) });
    const why = say('file_unreadable', { name: basename(file), why: faultText(error) });
    const text = isEmpty
      ? why
      : `${why} ${say('check_it', { path: pastedPath(context.settings.folder, file) })}`;
    // A folder may have files of another kind.
    throw stopped(file, short, text, isNew && file !== target ? 'no_results' : 'none');
  }
}

/**
 * Asks the API about the first rows of a file.
 * @throws Stopped if it cannot be asked now, or only a person can read the file
 */
async function doubtsOf(
  { context, offline }: Watch,
  { file, bytes }: Version,
  read: ReadFile,
): Promise<Guard[]> {
  const { output } = context;
  const waits = (why: string) =>
    stopped(file, '', say('not_checked', { file: basename(file), why }));
  if (offline !== null) throw waits(offline);
  try {
    const asked = previewGuards(context, file, bytes, read);
    const [guards, away] = await unlessOffline(asked);
    if (!guards) throw waits(away.why);
    for (const { code, detail } of guards.filter((one) => !isStopping(one.code))) {
      const noticed = { file: basename(file), code, detail };
      output.once(`${file} ${code}`, 'noticed', noticed, say('noticed', noticed));
    }
    const open = guards.filter(({ code }) => isStopping(code) && !read.accepted.includes(code));
    if (!open.some(({ code }) => code === IMPOSSIBLE)) return open;
    // A few rows wait alone. If it is most of them, the file is read in a wrong way.
    const rows = [...read.rows].map(([key, { text }]) => [key, text] as const);
    const { client, settings, signal } = context;
    const asking = impossibleResults(client, settings.eventId, rows, signal);
    const [found, unasked] = await unlessOffline(asking);
    if (!found) throw waits(unasked.why);
    return found.length * 2 > rows.length ? open : open.filter(({ code }) => code !== IMPOSSIBLE);
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== EXIT.unclear) throw error;
    const path = pastedPath(context.settings.folder, file);
    throw stopped(file, say('short_check', { path }), error.message);
  }
}

function stoppedBy(
  file: string,
  folder: string,
  read: ReadFile,
  guards: readonly Guard[],
): Stopped {
  const name = basename(file);
  const codes = guards.map(({ code }) => code);
  const code = codes.find(isStopping) ?? 'other_reading';
  const short = say(`short_${code}`, { name });
  const why = guards.map(({ detail }) => detail).join(' ');
  const text = say('version_stopped', { why, name, path: pastedPath(folder, file) });
  const answers: Partial<Record<typeof code, Stop['answer']>> = {
    header_differs: 'none',
    point_or_finish: 'point_or_finish',
  };
  const reading = readingOf(file, read, [...read.accepted, ...codes]);
  return new Stopped(file, { short, text, answer: answers[code] ?? 'right', reading });
}

/** Writes down what is rejected of a file, and says each row once. */
async function noticeRejected(
  { context, queue, target }: Watch,
  file: string,
  read: ReadFile,
): Promise<void> {
  const { output, settings } = context;
  const { state, tally } = queue;
  const source = state.sources.get(file);
  if (!source) return;
  // The rejected rows of a workbook are a CSV file: under the name of a workbook, no spreadsheet opens it.
  const end = /\.xlsx$/i.test(file) ? '.csv' : '';
  const name = file === target ? 'rejected.csv' : `rejected-${basename(file)}${end}`;
  const path = join(settings.stateDir, name);
  const text = rejectedCsv(read, state, undecided(state, source.unreadable));
  await keepRejected(output, path, text);
  const count = sayRejected(output, tally.rejected, settings);
  if (count > 0)
    output.progress('rejected_rows', { count, path: join(basename(settings.stateDir), name) });
}
