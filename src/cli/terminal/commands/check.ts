import { resolve } from 'node:path';
import { FileError, orRefusal } from '../../../timing-files/read/file-error.ts';
import { parseParameters, writeQuery } from '../../../timing-files/read/parameters.ts';
import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { RACE_FILE, withReading, writeRaceFile } from '../../files/race-file.ts';
import {
  type ChosenReading,
  chooseReading,
  faultText,
  parametersOf,
  type ReadFile,
  readRows,
} from '../../files/reading.ts';
import { bytesOf, unreadable } from '../../files/watched-files.ts';
import { holderOf } from '../../queue/folder.ts';
import { Held } from '../../queue/held.ts';
import { Store } from '../../queue/store.ts';
import { pasted, say } from '../../words.ts';
import { openFiles } from '../clock.ts';
import type { Context } from '../context.ts';
import {
  type Guard,
  guardOf,
  isIdle,
  isMeant,
  isQuestion,
  isStopping,
  meaningGuard,
  passGuards,
  previewOf,
  previewRead,
  readingOf,
  unclearFile,
} from '../guards.ts';
import { sayOnCourse } from '../notices.ts';
import {
  choicesOf,
  type FilePreview,
  flagsOf,
  previewText,
  questionText,
  readingText,
  warningText,
} from '../preview-text.ts';

/** Previews a file and asks the file's questions. Writes race.json, and nothing to the API. */
export async function check(context: Context): Promise<ExitCode> {
  const { settings, client, output, signal } = context;
  const { operand, folder, race, eventId, stateDir } = settings;
  const file = resolve(folder, operand);
  await openFiles(context, { isShorterRight: true });
  // A part of the export is enough: the software may go on writing.
  const bytes = await bytesOf(file, 0, signal);
  const chosen = await chooseReading(bytes, file, settings).catch((error: unknown) => {
    throw error instanceof FileError ? unreadable(operand, faultText(error)) : error;
  });
  const held = new Held(client, eventId);
  await held.look(signal);
  const known = { held: held.values, store: await Store.read(stateDir) };
  const asSent = await settled(context, operand, bytes, chosen);
  const meant = await meaningOf(context, asSent.rows, meaningGuard(file, asSent.rows, known));
  const { point } = meant.parameters;
  const isOther = point !== asSent.rows.parameters.point;
  const { read, shown } = isOther ? await settled(context, operand, bytes, meant) : asSent;
  if (point !== undefined) output.progress('file_of_point', { point });
  else sayOnCourse(output, meant);
  // The answers have settled the questions.
  const warnings = shown.warnings.filter(
    (one) => !isQuestion(one) && one.code !== 'splits_unlikely' && !isIdle(one.code, meant),
  );
  const notes = warnings.filter(({ code }) => !isStopping(code) || meant.accepted.includes(code));
  if (notes.length > 0) {
    const lines = notes.map((warning) => `\n${warningText(warning, shown)}`).join('');
    output.warning('warnings', { warnings: notes }, `\n${say('look_before_sending', { lines })}`);
  }
  const keep = async (accepted: readonly string[]) => {
    await writeRaceFile(folder, withReading(race, readingOf(file, meant, accepted)));
    // A running `watch` may wait for the check.
    await holderOf(settings, { type: 'checked' });
  };
  const shownFlags = flagsOf(read) || say('no_flags_needed');
  const kept = say('kept', { race_file: RACE_FILE, flags: shownFlags });
  await keep(meant.accepted);
  output.progress('kept', { read, header: meant.header }, kept);
  const asking = warnings.filter((warning) => !notes.includes(warning)).map(guardOf);
  const accepted = await passGuards(context, asking, say('ask_right'));
  if (accepted.length > 0) await keep([...meant.accepted, ...accepted]);
  output.progress('next_send', { operand, path: pasted(operand) });
  return shown.counts.errors + shown.counts.not_found > 0 ? EXIT.rejected : EXIT.done;
}

/**
 * Asks whether the times belong to a point. Only a person knows.
 * @throws CliError for doubtful times without a person to ask
 */
async function meaningOf(
  { settings, output, prompter }: Context,
  read: ReadFile,
  [doubt]: readonly Guard[],
): Promise<ReadFile> {
  const { operand: file, force, isYes } = settings;
  const asFinish = { ...read, accepted: [...read.accepted, 'point_or_finish'] };
  if (doubt && force.has(doubt.code)) return asFinish;
  if (doubt && !prompter.canAsk) throw failure(EXIT.unclear, 'point_or_finish', { file });
  if (isMeant(read) || !prompter.canAsk || (isYes && !doubt)) return read;
  output.progress('question', {}, doubt?.detail ?? say('ask_meaning', { file }));
  const answers = [say('answer_finish'), say('answer_point')];
  if ((await prompter.choose(say('ask_which_reading'), answers)) === 0) return asFinish;
  const point = await prompter.text(say('ask_point'));
  const parameters = parametersOf([['point', point]], writeQuery(read.parameters));
  return readRows({ ...read, parameters });
}

/** Previews a file, settles the reading, and shows the result. */
async function settled(
  context: Context,
  operand: string,
  bytes: Uint8Array,
  chosen: ChosenReading,
) {
  const before = writeQuery(chosen.parameters);
  const plain = orRefusal(() => readRows(chosen));
  const why = plain instanceof FileError ? faultText(plain) : '';
  if (plain instanceof FileError && !plain.isMendable) throw unreadable(operand, why);
  const preview = await previewOf(context, bytes, chosen.parameters, before);
  const warnings = preview.warnings
    .filter(({ code }) => plain instanceof FileError || !isIdle(code, plain))
    // The API's detail is in English.
    .map((one) => (one.code === 'file_refused' && why !== '' ? { ...one, detail: why } : one));
  const first = { ...preview, warnings };
  const read = await settle(context, first, before, chosen);
  const rows = orRefusal(() =>
    readRows({ ...chosen, parameters: parseParameters(new URLSearchParams(read)) }),
  );
  if (rows instanceof FileError) throw unreadable(operand, faultText(rows));
  const isShown = read === before && !chosen.isOfDay;
  const shown = isShown ? first : await previewRead(context, bytes, rows);
  // The API counts a runner on the course as a row without a time.
  shown.counts.errors = Math.max(0, shown.counts.errors - rows.onCourse.length);
  shown.failed = shown.failed.filter(({ reason_code }) => reason_code !== 'missing_time');
  const file = resolve(context.settings.folder, operand);
  context.output.answer('check', { file, read, ...shown }, `${operand}: ${previewText(shown)}`);
  return { read, shown, rows };
}

/**
 * Decides on the reading of the file.
 * @param read the query of the upload so far
 * @returns the query of the upload
 * @throws CliError for a question without a person to ask
 */
async function settle(
  context: Context,
  preview: FilePreview,
  read: string,
  { isKnown, isOfDay }: ChosenReading,
): Promise<string> {
  const { settings, prompter, output } = context;
  const { operand: name } = settings;
  const { suggestion, warnings } = preview;
  // The parameters in race.json and the flags stay, unless the parameters cannot read the file.
  const isRefused = warnings.some(
    ({ code }) => code === 'file_refused' || code === 'rows_fail_alike',
  );
  if (suggestion?.query === read || (isKnown && !isRefused)) return read;
  if (isOfDay && !isRefused) return suggestion?.query ?? read;
  if (suggestion === null) return askedReading(context, preview, read, isOfDay);
  if (settings.isYes) return suggestion.query;
  const proposal = `${readingText(suggestion, preview)}\n  ${flagsOf(suggestion.query)}`;
  if (!prompter.canAsk) throw failure(EXIT.unclear, 'answer_needed', { name, proposal });
  output.progress('suggestion', suggestion, proposal);
  if (await prompter.confirm(say('ask_reading'))) return suggestion.query;
  if (!isRefused) return read;
  throw failure(EXIT.unclear, 'flags_needed');
}

/** Asks the API's question about the file. @throws CliError without a person to ask */
async function askedReading(
  { settings, prompter, output }: Context,
  preview: FilePreview,
  read: string,
  isOfDay: boolean,
): Promise<string> {
  const { warnings } = preview;
  if (warnings.length === 0) return read;
  const open = warnings.find(({ choices = [] }) => choices.length > 0);
  const choices = open?.choices ?? [];
  // The API takes times of day for race times, and `--times-of-day` is the answer.
  if (isOfDay && open?.code === 'time_of_day' && choices.length === 1) {
    return choices[0]?.query ?? read;
  }
  if (!open || !prompter.canAsk) throw unclearFile(settings.operand, preview, warnings);
  output.progress('question', { warning: open }, questionText(open));
  const lines = choicesOf(open, preview).map(({ flags, text }) => `${text}\n     ${flags}`);
  return choices[await prompter.choose(say('ask_which_reading'), lines)]?.query ?? read;
}
