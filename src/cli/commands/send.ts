import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isRaceResultsError } from '../../client/index.ts';
import { FileError } from '../../timing-files/read/file-error.ts';
import { classify } from '../api.ts';
import { allBibs } from '../changes.ts';
import type { Context } from '../context.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { Feed, type Reading, unreadableFile } from '../feed.ts';
import { readOnce, type Snapshot } from '../file-snapshot.ts';
import { stoppedByGuards } from '../guards.ts';
import { codeOf } from '../journal.ts';
import { plural } from '../output.ts';
import { waitMs } from '../sender.ts';
import { diskProblem, writing } from '../state.ts';
import { compareAll, differenceText, nowRegistered } from '../verify.ts';

/** A person waits: about a quarter of a minute, and then the network counts as down. */
const ATTEMPTS = 5;

/** Checks a file, says what changes, asks, sends it once, and reads it back. */
export async function send(context: Context): Promise<ExitCode> {
  const file = resolve(context.settings.folder, context.settings.operand);
  const snapshot = await copyOf(context, file);
  const feed = await Feed.open(context, file);
  try {
    await writing(context.settings.stateDir, () => queueFile(context, feed, snapshot));
    await sendAll(context, feed);
    return await readBack(context, feed);
  } finally {
    await feed.close();
  }
}

async function copyOf({ settings, signal }: Context, file: string): Promise<Snapshot> {
  const pause = async (ms: number) => {
    await wait(ms, undefined, { signal });
  };
  let snapshot: Snapshot | undefined;
  try {
    snapshot = await readOnce(file, settings.settleMs, pause);
  } catch (error) {
    signal.throwIfAborted();
    const code = codeOf(error);
    if (code === undefined) throw error;
    const why = {
      ENOENT: 'There is no such file.',
      EISDIR: 'It is a folder: name one of its files, or use `race-results watch`.',
    }[code];
    throw new CliError(
      EXIT.unclear,
      `${file} cannot be read. ${why ?? `The system says ${code}.`}`,
    );
  }
  if (snapshot) return snapshot;
  throw new CliError(
    EXIT.unclear,
    `${file} is being written all the time. Send it when the export is done, or use \`race-results watch\`.`,
  );
}

/** Puts into the queue what the person agrees to. */
async function queueFile(context: Context, feed: Feed, snapshot: Snapshot): Promise<void> {
  const { output, signal, settings, client } = context;
  const examined = examine(feed, snapshot);
  const { reading: previewed, changes } = await feed.preview(examined);
  // Somebody else has changed results, or taken them back: what is known here does not count.
  const isDifferent = changes > countOf(previewed) + previewed.changes.disagreeing.length;
  const reading = isDifferent ? withAll(previewed, feed) : previewed;
  sayWhatChanges(context, previewed);
  if (isDifferent) {
    output.progress(
      { type: 'held_differs', changes },
      `The API holds ${plural(changes, 'row')} in another way: all rows of the file are sent.`,
    );
  }
  const reason = await feed.pass(reading);
  if (reason === undefined) throw stoppedByGuards(reading.guards);
  const again = await nowRegistered(
    { client, eventId: settings.eventId, state: feed.state },
    signal,
  );
  const waiting = feed.state.waitingCount() + countOf(reading) + again.length;
  if (waiting > 0) await confirm(context, waiting);
  await feed.ledger.record(again.length > 0 ? [{ type: 'retried', bibs: again }] : []);
  await feed.queue(reading, reason);
}

function examine(feed: Feed, snapshot: Snapshot): Reading {
  try {
    const reading = feed.examine(snapshot, 'newest');
    // The race is over: a row without a time is one that somebody has to look at.
    const { unreadable, unfinished } = reading.read;
    const all = [...unreadable, ...unfinished].sort((one, other) => one.line - other.line);
    return { ...reading, read: { ...reading.read, unreadable: all, unfinished: [] } };
  } catch (error) {
    if (error instanceof FileError) throw unreadableFile(snapshot.file, error);
    throw error;
  }
}

const countOf = ({ changes }: Reading): number => changes.added.length + changes.changed.length;

function withAll(reading: Reading, { state }: Feed): Reading {
  const { changes, read } = reading;
  return { ...reading, changes: { ...changes, added: [], changed: allBibs(read, state) } };
}

function sayWhatChanges({ settings, output }: Context, { read, changes }: Reading): void {
  const { added, changed, unchanged } = changes;
  const counts = { new: added.length, changed: changed.length, unchanged };
  const rejected = read.unreadable.length;
  output.answer(
    { type: 'changes', file: settings.operand, rows: read.total, ...counts, rejected },
    `${settings.operand}: ${plural(read.total, 'row')}, ${added.length} new, ${changed.length} changed, ` +
      `${unchanged} as before, ${rejected} rejected.`,
  );
}

async function confirm({ settings, prompter }: Context, rows: number): Promise<void> {
  if (settings.isYes) return;
  if (!prompter.canAsk) {
    throw new CliError(
      EXIT.usage,
      `${plural(rows, 'row')} would be sent, and there is no terminal to ask in. Give --yes to send.`,
    );
  }
  if (await prompter.confirm(`Send ${plural(rows, 'row')}?`)) return;
  throw new CliError(EXIT.guard, 'Nothing was sent.');
}

/** Sends until nothing waits. @throws CliError if the network stays down: the queue is kept */
async function sendAll(context: Context, feed: Feed): Promise<void> {
  const { output, signal } = context;
  for (let failures = 0; ; ) {
    const sent = await feed.send(signal);
    switch (sent.kind) {
      case 'idle':
        return;
      case 'disk':
        throw diskProblem(context.settings.stateDir, new Error(sent.why));
      case 'answered': {
        failures = 0;
        const left = feed.state.waitingCount();
        output.progress(
          { type: 'sent', rows: sent.rows, batch: sent.answer?.batch_id, left },
          `Sent ${plural(sent.rows, 'row')}${left > 0 ? `, ${left} wait` : ''}.`,
        );
        break;
      }
      case 'offline': {
        failures += 1;
        if (failures >= ATTEMPTS) throw offline(sent.why, feed.state.waitingCount());
        const ms = waitMs(failures - 1, sent.retryAfterSeconds);
        output.warning(
          { type: 'offline', why: sent.why, wait_seconds: Math.ceil(ms / 1_000) },
          `Offline: ${sent.why}. Tries again in ${Math.ceil(ms / 1_000)} s.`,
        );
        await wait(ms, undefined, { signal });
      }
    }
  }
}

const offline = (why: string, rows: number): CliError =>
  new CliError(
    EXIT.offline,
    `Offline: ${why}. ${plural(rows, 'row')} wait in the queue. The same command sends them when the network is back.`,
  );

/** Compares what the API holds with what was sent. */
async function readBack(context: Context, feed: Feed): Promise<ExitCode> {
  const { output, client, settings, signal } = context;
  const { state } = feed;
  const rejected = feed.rejectedCount();
  const end = rejected > 0 ? EXIT.rejected : EXIT.done;
  try {
    const held = { client, eventId: settings.eventId, state };
    const differences = await compareAll(held, signal, async () => {});
    for (const difference of differences) {
      output.error({ type: 'difference', ...difference }, differenceText(difference));
    }
    const stored = state.stored.size - differences.length;
    output.answer(
      { type: 'done', stored, differences: differences.length, rejected },
      `The API holds ${plural(stored, 'result')} as sent. ${rejected} rejected.`,
    );
    return differences.length > 0 ? EXIT.rejected : end;
  } catch (error) {
    if (!isRaceResultsError(error)) throw error;
    const failure = classify(error);
    output.warning(
      { type: 'not_compared', why: failure.why },
      `Everything was sent and confirmed, and could not be read back: ${failure.why}.`,
    );
    return end;
  }
}
