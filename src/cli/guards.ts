import { ApiError, type PreviewWarning } from '../client/index.ts';
import type { Changes, FileRows } from './changes.ts';
import type { Context } from './context.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { plural } from './output.ts';
import { flagsOf, warningText } from './preview-text.ts';
import { RACE_FILE } from './race-file.ts';
import { isMended } from './rejected-file.ts';
import type { RaceState, Source } from './state.ts';

/** Something that a person should look at before a file is sent. */
export type Guard = { code: string; detail: string };

/** More than this part of what is stored would change. */
const CHANGED_PART = 0.2;
/** One or two corrections are always sent, however few results there are. */
const FEWEST_CHANGES = 3;

/** What a file says against what was read of it before. */
export function fileGuards(
  { race }: Pick<Context['settings'], 'race'>,
  read: Pick<FileRows, 'header' | 'total'>,
  source: Source,
): Guard[] {
  const guards: Guard[] = [];
  const isKnown = source.header.length > 0;
  const expected = isKnown ? source.header : race.header;
  if (expected && !isSameHeader(expected, read.header)) {
    guards.push({
      code: 'header_differs',
      detail:
        `The header is not the one ${isKnown ? 'of before' : `of ${RACE_FILE}`}. ${difference(expected, read.header)}` +
        (isKnown ? '' : ' If it is right, run `race-results check` with the file.'),
    });
  }
  if (read.total < source.rows) {
    guards.push({
      code: 'fewer_rows',
      detail: `The file has ${plural(read.total, 'row')}, and ${source.rows} before.`,
    });
  }
  return guards;
}

function isSameHeader(expected: readonly string[], found: readonly string[]): boolean {
  const own = isMended(found) ? found.slice(0, expected.length) : found;
  return JSON.stringify(own) === JSON.stringify(expected);
}

function difference(expected: readonly string[], found: readonly string[]): string {
  const quoted = (names: readonly string[]) =>
    names
      .slice(0, 10)
      .map((name) => JSON.stringify(name))
      .join(', ');
  const missing = expected.filter((name) => !found.includes(name));
  const added = found.filter((name) => !expected.includes(name));
  const parts = [
    missing.length > 0 ? `Missing: ${quoted(missing)}.` : '',
    added.length > 0 ? `New: ${quoted(added)}.` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(' ') : `The columns have another order: ${quoted(found)}.`;
}

/** Guards against a file that would change much of what is stored. */
export function changeGuards({ changed }: Changes, state: RaceState): Guard[] {
  const stored = state.stored.size;
  const count = changed.filter((bib) => state.stored.has(bib)).length;
  if (count < FEWEST_CHANGES || count <= stored * CHANGED_PART) return [];
  return [{ code: 'many_changes', detail: `${count} of ${stored} stored results would change.` }];
}

/** Only a person can say what is right. */
const UNCLEAR = new Set<string>([
  'bib_column_unclear',
  'time_column_unclear',
  'time_format_unclear',
  'rows_unclear',
] satisfies PreviewWarning['code'][]);

type Previewed = { guards: Guard[]; changes: number };

/**
 * The warnings of the API's preview. It writes nothing.
 * @throws CliError if the file cannot be read, or only a person can say how; RaceResultsError
 */
export async function previewGuards(
  { settings, client, signal }: Context,
  bytes: Uint8Array,
  read: FileRows,
): Promise<Previewed> {
  const { eventId, operand } = settings;
  const file = new Blob([new Uint8Array(bytes)]);
  const options = { read: settings.read, signal };
  const preview = await client
    .previewEventResultsFile(eventId, file, options)
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      throw new CliError(EXIT.unclear, `${operand} cannot be read: ${error.detail}`);
    });
  const { warnings, suggestion, counts } = preview;
  const isAnswered =
    settings.readByFlags !== undefined ||
    (settings.race.header !== undefined && isSameHeader(settings.race.header, read.header));
  const refused = warnings.find(({ code }) => code === 'file_refused');
  const unclear = warnings.filter(({ code }) => UNCLEAR.has(code));
  if (refused || (unclear.length > 0 && !isAnswered)) {
    const hint = suggestion ? `It can be read with: ${flagsOf(suggestion.query)}` : '';
    throw new CliError(
      EXIT.unclear,
      [
        `${operand} can be read in several ways, or in none. Run \`race-results check\`, or give flags.`,
        ...[...(refused ? [refused] : []), ...unclear].map(warningText),
        hint,
      ]
        .filter((line) => line !== '')
        .join('\n'),
    );
  }
  const guards: Guard[] = warnings
    .filter(({ code }) => !isAboutRunners(code, read))
    .map((warning) => ({ code: warning.code, detail: warning.detail }));
  if (suggestion && suggestion.query !== settings.read && !isAnswered) {
    guards.push({
      code: 'other_reading',
      detail: `${suggestion.why} Suggested: ${flagsOf(suggestion.query) || 'no flags'}. Run \`race-results check\` to keep it.`,
    });
  }
  return { guards, changes: counts.new + counts.changed };
}

/** Nothing is wrong with a file because most runners are still on the course. */
const isAboutRunners = (code: string, { total, unfinished, unreadable }: FileRows): boolean =>
  code === 'no_results_yet' ||
  (code === 'rows_fail_alike' && unreadable.length < (total - unfinished.length) * 0.9);

/**
 * Asks a person, or takes `--force`.
 * @param until withdraws the question
 * @returns why the guards are passed; undefined if they are not
 */
export async function passGuards(
  { settings, output, prompter }: Context,
  guards: readonly Guard[],
  until?: AbortSignal,
): Promise<string | undefined> {
  const text = ['Look at this before it is sent:', ...guards.map(guardLine)].join('\n');
  output.warning({ type: 'guards', guards }, text);
  if (settings.force !== undefined) {
    output.progress(
      { type: 'forced', reason: settings.force },
      `Passed by --force: ${settings.force}`,
    );
    return settings.force;
  }
  if (!prompter.canAsk) return undefined;
  return (await prompter.confirm('Send it all the same?', until))
    ? 'confirmed in the terminal'
    : undefined;
}

const guardLine = ({ code, detail }: Guard): string => `  ${detail} (${code})`;

/** Ends a command that no person watches. */
export const stoppedByGuards = (guards: readonly Guard[]): CliError =>
  new CliError(
    EXIT.guard,
    `Stopped by ${guards.map(({ code }) => code).join(', ')}. Nothing of the file was sent. ` +
      'Mend the file, or give --force "REASON". --yes does not pass this.',
  );
