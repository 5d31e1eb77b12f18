import { basename, join, resolve } from 'node:path';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withReading, writeRaceFile } from '../../files/race-file.ts';
import { readNamed } from '../../files/reading.ts';
import { bytesOf } from '../../files/watched-files.ts';
import { type Open, openRow, unreadableRow } from '../../queue/difference.ts';
import { comparedText, deliver } from '../../queue/folder.ts';
import { Held } from '../../queue/held.ts';
import { isSame } from '../../queue/item.ts';
import { requireSending } from '../../queue/sending.ts';
import { newSender, Store } from '../../queue/store.ts';
import { say } from '../../words.ts';
import { openFiles } from '../clock.ts';
import type { Context } from '../context.ts';
import { headerGuard, meaningGuard, passGuards, previewGuards, readingOf } from '../guards.ts';
import { keepRejected, sayOnCourse, sayRejected } from '../notices.ts';
import { leftText, rejectedOf } from '../view.ts';

/** Checks a file, shows the changes, asks, and sends the file once. A running `watch`, if any, does the sending. */
export async function send(context: Context): Promise<ExitCode> {
  const { settings, client, output, prompter, signal } = context;
  const { stateDir, eventId, operand, folder, race } = settings;
  const file = resolve(folder, operand);
  await requireSending(client, eventId, signal);
  await openFiles(context);
  const bytes = await bytesOf(file, settings.pace.settleMs, signal);
  const read = await readNamed(bytes, file, settings);
  const store = await Store.read(stateDir);
  const stored = new Held(client, eventId);
  await stored.look(signal);
  const held = stored.values;
  const sender = settings.senderName ?? store.owner?.sender ?? newSender();
  const guards = [
    ...headerGuard(settings, operand, read),
    ...meaningGuard(file, read, { held, store }),
    ...(await previewGuards(context, operand, bytes, read, sender)),
  ];
  const rows = [...read.rows].filter(
    ([key, { text }]) => !isSame(held.get(key)?.text ?? null, text),
  );
  const added = rows.filter(([key]) => !held.has(key)).length;
  const changes = {
    file: operand,
    rows: read.total,
    new: added,
    changed: rows.length - added,
    unchanged: read.rows.size - rows.length,
    rejected: read.unreadable.length,
  };
  output.answer('changes', changes);
  sayOnCourse(output, read);
  const accepted = await passGuards(
    context,
    guards.filter(({ code }) => !read.accepted.includes(code)),
  );
  const count = rows.length;
  if (count > 0) await prompter.requireYes(say('ask_send', { count }), settings.isYes);
  const kept = readingOf(file, read, [...read.accepted, ...accepted]);
  if (accepted.length > 0) await writeRaceFile(folder, withReading(race, kept));
  const sent = rows.map(([, { text }]) => text);
  const after = await deliver(context, { type: 'give', file, texts: sent, isByHand: false });

  const left: Open[] = [];
  const failed = read.unreadable.map((row) => unreadableRow(row, file));
  for (const [key, { text }] of rows) {
    const { answer = null } = after.acknowledged.get(key) ?? {};
    if (answer?.text === text) {
      (answer.isLeft ? left : failed).push(openRow(key, answer.code, { ...answer }));
    }
  }
  const refused = left.length + failed.length - read.unreadable.length;
  const rejected = failed.map(rejectedOf);
  const path = join(stateDir, 'rejected.csv');
  await keepRejected(output, path, read, rejected);
  sayRejected(output, rejected, settings);
  for (const one of left.slice(0, LEFT_SAID)) {
    output.warning('left', { ...one }, `${comparedText(one)}: ${leftText(one.code)}`);
  }
  const done = {
    stored: read.rows.size - refused,
    rejected: rejected.length,
    left: left.length,
    name: basename(file),
    path,
  };
  const key =
    left.length > 0 ? 'done_but_left' : rejected.length > 0 ? 'done_but_rejected' : 'done';
  output.answer('done', done, say(key, done));
  if (left.length > 0) return EXIT.guard;
  // A file without a single time was hardly meant.
  const hasNothing = read.rows.size === 0 && read.onCourse.length > 0;
  return rejected.length === 0 && !hasNothing ? EXIT.done : EXIT.rejected;
}

const LEFT_SAID = 10;
