import { ApiError, type PreviewWarning } from '../../client/index.ts';
import { writeQuery } from '../../timing-files/read/parameters.ts';
import { CliError, EXIT, failure } from '../exit-codes.ts';
import { isSameHeader, RACE_FILE } from '../files/race-file.ts';
import { isMended, type ReadFile, withoutReasons } from '../files/reading.ts';
import { unreadable } from '../files/watched-files.ts';
import { bibsOf, manyChanges, type Verdict } from '../queue/decide.ts';
import type { RaceState } from '../queue/state.ts';
import { named, say } from '../words.ts';
import type { Context } from './context.ts';
import { flagsOf, warningText } from './preview-text.ts';

/** Something that a person should look at before a file is sent. */
export type Guard = { code: string; detail: string };

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
  const found = withoutReasons(header);
  if (!expected || isKnown || isSameHeader(expected, found)) return [];
  const quoted = (names: readonly string[]) =>
    named(names.map((name) => JSON.stringify(name.slice(0, 100)))) || '-';
  const why = say('columns_differ', {
    missing: quoted(expected.filter((name) => !found.includes(name))),
    added: quoted(found.filter((name) => !expected.includes(name))),
  });
  const key = before ? 'header_changed' : 'header_unchecked';
  return [{ code: 'header_differs', detail: say(key, { race_file: RACE_FILE, file, why }) }];
}

/** Much of what is stored would change at once. */
export function changeGuard(verdict: Verdict, state: RaceState): Guard[] {
  const changed = manyChanges(verdict, state);
  if (changed === undefined) return [];
  const detail = say('many_changes', { changed, total: state.stored.size });
  return [{ code: 'many_changes', detail }];
}

/** Disqualified runners would become finishers. */
export function reinstatedGuard(verdict: Verdict): Guard[] {
  const bibs = bibsOf(verdict, 'held_back');
  return bibs.length === 0 ? [] : [{ code: 'reinstated', detail: say('reinstated', { bibs }) }];
}

/** Only a person can say what is right. */
export const UNCLEAR = new Set<string>([
  'bib_column_unclear',
  'time_column_unclear',
  'time_format_unclear',
  'rows_unclear',
  'file_refused',
] satisfies PreviewWarning['code'][]);

/** The file may be read in a wrong way as a whole. */
export const MISREAD = new Set<string>([
  'time_of_day',
  'rows_fail_alike',
  'whole_minutes',
  'bibs_unlikely',
  'zero_time',
  'other_reading',
] satisfies (PreviewWarning['code'] | 'other_reading')[]);

/**
 * The warnings of the API's preview. It writes nothing.
 * @throws CliError if the file cannot be read, or only a person can say how; RaceResultsError
 */
export async function previewGuards(
  { settings, client, signal }: Context,
  name: string,
  bytes: Uint8Array,
  file: ReadFile,
): Promise<Guard[]> {
  const { isKnown } = file;
  const read = writeQuery(file.parameters);
  const { warnings, suggestion } = await client
    .previewEventResultsFile(settings.eventId, bytes, { read, signal })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      throw unreadable(name, error.detail);
    });
  const flags = flagsOf(suggestion?.query ?? '') || '-';
  const unclear = warnings.filter(
    ({ code }) => UNCLEAR.has(code) && (!isKnown || code === 'file_refused'),
  );
  if (unclear.length > 0) {
    const hint = suggestion ? [say('readable_with', { flags })] : [];
    throw unclearFile(name, unclear, hint);
  }
  const guards: Guard[] = warnings
    .filter(({ code }) => !UNCLEAR.has(code) && !isIdle(code, file))
    .map(({ code, detail }) => ({ code, detail }));
  if (suggestion && suggestion.query !== read && !isKnown) {
    const detail = say('other_reading', { why: suggestion.why, flags });
    guards.push({ code: 'other_reading', detail });
  }
  return guards;
}

/** The warnings of a file that only a person can read. */
export const unclearFile = (name: string, warnings: PreviewWarning[], hint: string[] = []) =>
  new CliError(
    EXIT.unclear,
    [say('file_unclear', { name }), ...warnings.map(warningText), ...hint].join('\n'),
  );

/** Warnings that say nothing here: most runners may be on the course, a file of mended rows is short. */
function isIdle(code: string, file: ReadFile): boolean {
  const { total, unfinished, unreadable: failed, header } = file;
  switch (code) {
    case 'no_results_yet':
    case 'many_changes': // `changeGuard` decides that.
      return true;
    case 'column_not_read':
      return file.isKnown;
    case 'fewer_rows':
      return isMended(header);
    case 'rows_fail_alike':
      return failed.length < (total - unfinished.length) * 0.9;
    default:
      return false;
  }
}

/**
 * Asks a person, or takes `--force` if it names all of them.
 * @throws CliError if they are not passed
 */
export async function passGuards(
  { settings, output, prompter }: Pick<Context, 'settings' | 'output' | 'prompter'>,
  guards: readonly Guard[],
): Promise<void> {
  if (guards.length === 0) return;
  const lines = guards.map(({ code, detail }) => `\n  ${detail} (${code})`).join('');
  output.warning('guards', { guards }, say('look_before_sending', { lines }));
  if (guards.every(({ code }) => settings.force.has(code))) return;
  if (prompter.canAsk && (await prompter.confirm(say('ask_send_anyway')))) return;
  const codes = guards.map(({ code }) => code).join(',');
  throw failure(EXIT.guard, 'guard_stopped', { codes });
}
