import { basename, join, resolve } from 'node:path';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withReading, writeRaceFile } from '../../files/race-file.ts';
import { type ReadFile, readNamed } from '../../files/reading.ts';
import { rejectedCsv } from '../../files/rejected-file.ts';
import { bytesOf } from '../../files/watched-files.ts';
import { bibOf, readHeld } from '../../queue/item.ts';
import { deliver } from '../../queue/queue.ts';
import { knownOf, loadState, reconcile } from '../../queue/state.ts';
import { judgeVersion, keysOf } from '../../queue/version.ts';
import { say } from '../../words.ts';
import { openFiles } from '../clock.ts';
import type { Context } from '../context.ts';
import {
  changeGuards,
  headerGuard,
  meaningGuard,
  passGuards,
  previewGuards,
  readingOf,
} from '../guards.ts';
import { keepRejected, sayRejected, saySplitsLost } from '../notices.ts';

/** Checks a file, says what changes, asks, and sends it once: through a running `watch`, if there is one. */
export async function send(context: Context): Promise<ExitCode> {
  const { settings, client, output, prompter, signal } = context;
  const { stateDir, eventId, operand, folder, race } = settings;
  const file = resolve(folder, operand);
  await openFiles(context);
  const bytes = await bytesOf(file, settings.pace.settleMs, signal);
  const found = await readNamed(bytes, file, settings);
  // The race is over: a row without a time is one that somebody has to look at.
  const unreadable = [...found.unreadable, ...found.unfinished];
  unreadable.sort((one, other) => one.line - other.line);
  const read: ReadFile = { ...found, unreadable, unfinished: [] };
  const { state } = await loadState(stateDir, eventId);
  // Somebody else may have changed results: what this folder knows does not count.
  const { texts, points } = await readHeld(client, eventId, signal, read.rows.keys());
  reconcile(state, texts, points);
  const verdict = judgeVersion(state, file, read, { isByPerson: true, points });
  const guards = [
    ...headerGuard(settings, operand, read),
    ...meaningGuard(file, read, state),
    ...changeGuards(verdict, state),
    ...(await previewGuards(context, operand, bytes, read)),
  ];
  saySplitsLost(output, operand, verdict.splitsLost);
  const keys = keysOf(verdict, 'new', 'changed', 'held_back');
  const added = keysOf(verdict, 'new').length;
  const changes = {
    file: operand,
    rows: read.total,
    new: added,
    changed: keys.length - added,
    unchanged: keysOf(verdict, 'unchanged').length,
    held: keysOf(verdict, 'held').length,
    rejected: read.unreadable.length,
  };
  output.answer('changes', changes, say('changes', changes));
  const accepted = await passGuards(
    context,
    guards.filter(({ code }) => !read.accepted.includes(code)),
  );
  const count = keys.length;
  if (count > 0) await prompter.requireYes(say('ask_send', { count }), settings.isYes);
  const kept = readingOf(file, read, [...read.accepted, ...accepted]);
  if (accepted.length > 0) await writeRaceFile(folder, withReading(race, kept));
  const entry = {
    type: 'send' as const,
    file,
    texts: keys.flatMap((key) => read.rows.get(key)?.text ?? []),
    isDecision: false,
    isHeld: false,
  };
  const after = await deliver(context, entry);

  const path = join(stateDir, 'rejected.csv');
  await keepRejected(output, path, rejectedCsv(read, after, read.unreadable));
  const refused = [...read.rows].flatMap(([key, { line, text }]) => {
    const { rejected } = knownOf(after, key);
    return rejected?.text === text ? [{ ...rejected, file, line, bib: bibOf(key) }] : [];
  });
  const failed = [...refused, ...read.unreadable.map((row) => ({ ...row, file }))];
  sayRejected(output, failed, settings);
  const done = {
    stored: read.rows.size - refused.length - changes.held,
    rejected: refused.length + read.unreadable.length,
    name: basename(file),
    path,
  };
  const isAll = done.rejected === 0;
  const key = changes.held > 0 ? 'done_but_held' : 'done';
  output.answer('done', done, say(isAll ? key : 'done_but_rejected', done));
  return isAll ? EXIT.done : EXIT.rejected;
}
