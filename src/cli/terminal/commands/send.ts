import { basename, join, resolve } from 'node:path';
import { FileError } from '../../../timing-files/read/file-error.ts';
import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import {
  acceptanceOf,
  bytesOf,
  chooseReading,
  readFileRows,
  unreadable,
} from '../../files/reading.ts';
import { rejectedCsv, writeRejected } from '../../files/rejected-file.ts';
import { judgeVersion } from '../../queue/decide.ts';
import { deliver } from '../../queue/deliver.ts';
import { readHeldResults } from '../../queue/result-row.ts';
import { loadState } from '../../queue/state.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';
import { changeGuards, headerGuard, passGuards, previewGuards } from '../guards.ts';
import { sayDisagreeing, sayRejected } from '../notices.ts';

/** Checks a file, says what changes, asks, and sends it once: through a running `watch`, if there is one. */
export async function send(context: Context): Promise<ExitCode> {
  const { settings, client, output, prompter, signal } = context;
  const { stateDir, eventId, operand } = settings;
  const file = resolve(settings.folder, operand);
  const bytes = await bytesOf(file, settings.settleMs, signal);
  const read = await readAll(settings, file, bytes);
  const { results, unreadable: lines, total } = read.rows;
  const { state } = await loadState(stateDir, eventId);
  const held = await readHeldResults(client, eventId, signal);
  // Somebody else may have changed results: what this folder knows does not count.
  const now = { ...state, stored: held.texts };
  const verdict = judgeVersion(now, file, read.rows, { isByPerson: true });
  const { added, unchanged } = verdict;
  const guards = [...headerGuard(settings, operand, read), ...changeGuards(verdict, now)];
  const previewed = await previewGuards(context, operand, bytes, read);
  guards.push(...previewed.filter(({ code }) => !guards.some((one) => one.code === code)));
  sayDisagreeing(output, verdict);
  const bibs = [...added, ...verdict.changed, ...verdict.heldBack.map(({ bib }) => bib)];
  const changed = bibs.length - added.length;
  const counts = { rows: total, new: added.length, changed, unchanged, rejected: lines.length };
  output.answer(
    'changes',
    { file: operand, ...counts },
    say('changes', { file: operand, ...counts }),
  );
  await passGuards(context, guards);
  const count = bibs.length;
  if (count > 0 && !settings.isYes) {
    if (!prompter.canAsk) throw failure(EXIT.usage, 'send_needs_yes', { count });
    if (!(await prompter.confirm(say('ask_send', { count }))))
      throw failure(EXIT.guard, 'not_sent');
  }
  const texts = bibs.flatMap((bib) => results.get(bib)?.text ?? []);
  const entry = { file, accepted: acceptanceOf(read), texts, isMended: read.isMended };
  const { state: after, waiting } = await deliver(
    settings,
    { type: 'send', ...entry },
    bibs,
    signal,
  );
  if (waiting !== undefined) throw failure(EXIT.offline, 'queue_waits', { count, why: waiting });

  const path = join(stateDir, 'rejected.csv');
  const { problem } = await writeRejected(
    path,
    rejectedCsv(read, after.rejected, lines),
    undefined,
  );
  if (problem !== undefined) output.warning('rejected_file', {}, problem);
  const refused = [...after.rejected].filter(([bib]) => results.has(bib));
  sayRejected(output, refused, lines);
  const rejected = refused.length + lines.length;
  const done = { stored: results.size - refused.length, rejected, name: basename(file), path };
  output.answer('done', done, say(rejected === 0 ? 'done' : 'done_but_rejected', done));
  return rejected === 0 ? EXIT.done : EXIT.rejected;
}

async function readAll(
  { fileFlags, race }: Context['settings'],
  file: string,
  bytes: Uint8Array,
): Promise<ReturnType<typeof readFileRows>> {
  try {
    const read = readFileRows(await chooseReading(bytes, fileFlags, race.readings));
    // The race is over: a row without a time is one that somebody has to look at.
    const all = [...read.rows.unreadable, ...read.rows.unfinished];
    all.sort((one, other) => one.line - other.line);
    return { ...read, rows: { ...read.rows, unreadable: all, unfinished: [] } };
  } catch (error) {
    throw error instanceof FileError ? unreadable(file, error.message) : error;
  }
}
