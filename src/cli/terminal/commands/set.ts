import {
  isRaceResultsError,
  type PreviewWarning,
  type ResultsFilePreview,
} from '../../../client/index.ts';
import { RowError } from '../../../timing-files/read/reason-codes.ts';
import { judge } from '../../../timing-files/read/result.ts';
import { CliError, EXIT, type ExitCode } from '../../exit-codes.ts';
import { classify } from '../../queue/api.ts';
import { deliver } from '../../queue/deliver.ts';
import { ResultRow, rowIn, rowOf, shortResult, textOf } from '../../queue/result-row.ts';
import { isWaiting, loadState, newestOf, type RaceState } from '../../queue/state.ts';
import { csvOf } from '../../queue/upload.ts';
import { say } from '../../words.ts';
import { usage } from '../arguments.ts';
import type { Context } from '../context.ts';
import { passGuards } from '../guards.ts';

/** A decision of a person about one bib: stored now, and kept against later files where it is held. */
export async function set(context: Context): Promise<ExitCode> {
  const { settings, output, signal } = context;
  const { stateDir, eventId, operand: bib, decision } = settings;
  if (decision.status === '' && decision.chipTime === '' && decision.gunTime === '') {
    const what = say('say_what_is_decided');
    throw usage('set', `${what}: --status, --chip-time, --gun-time.`);
  }
  const { state } = await loadState(stateDir, eventId);
  const before = await currentRow(context, state, bib);
  const row = decide(bib, before, decision);
  await guard(context, row);
  const isHeld = decision.isHeld || state.decisions.get(bib)?.isHeld === true;
  const was = before ? shortResult(before) : say('no_result_2');
  const change = `${say('bib')} ${bib}: ${was} -> ${shortResult(row)}`;
  output.progress({ type: 'decided', ...row, held: isHeld }, change);
  const entry = { type: 'set' as const, bib, text: textOf(row), isHeld };
  const delivered = await deliver(settings, entry, [bib], signal);
  const rejection = delivered.state.rejected.get(bib);
  if (rejection && !isWaiting(delivered.state, bib)) {
    const { reason, code } = rejection;
    output.error({ type: 'rejected', bib_number: bib, reason, reason_code: code }, reason);
    return EXIT.rejected;
  }
  if (delivered.waiting !== undefined) {
    throw new CliError(
      EXIT.offline,
      say('the_decision_about_bib_is', { bib, waiting: delivered.waiting }),
    );
  }
  const hold = isHeld ? say('it_is_held_no_file', { bib }) : say('a_file_that_brings_another');
  const stored = say('bib_is_stored_as', { bib });
  output.answer({ type: 'set', ...row, held: isHeld }, `${stored} ${shortResult(row)}. ${hold}`);
  return EXIT.done;
}

/** Warnings of a preview that ask before a decision is made. */
const ASKING = new Set<string>([
  'implausible_for_distance',
  'cancelled_registration',
] satisfies PreviewWarning['code'][]);

/** @throws CliError where no registration has the bib, or a person should look once more */
async function guard(context: Context, row: ResultRow): Promise<void> {
  const { settings, client, signal } = context;
  const { csv, read } = csvOf([textOf(row)]);
  const query = new URLSearchParams(read).toString();
  let preview: ResultsFilePreview;
  try {
    const options = { read: query, signal };
    preview = await client.previewEventResultsFile(settings.eventId, csv, options);
  } catch (error) {
    // The API says it later, when it gets the row.
    if (isOffline(error)) return;
    throw error;
  }
  const [failure] = preview.failed;
  if (failure) {
    const hint = say('nothing_was_sent_check_the');
    throw new CliError(EXIT.rejected, `${failure.reason} ${hint}`);
  }
  await passGuards(
    context,
    preview.warnings.filter(({ code }) => ASKING.has(code)),
  );
}

const isOffline = (error: unknown): boolean =>
  isRaceResultsError(error) && classify(error).kind === 'offline';

/** The bib's present value: a row that waits, the API's result, or offline the last stored one. */
async function currentRow(
  { client, settings, signal }: Context,
  state: RaceState,
  bib: string,
): Promise<ResultRow | undefined> {
  const known = newestOf(state, bib);
  if (known !== undefined && isWaiting(state, bib)) return rowIn(known);
  try {
    const { data } = await client.listEventResults(settings.eventId, { bib }, { signal });
    const [held] = data;
    return held && ResultRow.parse({ ...held, bib_number: bib });
  } catch (error) {
    if (!isOffline(error)) throw error;
    return known === undefined ? undefined : rowIn(known);
  }
}

/** The decision on top of what is known: an upload replaces the whole result of a bib. */
function decide(
  bib: string,
  before: ResultRow | undefined,
  { status, chipTime, gunTime }: { status: string; chipTime: string; gunTime: string },
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
      const both = say('give_status_or_a_time');
      throw usage('set', `${row.status} ${say('has_no_times')}. ${both}`);
    }
    return row;
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    const add = say('add_chip_time_or_gun');
    const hint = error.code === 'missing_time' ? ` ${add}` : '';
    throw new CliError(EXIT.usage, `bib ${bib}: ${error.message}${hint}`);
  }
}

/** `1:28` meant as hours and minutes would be stored as 88 seconds. */
function refuseShort(time: string): void {
  const [, minutes, seconds] = /^(\d):(\d\d)([.,]\d+)?$/.exec(time.trim()) ?? [];
  if (minutes === undefined) return;
  throw new CliError(EXIT.usage, say('would_be_min_s_write', { time, minutes, seconds }));
}
