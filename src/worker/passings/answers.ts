import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import type { ExportedFile } from '../http/export.ts';
import { type ItemFields, itemsWith } from '../http/item-fields.ts';
import { POSITION_FIELDS, type Positions } from '../positions/positions.ts';
import { positionsOf } from '../positions/ranker.ts';
import { placedFile } from '../results/read/placed-file.ts';
import { GROUP_FIELDS } from '../results/result.ts';
import type { ExportedPassing, Passing, PassingPoint } from './answer-schemas.ts';
import type { ExportedRow } from './export-passings.ts';
import type { ListedPassing, PassingsPage, StoredPassing } from './list-passings.ts';
import type { PointRow } from './list-points.ts';

const STORED_FIELDS: ItemFields<
  Omit<Passing, 'key_name' | 'sender'>,
  [StoredPassing, Positions]
> = {
  inscription_id: (row) => row.registration_id,
  bib_number: (row) => row.bib_number,
  point: (row) => row.point,
  time: (row) => formatRaceTime(row.time_ms),
  ...GROUP_FIELDS,
  ...POSITION_FIELDS,
  received_at: (row) => row.received_at,
  upload_id: (row) => row.upload_id,
};

export const EXPORTED_FIELDS: ItemFields<ExportedPassing, [StoredPassing, Positions]> = {
  ...STORED_FIELDS,
  time_ms: (row) => row.time_ms,
};

const PASSING_FIELDS: ItemFields<Passing, [ListedPassing, Positions]> = {
  ...STORED_FIELDS,
  key_name: (row) => row.key_name,
  sender: (row) => row.sender,
};

const toPassing = itemsWith(PASSING_FIELDS);

/** The time by which a passing has positions: somebody else has the bib of a runner who did not start. */
const timeOfStarted = <Row extends { time_ms: number; has_started: boolean }>(row: Row) =>
  row.has_started ? row.time_ms : null;

/** The passings of a page with their positions. */
export function passingsOf({ rows, faster_than_page }: PassingsPage): Passing[] {
  const positions = positionsOf(rows, timeOfStarted, faster_than_page);
  return rows.map((row) => toPassing(row, positions(row)));
}

/** The file of an export, whose rows come in the order of time. */
export const passingsFile = (): ExportedFile<ExportedRow> => ({
  ...placedFile({
    fields: EXPORTED_FIELDS,
    columns: EXPORTED_FIELDS,
    timeOf: timeOfStarted<ExportedRow>,
    ranked: (counted) => counted,
  }),
  what: 'passings',
});

export const toPoint = ({ point, total, fastest_ms }: PointRow): PassingPoint => ({
  point,
  total,
  fastest_time: formatRaceTime(fastest_ms),
});
