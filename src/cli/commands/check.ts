import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ApiError, type PreviewWarning, type ResultsFilePreview } from '../../client/index.ts';
import type { Context } from '../context.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { codeOf } from '../journal.ts';
import { choiceFlags, flagsOf, previewLines, questionOf, warningText } from '../preview-text.ts';
import { RACE_FILE, writeRaceFile } from '../race-file.ts';

const MIB = 1_024 * 1_024;
const LARGEST_FILE_BYTES = 16 * MIB;

/** The preview of a file, and the answers to its questions. Writes race.json, and nothing to the API. */
export async function check(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const path = resolve(settings.folder, settings.operand);
  const bytes = readBytes(path);
  const first = await firstPreview(context, bytes);
  const read = await settle(context, first);
  const shown = read === first.read ? first : await preview(context, bytes, read);
  output.answer(
    { type: 'check', file: path, ...shown },
    `${settings.operand}: ${previewLines(shown).join('\n')}`,
  );
  const warnings = shown.warnings.filter(({ code }) => !READING.has(code));
  if (warnings.length > 0) {
    output.warning(
      { type: 'warnings', warnings },
      ['\nLook at this before you send:', ...warnings.map(warningText)].join('\n'),
    );
  }
  const header = headerOf(shown);
  writeRaceFile(settings.folder, { ...settings.race, read, header });
  output.progress(
    { type: 'kept', read, header },
    read === ''
      ? `\n${RACE_FILE} keeps the header. The file needs no flags.`
      : `\n${RACE_FILE} keeps: ${flagsOf(read)}`,
  );
  output.progress(
    { type: 'hint' },
    `Nothing was sent. Next: \`race-results send ${settings.operand}\`.`,
  );
  const { errors, not_found } = shown.counts;
  return errors + not_found > 0 ? EXIT.rejected : EXIT.done;
}

type Read = ResultsFilePreview & { read: string };

const headerOf = ({ columns }: ResultsFilePreview): string[] => columns.map(({ name }) => name);

/** The answers in race.json belong to a file with its header. Another file starts with the flags alone. */
async function firstPreview(context: Context, bytes: Blob): Promise<Read> {
  const { read, readByFlags = '', race } = context.settings;
  if (read === readByFlags) return preview(context, bytes, read);
  const kept = await preview(context, bytes, read).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 400) return undefined;
    throw error;
  });
  if (kept && isSame(headerOf(kept), race.header)) return kept;
  context.output.warning(
    { type: 'other_header', header: kept && headerOf(kept), expected: race.header },
    `The file has another header than ${RACE_FILE}: the answers there are left aside.`,
  );
  return preview(context, bytes, readByFlags);
}

const isSame = (header: readonly string[], other: readonly string[] | undefined): boolean =>
  other !== undefined && JSON.stringify(header) === JSON.stringify(other);

/** The file's bytes of this moment. The software may go on writing. */
function readBytes(path: string): Blob {
  try {
    const status = statSync(path);
    if (status.isDirectory()) {
      throw new CliError(EXIT.unclear, `${path} is a folder. Name one of its files.`);
    }
    if (status.size > LARGEST_FILE_BYTES) {
      throw new CliError(
        EXIT.unclear,
        `${path} has ${Math.ceil(status.size / MIB)} MiB. At most ${LARGEST_FILE_BYTES / MIB} MiB are read: export less of it.`,
      );
    }
    return new Blob([readFileSync(path)]);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new CliError(
      EXIT.unclear,
      code === 'ENOENT'
        ? `There is no file ${path}.`
        : `${path} cannot be read (${code}). Close it in other programs, or export it to another place.`,
      { cause: error },
    );
  }
}

async function preview(
  { client, settings, signal }: Context,
  bytes: Blob,
  read: string,
): Promise<Read> {
  const answer = await client.previewEventResultsFile(settings.eventId, bytes, { read, signal });
  return { ...answer, read };
}

/** Warnings that the answers below settle. */
const READING = new Set<string>([
  'bib_column_unclear',
  'time_column_unclear',
  'time_format_unclear',
  'rows_unclear',
  'file_refused',
  'splits_unlikely',
] satisfies PreviewWarning['code'][]);

/**
 * Decides how the file is read.
 * @returns the query of the upload
 * @throws CliError where only a person can decide, and there is none to ask
 */
async function settle(context: Context, first: Read): Promise<string> {
  const { settings, prompter, output } = context;
  const { suggestion, warnings, read } = first;
  // The parameters in race.json and the flags stay, unless the file cannot be read with them.
  const isAnswered =
    settings.readByFlags !== undefined || isSame(headerOf(first), settings.race.header);
  const isRefused = warnings.some(({ code }) => REFUSED.has(code));
  if (suggestion?.query === read || (isAnswered && !isRefused)) return read;
  if (suggestion === null) return choose(context, warnings);
  const proposal = `${suggestion.why}\n  ${flagsOf(suggestion.query)}`;
  if (settings.isYes) return suggestion.query;
  if (!prompter.canAsk) {
    throw new CliError(
      EXIT.unclear,
      `${settings.operand} needs an answer. The suggestion: ${proposal}\n` +
        'Give these flags, or --yes to take them.',
    );
  }
  output.progress(
    { type: 'suggestion', ...suggestion },
    `The file can be read like this: ${proposal}`,
  );
  if (await prompter.confirm('Read it like this?')) return suggestion.query;
  if (!isRefused) return read;
  throw new CliError(
    EXIT.unclear,
    'The file cannot be read without an answer. Give the flags that are right.',
  );
}

const REFUSED = new Set<string>([
  'file_refused',
  'rows_fail_alike',
] satisfies PreviewWarning['code'][]);

async function choose(
  { settings, prompter, output }: Context,
  warnings: readonly PreviewWarning[],
): Promise<string> {
  const [open] = warnings.filter(({ choices = [] }) => choices.length > 0);
  if (open?.choices && prompter.canAsk) {
    output.progress({ type: 'question', warning: open }, questionOf(open.detail));
    const lines = open.choices.map(({ query, why }) => `${why}\n     ${choiceFlags(query)}`);
    const chosen = open.choices[await prompter.choose('Which is right?', lines)];
    if (chosen) return chosen.query;
  }
  throw new CliError(
    EXIT.unclear,
    [
      `${settings.operand} can be read in several ways, or in none. Say which with flags:`,
      ...warnings.map(warningText),
    ].join('\n'),
  );
}
