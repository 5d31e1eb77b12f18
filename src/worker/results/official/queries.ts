import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { RANKING_RULES, type RankingRule } from '../../../timing-files/read/ranking-rule.ts';
import type { LargeText } from '../../db/large-text.ts';
import { boardOf, ruleOf } from '../../db/settings.ts';
import { isoText } from '../../db/sql.ts';
import {
  type Limits,
  type OfEvent,
  PAGE_ROWS,
  pageOfRows,
  type RowSchema,
  type Slots,
  statement,
} from '../../db/statement.ts';
import { streamedStatement } from '../../db/streamed-statement.ts';
import { managedEventId } from '../../events/panel-queries.ts';
import { ownEventId } from '../../events/queries.ts';
import { RULED_POSITIONS } from '../../positions/positions.ts';
import { placesOf } from '../../positions/sql.ts';
import { OF_EVENT } from '../sql.ts';
import { WRITE_BUDGET_MS } from '../upload/before-writing.ts';
import type { OfficialResults } from './answer-schemas.ts';
import { documentReader, type OfVersion, type ReadableEvent, sealedRow } from './reading.ts';
import {
  CHANGED_RESULTS,
  changedResults,
  OFFICIAL_ROWS,
  PRESENT_RESULTS,
  STATE_OF_VERSION,
  unkeptResults,
} from './sql.ts';

/** An enabled board is public. */
const boardEventId: ReadableEvent = (eventId) =>
  sql`(select id from events where id = ${eventId} and ${boardOf.isEnabled(sql`events.id`)})`;

/** The differences between the readers of official versions. */
const byReader = <T>(make: (event: ReadableEvent, reader: string) => T) => ({
  key: make(ownEventId, 'key'),
  member: make(managedEventId, 'member'),
  everybody: make(boardEventId, 'everybody'),
});

export type ReaderKind = keyof ReturnType<typeof byReader>;

const officialRow = () =>
  z.strictObject({
    version: z.int(),
    state: z.enum(['official', 'changed_since']),
    made_at: z.string(),
    user_id: z.string(),
    rows: z.int(),
    digest: z.string(),
    signature: z.string(),
    rank_by: z.enum(RANKING_RULES),
    changes: changedResults(),
  });

officialRow satisfies RowSchema<OfficialResults>;

/** A page of the versions of an event, the last version first; no row if the event is not the caller's. */
export const listOfficial = byReader((ofReader, reader) =>
  statement(
    `listOfficial.${reader}`,
    () => z.extend(pageOfRows(officialRow()), { beside: unkeptResults() }),
    ({ eventId, limit, offset }: Slots<OfEvent & Limits>) => sql`
    with event as materialized (${ofReader(eventId)}),
    present as materialized (${PRESENT_RESULTS}),
    page as (
      select version, ${STATE_OF_VERSION} as state,
        ${isoText(sql`made_at`)} as made_at, made_by as user_id, rows, digest, signature, official_results.rank_by,
        ${CHANGED_RESULTS} as changes
      from official_results cross join present
      where ${OF_EVENT} order by version desc limit ${limit} offset ${offset}
    )
    select (select count(*)::int from official_results where ${OF_EVENT}) as total, ${PAGE_ROWS},
      (select beside from present) as beside
    from event`,
  ),
);

/** The facts of a new version beside its results, and the number of versions. */
export const findOfficialEvent = statement(
  'findOfficialEvent',
  () =>
    z.strictObject({
      id: z.guid(),
      name: z.string(),
      event_date: z.string(),
      organization_id: z.guid(),
      organization_name: z.string(),
      rank_by: z.enum(RANKING_RULES),
      versions: z.int(),
      next_version: z.int(),
      made_at: z.string(),
    }),
  ({ eventId }: Slots<OfEvent>) => sql`
    with event as materialized (${managedEventId(eventId)})
    select events.id, events.name, ${isoText(sql`event_date`)} as event_date, organization_id,
      organization.name as organization_name, ${ruleOf(sql`events.id`)} as rank_by, ${isoText(sql`now()`)} as made_at,
      (select count(*)::int from official_results where ${OF_EVENT}) as versions,
      1 + greatest(
        (select max(version) from official_results where ${OF_EVENT}),
        (select official_above from event_settings where ${OF_EVENT}), 0
      ) as next_version
    from events join event using (id)
    join organizations organization on organization.id = organization_id`,
);

/**
 * All results at a single moment. The digest of the stream is the `content` of the version. The rows come in the order
 * of chip times, so positions by chip time are counted during the reading.
 */
export const readOfficialRows = streamedStatement(
  'readOfficialRows',
  sealedRow,
  ({ eventId }: Slots<OfEvent>) => {
    const rule = ruleOf(managedEventId(eventId));
    return {
      ...OFFICIAL_ROWS,
      rows: sql`with event as materialized (${managedEventId(eventId)}) ${OFFICIAL_ROWS.rows}`,
      beside: placesOf(RULED_POSITIONS, rule),
    };
  },
);

type NewVersion = OfVersion & {
  madeAt: string;
  userId: string;
  rows: number;
  digest: string;
  signature: string;
  content: string;
  rankBy: RankingRule;
  /** In base64. */
  document: LargeText;
};

const insert = statement(
  'insertOfficial',
  () => z.strictObject({ version: z.int() }),
  (made: Slots<NewVersion>) => sql`
    with made as (
    insert into official_results (
      event_id, version, made_at, made_by, rows, digest, signature, content, rank_by, document
    )
    select id, ${made.version}::int, ${made.madeAt}::timestamptz, ${made.userId}::text, ${made.rows}::int,
      ${made.digest}::text, ${made.signature}::text, ${made.content}::text,
      ${made.rankBy}::text, decode(${made.document}::text, 'base64')
    from ${managedEventId(made.eventId)} event where id is not null
    on conflict do nothing
    returning event_id, version, made_by
    ),
    recorded as (
      insert into event_changes (event_id, kind, after, user_id)
      select event_id, 'official_version', version::text, made_by from made
    )
    select version from made`,
);

/** Answers no row if the version exists already, or if the event is gone. */
export const insertOfficial = (made: NewVersion) => ({
  ...insert(made),
  budgetMs: WRITE_BUDGET_MS,
});

const foundVersion = () =>
  z.strictObject({
    name: z.string(),
    signature: z.nullable(z.string()),
    digest: z.nullable(z.string()),
  });

export type FoundVersion = z.output<ReturnType<typeof foundVersion>>;

/** The signature and the digest of a version, and the name of its event; no row if the event is not the caller's. */
export const findOfficial = byReader((ofReader, reader) =>
  statement(
    `findOfficial.${reader}`,
    foundVersion,
    ({ eventId, version }: Slots<OfVersion>) => sql`
    with event as materialized (${ofReader(eventId)})
    select name, signature, digest
    from events join event using (id)
    left join official_results on event_id = id and version = ${version}::int`,
  ),
);

export const readOfficial = byReader(documentReader);
