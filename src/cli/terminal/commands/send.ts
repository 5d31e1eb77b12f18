import { basename, join, resolve } from 'node:path';
import { FileError } from '../../../timing-files/read/file-error.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import {
  acceptanceOf,
  chooseReading,
  isMended,
  type ReadFile,
  readRows,
} from '../../files/reading.ts';
import { rejectedCsv, writeRejected } from '../../files/rejected-file.ts';
import { bytesOf, unreadable } from '../../files/watched-files.ts';
import { bibsOf, judgeVersion } from '../../queue/decide.ts';
import { deliver } from '../../queue/deliver.ts';
import { readHeldResults } from '../../queue/result-row.ts';
import { loadState } from '../../queue/state.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';
import { changeGuard, headerGuard, passGuards, previewGuards, reinstatedGuard } from '../guards.ts';
import { sayRejected, sayWithheld } from '../notices.ts';

/** Checks a file, says what changes, asks, and sends it once: through a running `watch`, if there is one. */
export async function send(context: Context): Promise<ExitCode> {
  const { settings, client, output, prompter, signal } = context;
  const { stateDir, eventId, operand } = settings;
  const file = resolve(settings.folder, operand);
  const bytes = await bytesOf(file, settings.settleMs, signal);
  const read = await readAll(settings, file, bytes);
  const { results, total } = read;
  const { state } = await loadState(stateDir, eventId);
  const held = await readHeldResults(client, eventId, signal);
  // Somebody else may have changed results: what this folder knows does not count.
  const now = { ...state, stored: held.texts };
  const verdict = judgeVersion(now, file, read, { isByPerson: true });
  const guards = [
    ...headerGuard(settings, operand, read),
    ...changeGuard(verdict, now),
    ...reinstatedGuard(verdict),
    ...(await previewGuards(context, operand, bytes, read)),
  ];
  sayWithheld(output, operand, verdict);
  const bibs = bibsOf(verdict, 'new', 'changed', 'held_back');
  const added = bibsOf(verdict, 'new').length;
  const changes = {
    file: operand,
    rows: total,
    new: added,
    changed: bibs.length - added,
    unchanged: bibsOf(verdict, 'unchanged').length,
    rejected: read.unreadable.length,
  };
  output.answer('changes', changes, say('changes', changes));
  await passGuards(context, guards);
  const count = bibs.length;
  if (count > 0) await prompter.requireYes(say('ask_send', { count }), settings.isYes);
  const entry = {
    type: 'send' as const,
    file,
    texts: bibs.flatMap((bib) => results.get(bib)?.text ?? []),
    accepted: acceptanceOf(read),
    isDecision: isMended(read.header),
    isHeld: false,
  };
  const { rejected } = await deliver(context, entry, bibs);

  const path = join(stateDir, 'rejected.csv');
  const csv = rejectedCsv(read, rejected, read.unreadable);
  const { problem } = await writeRejected(path, csv, undefined);
  if (problem !== undefined) output.warning('rejected_file', {}, problem);
  const refused = [...rejected].flatMap(([bib, why]) =>
    results.has(bib) ? [{ line: null, bib, ...why }] : [],
  );
  sayRejected(output, [...refused, ...read.unreadable]);
  const done = {
    stored: results.size - refused.length,
    rejected: refused.length + read.unreadable.length,
    name: basename(file),
    path,
  };
  const isAll = done.rejected === 0;
  output.answer('done', done, say(isAll ? 'done' : 'done_but_rejected', done));
  return isAll ? EXIT.done : EXIT.rejected;
}

async function readAll(
  { fileFlags, race }: Context['settings'],
  file: string,
  bytes: Uint8Array,
): Promise<ReadFile> {
  try {
    const read = readRows(await chooseReading(bytes, fileFlags, race.readings));
    // The race is over: a row without a time is one that somebody has to look at.
    const all = [...read.unreadable, ...read.unfinished];
    all.sort((one, other) => one.line - other.line);
    return { ...read, unreadable: all, unfinished: [] };
  } catch (error) {
    throw error instanceof FileError ? unreadable(file, error.message) : error;
  }
}
