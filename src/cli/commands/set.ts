import {
  isRaceResultsError,
  type PreviewWarning,
  type ResultsFilePreview,
} from '../../client/index.ts';
import { RowError } from '../../timing-files/read/reason-codes.ts';
import { judge } from '../../timing-files/read/result.ts';
import { classify } from '../api.ts';
import { usage } from '../arguments.ts';
import type { Context } from '../context.ts';
import { deliver } from '../deliver.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { type ResultRow, rowIn, rowOf, shortResult } from '../result-row.ts';
import { type RaceState, readState } from '../state.ts';

/** A decision of a person about one bib: stored now, and kept against later files where it is held. */
export async function set(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { stateDir, operand: bib, decision } = settings;
  if (decision.status === '' && decision.chipTime === '' && decision.gunTime === '') {
    throw usage('set', 'Say what is decided: --status, --chip-time or --gun-time.');
  }
  const state = await readState(stateDir);
  const before = await currentRow(context, state, bib);
  const row = decide(bib, before, decision);
  await guard(context, row);
  const isHeld = decision.isHeld || state.held.has(bib);
  const change = `bib ${bib}: ${before ? shortResult(before) : 'no result'} -> ${shortResult(row)}`;
  output.progress({ type: 'decided', ...row, held: isHeld }, change);
  const delivered = await deliver(context, { type: 'set', row, isHeld });
  switch (delivered.outcome) {
    case 'rejected': {
      const { reason, code } = delivered;
      const rejection = { bib_number: bib, reason, reason_code: code };
      output.error({ type: 'rejected', ...rejection }, `bib ${bib} is rejected: ${reason}`);
      return EXIT.rejected;
    }
    case 'waiting':
      throw new CliError(
        EXIT.offline,
        `The decision about bib ${bib} is kept, and not sent yet: ${delivered.why}. ` +
          'A running `watch` sends it, or else the next `watch`, `send` or `set`.',
      );
    case 'done':
      output.answer(
        { type: 'set', ...row, held: isHeld },
        `bib ${bib} is stored as ${shortResult(row)}. ` +
          (isHeld
            ? `It is held: no file changes it until \`race-results release ${bib}\`.`
            : 'A file that brings another row for it changes it again; --hold prevents that.'),
      );
      return EXIT.done;
  }
}

/** Warnings of a preview that ask before a decision is made. */
const ASKING = new Set<string>([
  'implausible_for_distance',
  'cancelled_registration',
] satisfies PreviewWarning['code'][]);

/** @throws CliError where no registration has the bib, or a person should look once more */
async function guard(context: Context, row: ResultRow): Promise<void> {
  const { settings, client, prompter, output, signal } = context;
  const { bib_number, status, chip_time, gun_time } = row;
  const cells = [bib_number, status, chip_time ?? '', gun_time ?? ''];
  const line = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join();
  const file = `bib,status,chip_time,gun_time\n${line}\n`;
  let preview: ResultsFilePreview;
  try {
    preview = await client.previewEventResultsFile(settings.eventId, file, { signal });
  } catch (error) {
    // The API says it later, when it gets the row.
    if (isOffline(error)) return;
    throw error;
  }
  const [failure] = preview.failed;
  if (failure) {
    throw new CliError(
      EXIT.rejected,
      `${failure.reason} Nothing was sent. Check the number, or mend the registration first.`,
    );
  }
  const warnings = preview.warnings.filter(({ code }) => ASKING.has(code));
  if (warnings.length === 0) return;
  output.warning(
    { type: 'warnings', warnings, force: settings.force },
    warnings.map(({ detail }) => detail).join('\n'),
  );
  if (settings.force !== undefined) return;
  const isMeant = prompter.canAsk && (await prompter.confirm('Store it all the same?'));
  if (isMeant) return;
  throw new CliError(
    EXIT.guard,
    `Nothing was sent. If bib ${bib_number} is right like this, repeat with --force REASON.`,
  );
}

const isOffline = (error: unknown): boolean =>
  isRaceResultsError(error) && classify(error).kind === 'offline';

/** What the bib has now: a row that waits, what the API holds, or offline what was stored last. */
async function currentRow(
  { client, settings, signal }: Context,
  state: RaceState,
  bib: string,
): Promise<ResultRow | undefined> {
  const waiting = state.queue.get(bib) ?? state.flight?.rows.get(bib);
  if (waiting !== undefined) return rowIn(waiting);
  try {
    const { data } = await client.listEventResults(settings.eventId, { bib }, { signal });
    const [held] = data;
    if (!held) return undefined;
    const { status, chip_time, gun_time, splits } = held;
    return { bib_number: bib, status, chip_time, gun_time, splits };
  } catch (error) {
    if (!isOffline(error)) throw error;
    const stored = state.newest(bib);
    return stored === undefined ? undefined : rowIn(stored);
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
      throw usage('set', `${row.status} has no times. Give --status or a time, not both.`);
    }
    return row;
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    const hint = error.code === 'missing_time' ? ' Add --chip-time or --gun-time.' : '';
    throw new CliError(EXIT.usage, `bib ${bib}: ${error.message}${hint}`);
  }
}

/** `1:28` meant as hours and minutes would be stored as 88 seconds. */
function refuseShort(time: string): void {
  const [, minutes, seconds] = /^(\d):(\d\d)([.,]\d+)?$/.exec(time.trim()) ?? [];
  if (minutes === undefined) return;
  throw new CliError(
    EXIT.usage,
    `${time} would be ${minutes} min ${seconds} s. Write 0:0${minutes}:${seconds} if that is meant, ` +
      `or ${minutes}:${seconds}:00 for ${minutes} h ${seconds} min.`,
  );
}
