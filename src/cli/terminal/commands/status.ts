import { basename, join } from 'node:path';
import * as z from 'zod/mini';
import { isRaceResultsError } from '../../../client/index.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { unreadableOf } from '../../files/rejected-file.ts';
import { parsedJson, readOwn } from '../../own-files.ts';
import { classify } from '../../queue/api.ts';
import { type Holder, lockAddress, lockHolder } from '../../queue/lock.ts';
import { shortText } from '../../queue/result-row.ts';
import { heldBibs, loadState, type RaceState, waitingCount } from '../../queue/state.ts';
import { rows, say } from '../../words.ts';
import type { Context } from '../context.ts';
import { localTime } from '../output.ts';
import { exitCodeOf, Shown } from '../status-line.ts';
import { STATUS_FILE } from './watch.ts';

const SHOWN = 10;

/** Where the sending stands: the state of a running `watch` first, then what only the API knows. */
export async function status(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { stateDir, folder, eventId, race, user } = settings;
  const [{ state, lost }, holder, missing] = await Promise.all([
    loadState(stateDir, eventId),
    lockHolder(lockAddress(user, eventId, folder)),
    countMissing(context),
  ]);
  const shown = holder && (await readShown(stateDir));
  const unreadable = [...state.sources.values()].flatMap((one) => unreadableOf(state, one));
  const rejected = [
    ...[...state.rejected].map(([bib, { reason, code }]) => ({ bib, reason, code })),
    ...unreadable,
  ];
  for (const text of lost) output.error({ type: 'damaged', detail: text }, text);
  const isMissingKnown = 'total' in missing;
  const head = shown?.text ?? say('nothing_watches');
  const lines = [
    [head, ''],
    [say('event'), race.event === eventId ? `${race.event_name} (${eventId})` : eventId],
    [say('running'), runningText(holder)],
    ...[...state.sources]
      .slice(-SHOWN)
      .map(([file, { rows: count, readAt }]) => [
        say('file'),
        `${basename(file)}, ${rows(count)}, ${localTime(readAt)}`,
      ]),
    [say('queue'), rows(waitingCount(state))],
    [say('last_success'), state.lastSuccessAt === null ? '-' : localTime(state.lastSuccessAt)],
    [say('stored'), `${state.stored.size}`],
    [say('rejected'), `${rejected.length}`],
    ...rejected.slice(0, SHOWN).map(({ bib, reason }) => ['', `bib ${bib ?? '-'}: ${reason}`]),
    [say('held_back_2'), `${state.heldBack.size}`],
    ...[...state.heldBack]
      .slice(0, SHOWN)
      .map(([bib, { stored, text }]) => [
        '',
        `bib ${bib}: ${shortText(stored)}, ${say('file')} ${shortText(text)}`,
      ]),
    [say('held'), heldText(state)],
    [say('missing'), isMissingKnown ? `${missing.total}` : missing.why],
  ];
  output.answer(
    {
      ...{ type: 'status', state: shown?.state ?? null, event: eventId, running: holder ?? null },
      ...{ online: isMissingKnown, queue: waitingCount(state), last_success: state.lastSuccessAt },
      ...{ stored: state.stored.size, rejected: rejected.length, rejected_rows: rejected },
      ...{ held_back: [...state.heldBack.keys()], held: heldBibs(state) },
      missing: isMissingKnown ? missing.total : null,
    },
    lines
      .map(([label = '', text = '']) => (text === '' ? label : `${label.padEnd(13)}${text}`))
      .join('\n'),
  );
  if (!isMissingKnown) return EXIT.offline;
  const fallback = state.heldBack.size > 0 ? 'HELD BACK' : 'OK';
  return exitCodeOf(shown?.state ?? fallback, rejected.length);
}

const readShown = async (stateDir: string): Promise<Shown | undefined> =>
  z.safeParse(Shown, parsedJson(await readOwn(join(stateDir, STATUS_FILE)))).data;

const runningText = (holder: Holder | undefined): string =>
  holder
    ? say('process_since', {
        pid: holder.pid,
        time: localTime(holder.startedAt),
        name: holder.name,
      })
    : say('nothing_start_watch');

/** @throws RaceResultsError where the key or the event is wrong */
async function countMissing({
  client,
  settings,
  signal,
}: Context): Promise<{ total: number } | { why: string }> {
  try {
    const list = client.listMissingResults(settings.eventId, { page_size: 1 }, { signal });
    return { total: (await list).meta.total };
  } catch (error) {
    if (!isRaceResultsError(error)) throw error;
    const failure = classify(error);
    if (failure.kind !== 'offline') throw error;
    return { why: failure.why };
  }
}

/** Each held bib, and what a file says instead. */
function heldText(state: RaceState): string {
  const held = heldBibs(state);
  const shown = held.slice(0, SHOWN).map((bib) => {
    const text = state.decisions.get(bib)?.text;
    const said = state.said.get(bib)?.text;
    const file = said === undefined || said === text ? '' : `, ${say('file')} ${shortText(said)}`;
    return `bib ${bib} ${shortText(text)}${file}`;
  });
  return held.length === 0 ? '0' : `${held.length} (${shown.join('; ')})`;
}
