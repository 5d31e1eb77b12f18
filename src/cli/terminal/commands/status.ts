import { basename } from 'node:path';
import type { ExitCode } from '../../exit-codes.ts';
import { unlessOffline } from '../../queue/api.ts';
import { holderOf } from '../../queue/queue.ts';
import { shortText } from '../../queue/result-row.ts';
import { loadState, saidOf, tally } from '../../queue/state.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';
import { exitCodeOf, localTime } from '../output.ts';

const SHOWN = 10;

const listed = (lines: string[]) =>
  lines
    .slice(0, SHOWN)
    .map((line) => `\n  ${line}`)
    .join('');

/** Where the sending stands: the state of a running `watch` first, then what only the API knows. */
export async function status({ settings, output, client, signal }: Context): Promise<ExitCode> {
  const { stateDir, eventId: event, race } = settings;
  const { state, lost } = await loadState(stateDir, event);
  for (const text of lost) output.error('damaged', {}, text);
  const holder = await holderOf(settings);
  const list = client.listMissingResults(event, { page_size: 1 }, { signal });
  const [page, offline] = await unlessOffline(list);
  const { queue, rejected, heldBack, held } = tally(state);
  /** A bib, its result, and what a file says instead. */
  const decided = (bib: string) => {
    const now = state.decisions.get(bib)?.text ?? state.stored.get(bib);
    const said = saidOf(state, bib)?.text;
    const file = said === now ? '-' : shortText(said);
    return say('status_decided', { bib, result: shortText(now), file });
  };
  const files = [...state.sources].slice(-SHOWN).map(([file, { rows, readAt }]) => {
    return say('status_file', { file: basename(file), rows, at: localTime(readAt) });
  });
  const facts = {
    event,
    queue,
    last_success: state.lastSuccessAt,
    stored: state.stored.size,
    rejected: rejected.length,
    missing: page?.meta.total ?? null,
  };
  const text = say('status', {
    ...facts,
    head: holder?.shown?.text ?? say('nothing_watches'),
    event: race.event === event ? `${race.event_name} (${event})` : event,
    running: holder ? `${holder.pid} ${holder.startedAt} ${holder.name}` : '-',
    files: listed(files),
    last_success: state.lastSuccessAt === null ? '-' : localTime(state.lastSuccessAt),
    rejected_rows: listed(rejected.map(({ bib, reason }) => `${bib ?? '-'}: ${reason}`)),
    held_back: heldBack.length,
    held_back_rows: listed(heldBack.map(decided)),
    held: held.length,
    held_rows: listed(held.map(decided)),
    missing: facts.missing ?? offline?.why,
  });
  const lists = { rejected_rows: rejected, held_back: heldBack, held, running: holder ?? null };
  const shown = holder?.shown?.state ?? (heldBack.length > 0 ? 'HELD BACK' : 'OK');
  output.answer('status', { state: shown, online: !offline, ...facts, ...lists }, text);
  return exitCodeOf(offline ? 'OFFLINE' : shown, rejected.length);
}
