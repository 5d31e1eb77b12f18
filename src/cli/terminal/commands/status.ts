import { basename } from 'node:path';
import type { ExitCode } from '../../exit-codes.ts';
import { unlessOffline } from '../../queue/api.ts';
import { holderOf } from '../../queue/queue.ts';
import { shortText } from '../../queue/result-row.ts';
import { heldBack, heldBibs, loadState, queueOf, unreadableOf } from '../../queue/state.ts';
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
  const list = client.listMissingResults(eventId, { page_size: 1 }, { signal });
  const [page, offline] = await unlessOffline(list);
  const rejected = [
    ...[...state.rejected].map(([bib, { reason, code }]) => ({ bib, reason, code })),
    ...unreadableOf(state),
  ];
  const held = heldBibs(state);
  const back = heldBack(state);
  /** A bib, its result, and what a file says instead. */
  const decided = (bib: string) => {
    const now = state.decisions.get(bib)?.text ?? state.stored.get(bib);
    const said = state.said.get(bib)?.text;
    const file = said === now ? '-' : shortText(said);
    return say('status_decided', { bib, result: shortText(now), file });
  };
  const listed = (lines: string[]) =>
    lines
      .slice(0, SHOWN)
      .map((line) => `\n  ${line}`)
      .join('');
  const files = [...state.sources].slice(-SHOWN).map(([file, { rows, readAt }]) => {
    return say('status_file', { file: basename(file), rows, at: localTime(readAt) });
  });
  const facts = {
    event: eventId,
    queue: queueOf(state).size,
    last_success: state.lastSuccessAt,
    stored: state.stored.size,
    rejected: rejected.length,
    missing: page?.meta.total ?? null,
  };
  const text = say('status', {
    ...facts,
    head: holder?.shown?.text ?? say('nothing_watches'),
    event: race.event === eventId ? `${race.event_name} (${eventId})` : eventId,
    running: holder ? `${holder.pid} ${holder.startedAt} ${holder.name}` : '-',
    files: listed(files),
    last_success: state.lastSuccessAt === null ? '-' : localTime(state.lastSuccessAt),
    rejected_rows: listed(rejected.map(({ bib, reason }) => `${bib ?? '-'}: ${reason}`)),
    held_back: back.length,
    held_back_rows: listed(back.map(decided)),
    held: held.length,
    held_rows: listed(held.map(decided)),
    missing: facts.missing ?? offline?.why,
  });
  const lists = { rejected_rows: rejected, held_back: back, held, running: holder ?? null };
  const shown = holder?.shown?.state ?? (back.length > 0 ? 'HELD BACK' : 'OK');
  output.answer('status', { state: shown, online: !offline, ...facts, ...lists }, text);
  return exitCodeOf(offline ? 'OFFLINE' : shown, rejected.length);
}
