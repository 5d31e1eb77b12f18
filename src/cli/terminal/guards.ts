import { ApiError, type PreviewWarning } from '../../client/index.ts';
import { COLUMN_NAMES } from '../../timing-files/read/columns.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { isSameHeader, RACE_FILE } from '../files/race-file.ts';
import type { ReadFile } from '../files/reading.ts';
import { withoutReasons } from '../files/rejected-file.ts';
import { changesMuch, type Verdict } from '../queue/decide.ts';
import type { RaceState } from '../queue/state.ts';
import { named, say } from '../words.ts';
import type { Context } from './context.ts';
import { flagsOf, warningText } from './preview-text.ts';

/** Something that a person should look at before a file is sent. */
export type Guard = { code: string; detail: string };

/** Another header than the file had before. */
export function headerGuard(
  before: readonly string[] | undefined,
  { rows, isKnown }: ReadFile,
): Guard[] {
  const found = withoutReasons(rows.header);
  if (before === undefined || isKnown || isSameHeader(before, found)) return [];
  const detail = say('the_header_is_not_the');
  return [{ code: 'header_differs', detail: `${detail} ${difference(before, found)}` }];
}

/** A header that nobody has checked, in a folder where headers were checked. */
export function uncheckedGuard(
  { race, operand }: Pick<Context['settings'], 'race' | 'operand'>,
  { rows, isKnown }: ReadFile,
): Guard[] {
  const [reading] = race.readings ?? [];
  if (!reading || isKnown) return [];
  const detail = say('the_header_is_not_in', { race_file: RACE_FILE, operand });
  const difference_ = difference(reading.header, withoutReasons(rows.header));
  return [{ code: 'header_differs', detail: `${detail} ${difference_}` }];
}

function difference(expected: readonly string[], found: readonly string[]): string {
  const quoted = (names: readonly string[]) =>
    named(names.map((name) => JSON.stringify(name.slice(0, 100))));
  const missing = expected.filter((name) => !found.includes(name));
  const added = found.filter((name) => !expected.includes(name));
  const parts = [
    missing.length > 0 ? `${say('missing_2')}: ${quoted(missing)}.` : '',
    added.length > 0 ? `${say('new')}: ${quoted(added)}.` : '',
  ].filter((part) => part !== '');
  const order = say('the_columns_have_another_order');
  return parts.length > 0 ? parts.join(' ') : `${order}: ${quoted(found)}.`;
}

/** Much of what is stored would change at once. */
export function changeGuard(verdict: Verdict, state: RaceState): Guard[] {
  if (!changesMuch(verdict, state)) return [];
  const { length } = verdict.changed.filter((bib) => state.stored.has(bib));
  const total = state.stored.size;
  const detail = say('of_stored_results_would_change', { length, total });
  return [{ code: 'many_changes', detail }];
}

/** Somebody disqualified these runners. */
export function reinstatedGuard({ heldBack }: Verdict): Guard[] {
  if (heldBack.length === 0) return [];
  const bibs = named(heldBack.map(({ bib }) => bib));
  const detail = say('stored_as_dsq_and_finishers', { bibs });
  return [{ code: 'reinstated', detail }];
}

/** Only a person can say what is right. */
const UNCLEAR = new Set<string>([
  'bib_column_unclear',
  'time_column_unclear',
  'time_format_unclear',
  'rows_unclear',
  'file_refused',
] satisfies PreviewWarning['code'][]);

/** The file may be read in a wrong way as a whole. */
export const MISREAD = new Set<string>([
  ...(['time_of_day', 'rows_fail_alike', 'whole_minutes'] satisfies PreviewWarning['code'][]),
  ...['bibs_unlikely', 'zero_time', 'other_reading'],
]);

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
  const { read, isKnown } = file;
  const blob = new Blob([new Uint8Array(bytes)]);
  const { warnings, suggestion } = await client
    .previewEventResultsFile(settings.eventId, blob, { read, signal })
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      throw unreadable(name, error.detail);
    });
  const unclear = warnings.filter(
    ({ code }) => UNCLEAR.has(code) && (!isKnown || code === 'file_refused'),
  );
  if (unclear.length > 0) {
    const hint = suggestion ? `${say('it_can_be_read_with')}: ${flagsOf(suggestion.query)}` : '';
    const lines = [unclearText(name), ...unclear.map(warningText), hint];
    throw new CliError(EXIT.unclear, lines.filter((line) => line !== '').join('\n'));
  }
  const guards: Guard[] = warnings
    .filter(({ code }) => !UNCLEAR.has(code) && !isIdle(code, file))
    .map(({ code, detail }) => ({ code, detail }));
  if (suggestion && suggestion.query !== read && !isKnown) {
    const flags = flagsOf(suggestion.query) || '-';
    const detail = say('suggested_check_keeps_it', { why: suggestion.why, flags });
    guards.push({ code: 'other_reading', detail });
  }
  return guards;
}

export const unreadable = (name: string, why: string): CliError =>
  new CliError(EXIT.unclear, `${name} ${say('cannot_be_read')}: ${why}`);

const unclearText = (name: string): string => say('can_be_read_in_several', { name });

/** Warnings that say nothing here: most runners may be on the course, a file of mended rows is short. */
function isIdle(code: string, { rows, parameters, isMended, isKnown }: ReadFile): boolean {
  const { total, unfinished, unreadable, header } = rows;
  switch (code) {
    case 'no_results_yet':
      return true;
    case 'many_changes':
      return true; // `changeGuard` decides that.
    case 'column_not_read':
      return isKnown;
    case 'fewer_rows':
      return isMended;
    case 'rows_fail_alike':
      return unreadable.length < (total - unfinished.length) * 0.9;
    case 'bibs_unlikely':
      return parameters.columns.bib === undefined && header.some(isNamedBib);
    default:
      return false;
  }
}

const isNamedBib = (name: string): boolean =>
  COLUMN_NAMES.bib.some((known) => known === name.trim().toLowerCase());

/**
 * Asks a person, or takes `--force` if it names all of them.
 * @throws CliError if they are not passed
 */
export async function passGuards(
  { settings, output, prompter }: Pick<Context, 'settings' | 'output' | 'prompter'>,
  guards: readonly Guard[],
): Promise<void> {
  const open = guards.filter(({ code }) => !settings.force.has(code));
  if (guards.length > 0) {
    const lines = guards.map(({ code, detail }) => `  ${detail} (${code})`);
    const title = say('look_at_this_before_it');
    output.warning({ type: 'guards', guards }, [title, ...lines].join('\n'));
  }
  if (open.length === 0) return;
  const question = say('send_it_all_the_same');
  if (prompter.canAsk && (await prompter.confirm(question))) return;
  const codes = guards.map(({ code }) => code).join(',');
  throw new CliError(EXIT.guard, say('nothing_was_sent_if_it', { codes }));
}
