import type { PreviewWarning } from '../../../client/index.ts';
import { RowError } from '../../../timing-files/read/reason-codes.ts';
import { judge } from '../../../timing-files/read/result.ts';
import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { unlessOffline } from '../../queue/api.ts';
import {
  bibOf,
  ResultRow,
  reasonOf,
  rowIn,
  rowOf,
  shortResult,
  shortText,
  textOf,
} from '../../queue/item.ts';
import { deliver } from '../../queue/queue.ts';
import { isHeld, type Known, newestOf, waitingOf, whyAsked } from '../../queue/record.ts';
import { knownOf, loadState } from '../../queue/state.ts';
import { csvOf } from '../../queue/upload.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';
import { guardOf, passGuards } from '../guards.ts';
import type { Settings } from '../settings.ts';

/** A decision of a person about one bib: stored now, and kept against later files where it is held. */
export async function set(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { stateDir, eventId, operand: bib, has } = settings;
  const given = decisionIn(settings);
  if (Object.values(given).every((value) => value === '')) {
    throw failure(EXIT.usage, 'set_needs_a_decision');
  }
  const { state } = await loadState(stateDir, eventId);
  const known = knownOf(state, bib);
  const before = await currentRow(context, known, bib);
  const row = decide(bib, before, given);
  await guard(context, row);
  const holds = has('hold') || isHeld(known);
  const [was, now] = [before ? shortResult(before) : '-', shortResult(row)];
  output.progress('decided', { ...row, held: holds }, say('decided', { bib, was, now }));
  const entry = { file: `set ${bib}`, texts: [textOf(row)], isDecision: true, isHeld: holds };
  const { rejected } = knownOf(await deliver(context, { type: 'send', ...entry }), bib);
  if (rejected) {
    const reason = reasonOf(rejected.code, rejected.reason, bib);
    output.error('rejected', { bib_number: bib, reason, reason_code: rejected.code }, reason);
    return EXIT.rejected;
  }
  const text = say(holds ? 'set_and_held' : 'set', { bib, now });
  output.answer('set', { ...row, held: holds }, text);
  return EXIT.done;
}

/** Ends a hold, and lets a row pass that waits for a person. What the file says counts again. */
export async function release(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { operand: bib, stateDir, eventId } = settings;
  const { state } = await loadState(stateDir, eventId);
  const open = [...state.known].flatMap(([key, known]) =>
    isHeld(known) || whyAsked(known) ? [key] : [],
  );
  const keys = open.filter((key) => bibOf(key) === bib);
  if (keys.length === 0) {
    output.answer('not_held', { bib, held: open.length === 0 ? '-' : open.map(bibOf) });
    return EXIT.done;
  }
  await deliver(context, { type: 'release', keys });
  output.answer('released', { bib });
  return EXIT.done;
}

/** Says that what the API holds is right: of a bib, or of all that waits for a person, rejected rows too. */
export async function keep(context: Context): Promise<ExitCode> {
  const { operand: bib } = context.settings;
  const keys = bib === '' ? [] : [bib];
  const state = await deliver(context, { type: 'keep', keys });
  if (bib === '') context.output.answer('kept_all');
  else context.output.answer('kept_one', { bib, result: shortText(knownOf(state, bib).stored) });
  return EXIT.done;
}

/** Takes the result of a bib away, such as one that stayed when a bib was corrected. */
export async function remove(context: Context): Promise<ExitCode> {
  const { settings, output, prompter } = context;
  const { operand: bib } = settings;
  const held = await heldRow(context, bib);
  if (!held) throw failure(EXIT.usage, 'nothing_to_remove', { bib });
  const result = shortResult(held);
  await prompter.requireYes(say('ask_remove', { bib, result }), settings.isYes);
  await deliver(context, { type: 'remove', bib });
  output.answer('removed', { bib, result });
  return EXIT.done;
}

/** Warnings of a preview that ask before a decision is made. */
const ASKING = [
  'implausible_for_distance',
  'cancelled_registration',
] satisfies PreviewWarning['code'][];

/** @throws CliError where no registration has the bib, or a person should look once more */
async function guard(context: Context, row: ResultRow): Promise<void> {
  const { settings, client, signal } = context;
  const { csv, read } = csvOf([textOf(row)]);
  // Offline, the API says it when it gets the row.
  const [preview] = await unlessOffline(
    client.previewEventResultsFile(settings.eventId, csv, { read, signal }),
  );
  const [failed] = preview?.failed ?? [];
  if (failed)
    throw failure(EXIT.rejected, 'set_of_unknown_bib', {
      reason: reasonOf(failed.reason_code, failed.reason, row.bib_number),
    });
  const asking = preview?.warnings.filter(({ code }) => ASKING.some((known) => known === code));
  await passGuards(context, (asking ?? []).map(guardOf));
}

/** The API's result of a bib. */
async function heldRow({ client, settings, signal }: Context, bib: string) {
  const [held] = (await client.listEventResults(settings.eventId, { bib }, { signal })).data;
  return held && ResultRow.parse({ ...held, bib_number: bib });
}

/** The bib's present value: a row that waits, the API's result, or offline the last stored one. */
async function currentRow(context: Context, known: Known, bib: string) {
  const newest = newestOf(known);
  const own = newest === null ? undefined : rowIn(newest);
  if (own && waitingOf(known)) return own;
  const [held, offline] = await unlessOffline(heldRow(context, bib));
  return offline ? own : held;
}

const decisionIn = ({ text }: Settings) => ({
  status: text('status') ?? '',
  chipTime: text('chip-time') ?? '',
  gunTime: text('gun-time') ?? '',
});

/** The decision on top of what is known: an upload replaces the whole result of a bib. */
function decide(
  bib: string,
  before: ResultRow | undefined,
  { status, chipTime, gunTime }: ReturnType<typeof decisionIn>,
): ResultRow {
  const splits = Object.entries(before?.splits ?? {});
  const isTimed = chipTime !== '' || gunTime !== '';
  for (const time of [chipTime, gunTime]) refuseShort(time);
  try {
    const row = rowOf(
      judge({
        bib,
        status: status || (isTimed ? 'FINISHED' : ''),
        chipTime: chipTime || (before?.chip_time ?? ''),
        gunTime: gunTime || (before?.gun_time ?? ''),
        splitNames: splits.map(([name]) => name),
        splitTimes: splits.map(([, time]) => time),
      }),
    );
    if (isTimed && row.status !== 'FINISHED') {
      throw failure(EXIT.usage, 'status_without_time', { status: row.status });
    }
    return row;
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    const key = error.code === 'missing_time' ? 'set_needs_a_time' : 'set_wrong';
    throw failure(EXIT.usage, key, { bib, why: reasonOf(error.code, error.message, bib) });
  }
}

/** `1:28` meant as hours and minutes would be stored as 88 seconds. */
function refuseShort(time: string): void {
  const [, minutes, seconds] = /^(\d):(\d\d)([.,]\d+)?$/.exec(time.trim()) ?? [];
  if (minutes) throw failure(EXIT.usage, 'time_too_short', { time, minutes, seconds });
}
