import { sql } from 'drizzle-orm';
import { RESULT_STATUSES } from '../../../timing-files/read/result-status.ts';
import { epochMs } from '../../db/query-builder.ts';
import { registrations, results, standings } from '../../db/schema.ts';
import type { Slots } from '../../db/statement.ts';
import {
  digestOf,
  numberOrNull,
  oneOfTexts,
  required,
  type StreamedRow,
  streamedStatement,
  text,
} from '../../db/streamed-statement.ts';
import { ownEventId } from '../../events/queries.ts';
import { OF_EVENT, ORDER_OF_RESULTS } from '../sql.ts';
import type { ExportedResult } from './answer-schemas.ts';
import { inGroups } from './matching.ts';
import { toResult } from './result.ts';
import type { ResultExportQuery } from './schemas.ts';

const POSITIONS = {
  position_overall: numberOrNull,
  position_gender: numberOrNull,
  position_category: numberOrNull,
  position_distance: numberOrNull,
  position_distance_gender: numberOrNull,
  position_distance_category: numberOrNull,
};

const COLUMNS = {
  digest: text,
  registration_id: required(text),
  bib_number: text,
  status: required(oneOfTexts(RESULT_STATUSES)),
  chip_time_ms: numberOrNull,
  gun_time_ms: numberOrNull,
  splits: (json: string | null): Record<string, number> => JSON.parse(json ?? '{}'),
  gender: text,
  category: text,
  distance: text,
  updated_at_ms: required(numberOrNull),
  ...POSITIONS,
};

type ExportedRow = StreamedRow<typeof COLUMNS>;

/** All results that match, as of one moment; none if the event is not the caller's. */
export const exportResults = streamedStatement(
  COLUMNS,
  (
    { eventId, status, bib, ...groups }: Slots<ResultExportQuery & { eventId: string }>,
    list,
  ) => sql`
    with event as materialized (${ownEventId(eventId)})
    select ${list} from (
      select listed.*, ${digestOf(sql`listed`, ORDER_OF_RESULTS)}
      from (
        select registration_id, finish_time_ms, bib_number, result.status, chip_time_ms, gun_time_ms,
          splits, gender, category, distance, ${epochMs(sql`updated_at`)} as updated_at_ms,
          ${sql.raw(Object.keys(POSITIONS).join(', '))}
        from (select * from ${results} where ${OF_EVENT}) result
        join (
          select id as registration_id, bib_number, gender, category, distance
          from ${registrations} where ${OF_EVENT} and ${inGroups(groups)}
        ) registration using (registration_id)
        left join (
          select registration_id, ${sql.raw(Object.keys(POSITIONS).join(', '))}
          from ${standings} where ${OF_EVENT}
        ) standing using (registration_id)
        where ${status ? sql`result.status = ${status}` : sql`true`}
          and ${bib ? sql`bib_number = ${bib}` : sql`true`}
      ) listed
    ) digested
    order by ${ORDER_OF_RESULTS}`,
);

/** The CSV columns. */
export const RESULT_FIELDS = [
  ...[
    'inscription_id',
    'bib_number',
    'status',
    'chip_time',
    'gun_time',
    'splits',
    'gender',
    'category',
  ],
  ...['distance', ...Object.keys(POSITIONS), 'updated_at', 'chip_time_ms', 'gun_time_ms'],
];

export const toExportedResult = (row: ExportedRow): ExportedResult => ({
  ...toResult(row),
  chip_time_ms: row.chip_time_ms,
  gun_time_ms: row.gun_time_ms,
});
