import * as z from 'zod/mini';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { unlessOffline } from '../../queue/api.ts';
import { holderOf } from '../../queue/queue.ts';
import { loadState, tally } from '../../queue/state.ts';
import { localTime, say } from '../../words.ts';
import type { Context } from '../context.ts';
import { officialText, readOfficial } from '../official.ts';
import { heard, sendersOf } from '../senders.ts';
import { ALONE, comparedText, countsOf, exitCodeOf, Live, viewOf } from '../view.ts';

const SHOWN = 10;

const listed = (lines: string[]) =>
  lines
    .slice(0, SHOWN)
    .map((line) => `\n  ${line}`)
    .join('');

/** Where the sending stands: the state of a running `watch` first, then what only the API knows. */
export async function status(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { stateDir, eventId: event, race } = settings;
  const { state, lost } = await loadState(stateDir, event);
  for (const text of lost) output.error('damaged', {}, text);
  const holder = await holderOf(settings);
  const [api, offline] = await unlessOffline(factsOf(context));
  const counts = tally(state);
  const running = holder === 'silent' ? undefined : holder;
  const live = z.safeParse(Live, running?.live).data;
  const asked = { ...ALONE, ...api, offline: offline?.why ?? null };
  // A running `watch` shows the same number, and remembers who has been silent for long.
  const senders = heard(live?.senders ?? [], asked.senders);
  const known = live ? { ...live, official: asked.official, senders } : asked;
  const view = viewOf(state, counts, known);
  const heads = { silent: say('watch_is_silent'), none: say('nothing_watches') };
  const word = say(`state_${view.state}`);
  const text = say('status', {
    head: live ? word : holder === 'silent' ? heads.silent : `${heads.none}, ${word}`,
    why: view.why,
    counts: countsOf(view).join('  '),
    event: race.event === event ? `${race.event_name} (${event})` : event,
    running: running ? `${running.pid} ${localTime(running.startedAt)} ${running.name}` : '-',
    page: live ? '.race-results/watch.html' : '-',
    files: listed(
      view.files.slice(-SHOWN).map((file) => {
        const point = file.point === null ? '' : ` (${file.point})`;
        const at = localTime(file.read_at);
        return say('status_file', { ...file, point, at, rejected: file.rejected.length });
      }),
    ),
    senders: listed(
      view.senders.map((one) => say('status_sender', { ...one, at: localTime(one.at) })),
    ),
    last_success: state.lastSuccessAt === null ? '-' : localTime(state.lastSuccessAt),
    questions: listed(view.questions.map((question) => question.text)),
    rejected_rows: listed(view.files.flatMap(({ rejected }) => rejected)),
    rejected: counts.rejected.length,
    held: counts.held.length,
    held_rows: listed(counts.held.map((key) => comparedText(state, key))),
    missing: view.facts.missing ?? offline?.why ?? '-',
    official: asked.official ? officialText(asked.official) : '-',
  });
  const isOnline = !offline;
  const facts = { ...view, ...view.facts, event, last_success: state.lastSuccessAt };
  const more = { online: isOnline, held_rows: counts.held, running: running ?? null };
  const shown = holder === 'silent' ? 'SILENT' : view.state;
  output.answer('status', { ...facts, ...more, state: shown }, text);
  if (holder === 'silent') return EXIT.guard;
  const exitCode = exitCodeOf(view);
  return isOnline || exitCode === EXIT.guard ? exitCode : EXIT.offline;
}

/** @throws RaceResultsError */
async function factsOf({ settings: { eventId }, client, signal }: Context) {
  const missing = await client.listMissingResults(eventId, { page_size: 1 }, { signal });
  const batches = await client.listResultBatches(eventId, { page_size: 100 }, { signal });
  const official = await readOfficial(client, eventId, signal);
  return { missing: missing.meta.total, official, senders: sendersOf(batches.data) };
}
