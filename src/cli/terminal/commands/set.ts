import type { PreviewWarning } from '../../../client/index.ts';
import { RowError } from '../../../timing-files/read/reason-codes.ts';
import { judge } from '../../../timing-files/read/result.ts';
import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { unlessOffline } from '../../queue/api.ts';
import { deliver } from '../../queue/folder.ts';
import { type ResultRow, reasonOf, rowIn, rowOf, shortResult, textOf } from '../../queue/item.ts';
import { csvOf } from '../../queue/sending.ts';
import { Store } from '../../queue/store.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';
import { guardOf, passGuards } from '../guards.ts';
import type { Settings } from '../settings.ts';

/** Sends a value typed by a person. The API protects the value against later files. */
export async function set(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { stateDir, operand: bib } = settings;
  const typed = typedIn(settings);
  if (Object.values(typed).every((value) => value === '')) {
    throw failure(EXIT.usage, 'set_needs_a_value');
  }
  const { given, acknowledged } = await Store.read(stateDir);
  const own = given.get(bib)?.text ?? acknowledged.get(bib)?.text ?? undefined;
  const before = given.has(bib) ? rowIn(own ?? '') : await currentRow(context, own, bib);
  const row = combine(bib, before, typed);
  await guard(context, row);
  const [was, now] = [before ? shortResult(before) : '-', shortResult(row)];
  output.progress('setting', { ...row }, say('setting', { bib, was, now }));
  const entry = { type: 'give', file: `set ${bib}`, texts: [textOf(row)], isByHand: true } as const;
  const { answer = null } = (await deliver(context, entry)).acknowledged.get(bib) ?? {};
  if (answer?.text === textOf(row)) {
    const reason = reasonOf(answer.code, answer.reason, bib);
    output.error('rejected', { bib_number: bib, reason, reason_code: answer.code }, reason);
    return EXIT.rejected;
  }
  output.answer('set', { ...row }, say('set', { bib, now }));
  return EXIT.done;
}

/** Removes the result of a bib, such as a result left behind by a corrected bib. */
export async function remove(context: Context): Promise<ExitCode> {
  const { settings, client, output, prompter, signal } = context;
  const { operand: bib, eventId } = settings;
  const held = await heldRow(context, bib);
  if (!held) throw failure(EXIT.usage, 'nothing_to_remove', { bib });
  const result = shortResult(held);
  await prompter.requireYes(say('ask_remove', { bib, result }), settings.isYes);
  const { batch_id: id } = await client.deleteEventResult(eventId, bib, { signal });
  await deliver(context, { type: 'removed', bib });
  output.answer('removed', { bib, result, id });
  return EXIT.done;
}

/** Warnings with a question before the value is sent. */
const ASKING = [
  'implausible_for_distance',
  'cancelled_registration',
] satisfies PreviewWarning['code'][];

/** @throws CliError for a bib without a registration, or if a person says no */
async function guard(context: Context, row: ResultRow): Promise<void> {
  const { settings, client, signal } = context;
  const { csv, read } = csvOf([textOf(row)]);
  // Offline, the API judges the row at the upload.
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
  return held && { ...held, bib_number: bib };
}

/** The bib's current value: the API's result, or offline the last value taken by the API. */
async function currentRow(context: Context, own: string | undefined, bib: string) {
  const [held, offline] = await unlessOffline(heldRow(context, bib));
  return offline && own !== undefined ? rowIn(own) : held;
}

const typedIn = ({ text }: Settings) => ({
  status: text('status') ?? '',
  chipTime: text('chip-time') ?? '',
  gunTime: text('gun-time') ?? '',
});

/** Puts the typed values over the known values: an upload replaces the whole result of a bib. */
function combine(
  bib: string,
  before: ResultRow | undefined,
  { status, chipTime, gunTime }: ReturnType<typeof typedIn>,
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
