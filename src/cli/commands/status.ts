import { join, relative } from 'node:path';
import { isRaceResultsError } from '../../client/index.ts';
import { classify } from '../api.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { lockHolder } from '../lock.ts';
import { plural } from '../output.ts';
import { REJECTED_FILE } from '../rejected-file.ts';
import { rowIn, shortResult } from '../result-row.ts';
import { type RaceState, readState } from '../state.ts';
import { localTime } from './log.ts';

const SHOWN = 10;

/** Where the sending stands: what the state folder knows, and what only the API knows. */
export async function status(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { stateDir, folder, eventId, race } = settings;
  const [state, holder, missing] = await Promise.all([
    readState(stateDir),
    lockHolder(stateDir),
    countMissing(context),
  ]);
  const waiting = state.waitingCount();
  const rejected = state.rejectedRows();
  const name =
    race.event === eventId && race.event_name ? `${race.event_name} (${eventId})` : eventId;
  const where = relative(folder, stateDir) || '.';
  const lines = [
    ['event', name],
    [
      'running',
      holder
        ? `process ${holder.pid} since ${localTime(holder.startedAt)} ${holder.name}`.trim()
        : 'nothing: start `race-results watch`',
    ],
    ...[...state.sources].map(([source, { file, rows, readAt }]) => [
      'file',
      `${file || source}, ${plural(rows, 'row')}, read ${localTime(readAt)}`,
    ]),
    ['queue', waiting === 0 ? '0 rows' : `${plural(waiting, 'row')} not stored yet`],
    [
      'last success',
      state.lastSuccessAt === undefined
        ? 'none from this folder'
        : `${localTime(state.lastSuccessAt)}, batch ${state.lastBatchId?.slice(0, 8)}`,
    ],
    ['stored', `${plural(state.stored.size, 'row')} from this folder`],
    [
      'rejected',
      rejected.length === 0 ? '0' : `${rejected.length}, see ${join(where, REJECTED_FILE)}`,
    ],
    ...rejected.slice(0, SHOWN).map(({ bib, reason }) => ['', `bib ${bib ?? '-'}: ${reason}`]),
    ['held', state.held.size === 0 ? '0' : heldText(state)],
    ['missing', 'why' in missing ? `not known: ${missing.why}` : String(missing.total)],
  ];
  output.answer(
    {
      type: 'status',
      event: eventId,
      running: holder ? { pid: holder.pid, started_at: holder.startedAt, name: holder.name } : null,
      online: !('why' in missing),
      queue: waiting,
      last_success: state.lastSuccessAt ?? null,
      last_batch: state.lastBatchId ?? null,
      stored: state.stored.size,
      rejected: rejected.length,
      rejected_rows: rejected,
      held: [...state.held.values()].map(rowIn),
      missing: 'why' in missing ? null : missing.total,
    },
    lines.map(([label = '', text = '']) => `${label.padEnd(13)}${text}`).join('\n'),
  );
  if ('why' in missing) return EXIT.offline;
  return rejected.length > 0 ? EXIT.rejected : EXIT.done;
}

/** @throws RaceResultsError where the key or the event is wrong */
async function countMissing({
  client,
  settings,
  signal,
}: Context): Promise<{ total: number } | { why: string }> {
  try {
    const { meta } = await client.listMissingResults(
      settings.eventId,
      { page_size: 1 },
      { signal },
    );
    return { total: meta.total };
  } catch (error) {
    if (!isRaceResultsError(error)) throw error;
    const failure = classify(error);
    if (failure.kind !== 'offline') throw error;
    return { why: `offline, ${failure.why}` };
  }
}

/** Each held bib, and what a file says instead. */
function heldText({ held, sources }: RaceState): string {
  const shown = [...held].slice(0, SHOWN).map(([bib, text]) => {
    const others = [...sources.values()]
      .map(({ seen }) => seen.get(bib))
      .filter((other) => other !== undefined && other !== text);
    const [other] = others;
    const file = other === undefined ? '' : `, the file says ${shortResult(rowIn(other))}`;
    return `bib ${bib} ${shortResult(rowIn(text))}${file}`;
  });
  return `${held.size} (${shown.join('; ')}${held.size > SHOWN ? '; …' : ''})`;
}
