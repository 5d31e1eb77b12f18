import { basename, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { FileError } from '../../../timing-files/read/file-error.ts';
import { CliError, EXIT, type ExitCode } from '../../exit-codes.ts';
import { acceptanceOf, chooseReading, type ReadFile, readFileRows } from '../../files/reading.ts';
import { rejectedCsv, writeRejected } from '../../files/rejected-file.ts';
import { readOnce, type Version } from '../../files/watched-files.ts';
import { codeOf } from '../../own-files.ts';
import { judgeVersion, type Verdict } from '../../queue/decide.ts';
import { deliver } from '../../queue/deliver.ts';
import { readHeldResults } from '../../queue/held-results.ts';
import { shortText } from '../../queue/result-row.ts';
import { loadState, type RaceState } from '../../queue/state.ts';
import { results, rows, say } from '../../words.ts';
import type { Context } from '../context.ts';
import {
  changeGuard,
  passGuards,
  previewGuards,
  reinstatedGuard,
  uncheckedGuard,
  unreadable,
} from '../guards.ts';

/** Checks a file, says what changes, asks, and sends it once: through a running `watch`, if there is one. */
export async function send(context: Context): Promise<ExitCode> {
  const { settings, client, signal } = context;
  const file = resolve(settings.folder, settings.operand);
  const version = await copyOf(context, file);
  const read = await readAll(context, version);
  const { state } = await loadState(settings.stateDir, settings.eventId);
  const held = await readHeldResults(client, settings.eventId, signal);
  // Somebody else may have changed results: what this folder knows does not count.
  const now: RaceState = { ...state, stored: held.texts };
  const verdict = judgeVersion(now, file, read.rows, true);
  const guards = [
    ...uncheckedGuard(settings, read),
    ...changeGuard(verdict, now),
    ...reinstatedGuard(verdict),
  ];
  const previewed = await previewGuards(context, settings.operand, version.bytes, read);
  const known = new Set(guards.map(({ code }) => code));
  guards.push(...previewed.filter(({ code }) => !known.has(code)));
  sayWhatChanges(context, read, verdict);
  await passGuards(context, guards);
  const bibs = [...verdict.added, ...verdict.changed, ...verdict.heldBack.map(({ bib }) => bib)];
  if (bibs.length > 0) await confirm(context, bibs.length);
  const texts = bibs.map((bib) => read.rows.results.get(bib)?.text ?? '');
  const { isMended } = read;
  const entry = { type: 'send' as const, file, accepted: acceptanceOf(read), texts, isMended };
  const delivered = await deliver(settings, entry, bibs, signal);
  if (delivered.waiting !== undefined) throw waiting(delivered.waiting, bibs.length);
  return finish(context, { version, read, bibs, state: delivered.state });
}

async function copyOf({ settings, signal }: Context, file: string): Promise<Version> {
  let version: Version | undefined;
  try {
    version = await readOnce(file, settings.settleMs, async (ms) => {
      await wait(ms, undefined, { signal });
    });
  } catch (error) {
    signal.throwIfAborted();
    const code = codeOf(error);
    if (code === undefined) throw error;
    const why: Record<string, string> = {
      ENOENT: say('there_is_no_such_file'),
      EISDIR: say('it_is_a_folder_name_one'),
    };
    throw unreadable(file, why[code] ?? code);
  }
  if (version) return version;
  throw unreadable(file, say('it_is_being_written_all'));
}

async function readAll({ settings }: Context, version: Version): Promise<ReadFile> {
  try {
    const { fileFlags, race } = settings;
    const read = readFileRows(await chooseReading(version.bytes, fileFlags, race.readings ?? []));
    // The race is over: a row without a time is one that somebody has to look at.
    const all = [...read.rows.unreadable, ...read.rows.unfinished];
    all.sort((one, other) => one.line - other.line);
    return { ...read, rows: { ...read.rows, unreadable: all, unfinished: [] } };
  } catch (error) {
    throw error instanceof FileError ? unreadable(version.file, error.message) : error;
  }
}

function sayWhatChanges({ settings, output }: Context, read: ReadFile, verdict: Verdict): void {
  const { added, changed, unchanged, heldBack, disagreeing } = verdict;
  const { operand } = settings;
  for (const { bib, line, held, text } of disagreeing) {
    const [decided, found] = [shortText(held), shortText(text)];
    output.warning(
      { type: 'held', bib, line, held: decided, in_file: found },
      say('bib_is_held_as_line', { bib, decided, line, found }),
    );
  }
  const counts = { new: added.length, changed: changed.length + heldBack.length, unchanged };
  const rejected = read.rows.unreadable.length;
  output.answer(
    { type: 'changes', file: operand, rows: read.rows.total, ...counts, rejected },
    say('new_changed_as_before_unreadable', {
      operand,
      rows: rows(read.rows.total),
      new: counts.new,
      changed: counts.changed,
      unchanged,
      rejected,
    }),
  );
}

async function confirm({ settings, prompter }: Context, count: number): Promise<void> {
  if (settings.isYes) return;
  if (!prompter.canAsk) {
    throw new CliError(EXIT.usage, say('would_be_sent_and_there', { rows: rows(count) }));
  }
  if (await prompter.confirm(say('send', { rows: rows(count) }))) return;
  throw new CliError(EXIT.guard, say('nothing_was_sent'));
}

const waiting = (why: string, count: number): CliError =>
  new CliError(EXIT.offline, say('wait_in_the_queue_the', { rows: rows(count), why }));

type Sent = { version: Version; read: ReadFile; bibs: readonly string[]; state: RaceState };

/** Says what was stored, and writes down what was not. */
async function finish(
  { settings, output }: Context,
  { version, read, state }: Sent,
): Promise<ExitCode> {
  const { results: found, unreadable: lines } = read.rows;
  const byApi = [...found.keys()].flatMap((bib) => {
    const rejection = state.rejected.get(bib);
    return rejection ? [{ bib, line: found.get(bib)?.line ?? 0, ...rejection }] : [];
  });
  const rejected = [...lines, ...byApi];
  for (const { line, bib, reason, code } of rejected.slice(0, 10)) {
    const where = `${say('line_2')} ${line}, ${say('bib')} ${bib ?? '-'}`;
    output.warning({ type: 'rejected', line, bib, reason, code }, `${where}: ${reason}`);
  }
  const text = rejectedCsv(read, {
    ...{ byApi: state.rejected, unreadable: lines },
  });
  const path = join(settings.stateDir, 'rejected.csv');
  const { problem } = await writeRejected(path, text, undefined);
  if (problem !== undefined) output.warning({ type: 'rejected_file' }, problem);
  const stored = found.size - byApi.length;
  const name = basename(version.file);
  const count = { type: 'done', stored, rejected: rejected.length };
  if (rejected.length === 0) {
    output.answer(count, say('all_of_are_stored', { results: results(stored), name }));
    return EXIT.done;
  }
  output.answer(
    count,
    say('of_are_stored_rejected_see', {
      results: results(stored),
      name,
      rows: rows(rejected.length),
      path,
    }),
  );
  return EXIT.rejected;
}
