import { isolated, relativeTime, text } from './formats.js';

/** @typedef {import('./api.js').OrganizationEvent} OrganizationEvent */
/** @typedef {import('./api.js').Batch} Batch */
/** @typedef {'before' | 'waiting' | 'live' | 'quiet'} RaceState */

/** Results arrive every few seconds in a race. It is live while the latest upload is this recent. */
const LIVE_MS = 5 * 60_000;

/** @param {OrganizationEvent} event @returns {RaceState} */
export function stateOf({ event_date, total_results, latest_batch }) {
  if (latest_batch && Date.now() - Date.parse(latest_batch.received_at) < LIVE_MS) return 'live';
  if (total_results > 0) return 'quiet';
  return Date.parse(event_date) > Date.now() ? 'before' : 'waiting';
}

/** The latest upload of an event in a line. @param {OrganizationEvent} event */
export const latestOf = ({ latest_batch: latest }) =>
  latest === null
    ? text('noUpload')
    : text('latest', {
        what: isolated(nameOfBatch(latest)),
        ago: relativeTime(new Date(latest.received_at)),
      });

/** In the panel only a correction of one result has no file. @param {Pick<Batch, 'source'> & { user_id?: string | null }} batch */
const kindOf = ({ source, user_id }) => (source === 'json' && user_id ? 'correction' : source);

/**
 * Describes a batch by its file and its rows.
 * @param {Pick<Batch, 'source' | 'file_name' | 'total_processed'> & { user_id?: string | null }} batch
 */
export const nameOfBatch = (batch) =>
  `${batch.file_name ?? text(`batch.${kindOf(batch)}`)} · ${text('rows', { count: batch.total_processed })}`;
