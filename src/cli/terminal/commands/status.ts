import { basename } from 'node:path';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { unlessOffline } from '../../queue/api.ts';
import { holderOf } from '../../queue/queue.ts';
import { shortText } from '../../queue/result-row.ts';
import { heldBack, heldBibs, loadState, unreadableOf, waitingCount } from '../../queue/state.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';
import { exitCodeOf, localTime } from '../output.ts';

const SHOWN = 10;

/** Where the sending stands: the state of a running `watch` first, then what only the API knows. */
export async function status({ settings, output, client, signal }: Context): Promise<ExitCode> {
  const { stateDir, eventId, race } = settings;
  const { state, lost } = await loadState(stateDir, eventId);
  for (const text of lost) output.error('damaged', {}, text);
  const holder = await holderOf(settings);
  let why = '';
  const list = client.listMissingResults(eventId, { page_size: 1 }, { signal });
  const page = await unlessOffline(list, (offline) => {
    why = offline.why;
  });
  const missing = page?.meta.total ?? null;
  const rejected = [
    ...[...state.rejected].map(([bib, { reason, code }]) => ({ bib, reason, code })),
    ...unreadableOf(state, state.sources.values()),
  ];
  const held = heldBibs(state);
  const back = heldBack(state);
  const [queue, last_success] = [waitingCount(state), state.lastSuccessAt];
  /** A bib, its result, and what a file says instead. */
  const decided = (bib: string) => {
    const now = state.decisions.get(bib)?.text ?? state.stored.get(bib);
    const said = state.said.get(bib)?.text;
    const result = shortText(now);
    const file = said === now ? '-' : shortText(said);
    return say('status_decided', { bib, result, file });
  };
  const indented = (lines: string[]) =>
    lines
      .slice(0, SHOWN)
      .map((line) => `\n  ${line}`)
      .join('');
  const files = [...state.sources].slice(-SHOWN).map(([file, { rows, readAt }]) => {
    return say('status_file', { file: basename(file), rows, at: localTime(readAt) });
  });
  const text = say('status', {
    head: holder?.shown?.text ?? say('nothing_watches'),
    event: race.event === eventId ? `${race.event_name} (${eventId})` : eventId,
    running: holder ? `${holder.pid} ${holder.startedAt} ${holder.name}` : '-',
    files: indented(files),
    queue,
    last_success: last_success === null ? '-' : localTime(last_success),
    stored: state.stored.size,
    rejected: rejected.length,
    rejected_rows: indented(rejected.map(({ bib, reason }) => `${bib ?? '-'}: ${reason}`)),
    held_back: back.length,
    held_back_rows: indented(back.map(decided)),
    held: held.length,
    held_rows: indented(held.map(decided)),
    missing: missing ?? why,
  });
  const counts = { queue, last_success, stored: state.stored.size, rejected: rejected.length };
  const lists = { rejected_rows: rejected, held_back: back, held, running: holder ?? null };
  const shown = holder?.shown?.state ?? (back.length > 0 ? 'HELD BACK' : 'OK');
  const online = missing !== null;
  output.answer(
    'status',
    { state: shown, event: eventId, online, ...counts, ...lists, missing },
    text,
  );
  return online ? exitCodeOf(shown, rejected.length) : EXIT.offline;
}
