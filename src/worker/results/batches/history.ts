import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { BATCH_SOURCES, isoText } from '../../db/sql.ts';
import { type Limits, PAGE_ROWS, pageOfRows, type Slots, statement } from '../../db/statement.ts';
import { toResultContent } from '../result.ts';
import { bySender } from '../sender.ts';
import { contentOrNull, storedResult } from '../sql.ts';
import type { ResultVersion } from './answer-schemas.ts';
import { WITH_OWN_KEY } from './queries.ts';
import { versionsOf } from './versions.ts';

const versionRow = () =>
  z.strictObject({
    version: z.int(),
    result: z.nullable(storedResult()),
    made_at: z.nullable(z.string()),
    batch_id: z.guid(),
    source: z.nullable(z.enum(BATCH_SOURCES)),
    reverts: z.nullable(z.guid()),
    replaced_by: z.nullable(z.guid()),
    key_name: z.nullable(z.string()),
    user_id: z.nullable(z.string()),
    sender: z.nullable(z.string()),
    file_name: z.nullable(z.string()),
    reason: z.nullable(z.string()),
  });

type VersionRow = z.output<ReturnType<typeof versionRow>>;

/**
 * A page of the versions of a bib's result, the first version first; no row if the event is not the caller's. A batch
 * of another event, from which the runner was moved, is left out.
 */
export const listVersions = bySender(({ ownEvent, kind }) =>
  statement(
    `listVersions.${kind}`,
    () => pageOfRows(versionRow()),
    ({ eventId, bib, limit, offset }: Slots<{ eventId: string; bib: string } & Limits>) => sql`
    with event as materialized (${ownEvent(eventId)}),
    runner as materialized (
      select id as registration_id, bib_number from registrations
      where event_id = (select id from event) and bib_number = ${bib}
    ),
    ${versionsOf('runner')},
    page as (
      select number as version,
        ${contentOrNull('version')} as result,
        ${isoText(sql`coalesce(batch.received_at, version.updated_at)`)} as made_at,
        made_by as batch_id, source, reverts, lead(made_by) over (order by number) as replaced_by,
        api_key.name as key_name, user_id, sender, file_name, reason
      from version
      left join result_batches batch
        on batch.id = made_by and batch.event_id = (select id from event)
      ${WITH_OWN_KEY}
      order by number limit ${limit} offset ${offset}
    )
    select (select count(*)::int from version) as total, ${PAGE_ROWS} from event`,
  ),
);

export const toVersion = ({ result, ...row }: VersionRow): ResultVersion => ({
  ...row,
  result: result && toResultContent(result),
});
