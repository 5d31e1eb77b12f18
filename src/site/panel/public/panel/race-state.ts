import { DOT } from '../shared/dom.ts';
import type { Batch, ListedRunner, OrganizationEvent } from './api.ts';
import { isolated, relativeTime, text } from './formats.ts';

type RaceState = 'before' | 'waiting' | 'live' | 'quiet';

/** Results arrive every few seconds in a race. A race is live while the latest upload is this recent. */
const LIVE_MS = 5 * 60_000;
/** A race runs this long, or results still come from its timing. */
export const RUNS_MS = 6 * 60 * 60_000;

export function stateOf({ event_date, total_results, latest_batch }: OrganizationEvent): RaceState {
  const isRecent = latest_batch && Date.now() - Date.parse(latest_batch.received_at) < LIVE_MS;
  // A correction of yesterday's race does not make the race run.
  const isOld = Date.parse(event_date) < Date.now() - RUNS_MS;
  if (isRecent && !(isOld && isByHand(latest_batch))) return 'live';
  if (total_results > 0) return 'quiet';
  return Date.parse(event_date) > Date.now() ? 'before' : 'waiting';
}

/** The latest upload of an event in a line. */
export const latestOf = ({ latest_batch: latest }: OrganizationEvent) =>
  latest === null
    ? text('noUpload')
    : text('latest', {
        what: isolated(nameOfBatch(latest)),
        ago: relativeTime(new Date(latest.received_at)),
      });

/** In the panel only a correction of a single result has no file. */
const kindOf = ({ source, user_id }: Pick<Batch, 'source'> & { user_id?: string | null }) =>
  source === 'json' && user_id ? 'correction' : source;

/** Whether a person changed stored results: no file and no program sent results. */
const isByHand = (batch: Pick<Batch, 'source' | 'is_swap'> & { user_id?: string | null }) =>
  batch.is_swap || ['correction', 'delete', 'revert'].includes(kindOf(batch));

/** Describes a batch by its file and its rows, or by a person's act and the runners. */
export function nameOfBatch(
  batch: Pick<Batch, 'source' | 'file_name' | 'total_processed'> &
    Partial<Pick<Batch, 'user_id' | 'runners' | 'is_swap'>>,
) {
  if (batch.is_swap) return `${text('batch.swap')}${DOT}${bibsOf(batch.runners).join(' ↔ ')}`;
  const runners = batch.runners?.map(shortName).join(', ');
  return `${batch.file_name ?? text(`batch.${kindOf(batch)}`)}${DOT}${
    runners || text('rows', { count: batch.total_processed })
  }`;
}

const bibsOf = (runners: Batch['runners'] = []) => runners.map(({ bib_number: bib }) => bib ?? '–');

/** A runner in a few letters: `304 Ada E.` */
const shortName = ({ bib_number, given_names, surnames }: Batch['runners'][number]) =>
  [bib_number, given_names, surnames && `${[...surnames][0]}.`].filter(Boolean).join(' ');

/** The name of a runner, or the bib without a name. */
export const nameOf = ({ given_names, surnames, bib_number }: ListedRunner) =>
  [given_names, surnames].filter(Boolean).join(' ') || text('bib', { bib: bib_number ?? '–' });
