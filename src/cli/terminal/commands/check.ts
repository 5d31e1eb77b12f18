import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PreviewWarning, ResultsFilePreview } from '../../../client/index.ts';
import { FileError } from '../../../timing-files/read/file-error.ts';
import { CliError, EXIT, type ExitCode } from '../../exit-codes.ts';
import { RACE_FILE, withReading, writeRaceFile } from '../../files/race-file.ts';
import { chooseReading } from '../../files/reading.ts';
import { withoutReasons } from '../../files/rejected-file.ts';
import { codeOf } from '../../own-files.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';
import { unreadable } from '../guards.ts';
import { choiceFlags, flagsOf, previewLines, questionOf, warningText } from '../preview-text.ts';

const MIB = 1_024 * 1_024;
const LARGEST_FILE_BYTES = 16 * MIB;

/** The preview of a file, and the answers to its questions. Writes race.json, and nothing to the API. */
export async function check(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { operand, folder, fileFlags, race } = settings;
  const path = resolve(folder, operand);
  const bytes = readBytes(path);
  const chosen = await chooseReading(bytes, fileFlags, race.readings ?? []).catch(
    (error: unknown) => {
      throw error instanceof FileError ? unreadable(path, error.message) : error;
    },
  );
  const first = await preview(context, bytes, chosen.read);
  const read = await settle(context, first, chosen);
  const shown = read === chosen.read ? first : await preview(context, bytes, read);
  output.answer(
    { type: 'check', file: path, read, ...shown },
    `${operand}: ${previewLines(shown).join('\n')}`,
  );
  const warnings = shown.warnings.filter(({ code }) => !READING.has(code));
  if (warnings.length > 0) {
    const title = say('look_at_this_before_you');
    const lines = [`\n${title}`, ...warnings.map(warningText)];
    output.warning({ type: 'warnings', warnings }, lines.join('\n'));
  }
  const header = withoutReasons(shown.columns.map(({ name }) => name));
  writeRaceFile(folder, withReading(race, { header, read }));
  const kept = say('keeps');
  const plain = say('the_header_the_file_needs');
  output.progress(
    { type: 'kept', read, header },
    read === '' ? `\n${RACE_FILE} ${kept} ${plain}` : `\n${RACE_FILE} ${kept}: ${flagsOf(read)}`,
  );
  output.progress({ type: 'hint' }, say('nothing_was_sent_next_send', { operand }));
  const { errors, not_found } = shown.counts;
  return errors + not_found > 0 ? EXIT.rejected : EXIT.done;
}

/** The file's bytes of this moment. The software may go on writing. */
function readBytes(path: string): Uint8Array {
  try {
    const { size } = statSync(path);
    if (size > LARGEST_FILE_BYTES) {
      const mib = Math.ceil(size / MIB);
      throw unreadable(path, say('it_has_mib_and_at', { mib, mib2: LARGEST_FILE_BYTES / MIB }));
    }
    return readFileSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const why: Record<string, string> = {
      ENOENT: say('there_is_no_such_file'),
      EISDIR: say('it_is_a_folder_name'),
    };
    throw unreadable(path, why[code] ?? code);
  }
}

const preview = (
  { client, settings, signal }: Context,
  bytes: Uint8Array,
  read: string,
): Promise<ResultsFilePreview> =>
  client.previewEventResultsFile(settings.eventId, bytes, { read, signal });

/** Warnings that the answers below settle. */
const READING = new Set<string>([
  'bib_column_unclear',
  'time_column_unclear',
  'time_format_unclear',
  'rows_unclear',
  'file_refused',
  'splits_unlikely',
] satisfies PreviewWarning['code'][]);

const REFUSED = new Set<string>([
  'file_refused',
  'rows_fail_alike',
] satisfies PreviewWarning['code'][]);

/**
 * Decides how the file is read.
 * @returns the query of the upload
 * @throws CliError where only a person can decide, and there is none to ask
 */
async function settle(
  context: Context,
  { suggestion, warnings }: ResultsFilePreview,
  { read, isKnown }: { read: string; isKnown: boolean },
): Promise<string> {
  const { settings, prompter, output } = context;
  // The parameters in race.json and the flags stay, unless the file cannot be read with them.
  const isRefused = warnings.some(({ code }) => REFUSED.has(code));
  if (suggestion?.query === read || (isKnown && !isRefused)) return read;
  if (suggestion === null) return choose(context, warnings);
  const proposal = `${suggestion.why}\n  ${flagsOf(suggestion.query)}`;
  if (settings.isYes) return suggestion.query;
  if (!prompter.canAsk) {
    throw new CliError(
      EXIT.unclear,
      say('needs_an_answer_the_suggestion', { operand: settings.operand, proposal }),
    );
  }
  const how = say('the_file_can_be_read');
  output.progress({ type: 'suggestion', ...suggestion }, `${how}: ${proposal}`);
  if (await prompter.confirm(say('read_it_like_this'))) return suggestion.query;
  if (!isRefused) return read;
  throw new CliError(EXIT.unclear, say('the_file_cannot_be_read'));
}

async function choose(
  { settings, prompter, output }: Context,
  warnings: readonly PreviewWarning[],
): Promise<string> {
  const [open] = warnings.filter(({ choices = [] }) => choices.length > 0);
  if (open?.choices && prompter.canAsk) {
    output.progress({ type: 'question', warning: open }, questionOf(open.detail));
    const lines = open.choices.map(({ query, why }) => `${why}\n     ${choiceFlags(query)}`);
    const which = say('which_is_right');
    const chosen = open.choices[await prompter.choose(which, lines)];
    if (chosen) return chosen.query;
  }
  const title = say('can_be_read_in_several_ways', { operand: settings.operand });
  throw new CliError(EXIT.unclear, [title, ...warnings.map(warningText)].join('\n'));
}
