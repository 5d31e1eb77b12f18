import { basename, join } from 'node:path';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { unlessOffline } from '../../queue/api.ts';
import { difference, NO_FILES } from '../../queue/difference.ts';
import { holderOf } from '../../queue/folder.ts';
import { Store } from '../../queue/store.ts';
import { localTime, say } from '../../words.ts';
import type { Context } from '../context.ts';
import { minutesSince } from '../course.ts';
import { officialText, readOfficial } from '../official.ts';
import { heard, sendersOf } from '../senders.ts';
import { countsOf, exitCodeOf, type Live, type Shown, shownBy, viewOf } from '../view.ts';

const SHOWN = 10;

const listed = (lines: string[]) =>
  lines
    .slice(0, SHOWN)
    .map((line) => `\n  ${line}`)
    .join('');

/** Shows the state of a running `watch` or else of the disk, and facts from the API. */
export async function status(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { stateDir, eventId: event, race } = settings;
  const holder = await holderOf(settings);
  const [api, offline] = await unlessOffline(factsOf(context));
  const running = holder === 'silent' ? undefined : holder;
  const live = shownBy(holder);
  // A running `watch` answers faster: the state of 100 000 rows takes a second to read.
  const { view, sender } = live ?? (await alone(context, { ...api, offline: offline?.why }));
  // A running `watch` remembers long silent senders.
  const senders = heard(view.senders, api?.senders ?? []);
  const official = api?.official ?? null;
  const heads = { silent: say('watch_is_silent'), none: say('nothing_watches') };
  const word = say(`state_${view.state}`);
  const files = view.files.slice(-SHOWN).map((file) => {
    const point = file.point === null ? '' : ` (${file.point})`;
    const at = localTime(file.read_at);
    return say('status_file', { ...file, point, at, rejected: file.rejected.length });
  });
  const text = say('status', {
    head: live ? word : holder === 'silent' ? heads.silent : `${heads.none}, ${word}`,
    why: view.why,
    counts: countsOf(view).join('  '),
    event: race.event === event ? `${race.event_name} (${event})` : event,
    sender,
    running: running ? `${running.pid} ${localTime(running.startedAt)} ${running.name}` : '-',
    page: live ? join(basename(stateDir), 'watch.html') : '-',
    files: listed(files),
    senders: listed(
      senders.map((one) =>
        say('sender_line', { ...one, at: localTime(one.at), minutes: minutesSince(one.at) }),
      ),
    ),
    questions: listed(view.questions.map((question) => question.text)),
    told: listed(view.told),
    rejected_rows: listed(view.files.flatMap(({ rejected }) => rejected)),
    rejected: view.facts.rejected,
    missing: api?.missing ?? view.facts.missing ?? offline?.why ?? '-',
    official: official ? officialText(official) : '-',
  });
  const isOnline = !offline;
  const shown = holder === 'silent' ? 'SILENT' : view.state;
  const facts = { ...view, ...view.facts, senders, event, online: isOnline, state: shown };
  output.answer('status', { ...facts, running: running ?? null }, text);
  if (holder === 'silent') return EXIT.guard;
  const exitCode = exitCodeOf(view);
  return isOnline || exitCode === EXIT.guard ? exitCode : EXIT.offline;
}

/** The view without a running `watch`: the rows sent by people, and the rows left by the API. */
async function alone(
  { settings: { stateDir }, output }: Context,
  live: Live,
): Promise<Pick<Shown, 'view' | 'sender'>> {
  const store = await Store.read(stateDir);
  const { acknowledged, decisions, given, damaged } = store;
  if (damaged > 0) output.error('damaged', {}, say('state_damaged', { count: damaged }));
  const helds = [...acknowledged].flatMap(([key, { answer, text, id }]) => {
    const held = answer ? answer.held : text;
    return held === null ? [] : [[key, { text: held, id }] as const];
  });
  const view = viewOf({
    difference: difference({ ...NO_FILES, acknowledged, decisions, given, held: new Map(helds) }),
    ...{ store, sources: new Map(), stops: new Map(), unread: 0, isCompared: true },
    live,
  });
  return { view, sender: store.owner?.sender ?? '-' };
}

/** @throws RaceResultsError */
async function factsOf({ settings: { eventId }, client, signal }: Context) {
  const [missing, batches, official] = await Promise.all([
    client.listMissingResults(eventId, { page_size: 1 }, { signal }),
    client.listResultBatches(eventId, { page_size: 100 }, { signal }),
    readOfficial(client, eventId, signal),
  ]);
  return { missing: missing.meta.total, official, senders: sendersOf(batches.data) };
}
