import { isNotNull, type SQL, sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  pgView,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { SCOPES } from '../scopes.ts';

const MEMBER_ROLES = ['owner', 'admin', 'member'] as const;
const REGISTRATION_STATUSES = ['PENDING', 'PAID', 'CANCELLED'] as const;
const KIT_STATUSES = ['PENDING', 'READY', 'DELIVERED'] as const;
export const RESULT_STATUSES = ['FINISHED', 'DNS', 'DNF', 'DSQ'] as const;
const API_KEY_EVENT_KINDS = ['created', 'rotated', 'revoked'] as const;
const BATCH_SOURCES = ['json', 'csv'] as const;

/** The values as SQL literals: check constraints and index predicates cannot take parameters. */
const literals = (values: readonly string[]): SQL =>
  sql.raw(values.map((value) => `'${value}'`).join(', '));

const id = () => uuid().primaryKey().defaultRandom();
const instant = () => timestamp({ withTimezone: true });
const durationMs = () => bigint({ mode: 'number' });

export const organizations = pgTable(
  'organizations',
  {
    id: id(),
    name: text().notNull(),
    created_at: instant().notNull().defaultNow(),
  },
  (t) => [check('organizations_name_not_blank', sql`btrim(${t.name}) <> ''`)],
);

export const organizationMembers = pgTable(
  'organization_members',
  {
    organization_id: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    user_id: text().notNull(),
    role: text({ enum: MEMBER_ROLES }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organization_id, t.user_id] }),
    check('organization_members_role_known', sql`${t.role} in (${literals(MEMBER_ROLES)})`),
  ],
);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: id(),
    organization_id: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    key_prefix: text().notNull(),
    key_hash: text().notNull(),
    scopes: text({ enum: SCOPES }).array().notNull(),
    last_used_at: instant(),
    expires_at: instant(),
    revoked_at: instant(),
    created_at: instant().notNull().defaultNow(),
  },
  (t) => [
    unique('api_keys_key_hash').on(t.key_hash),
    // Events point here with both columns, so an event cannot name another organization's key.
    unique('api_keys_id_organization').on(t.id, t.organization_id),
    index('api_keys_by_creation').on(t.organization_id, t.created_at.desc().nullsFirst(), t.id),
    check('api_keys_name_length', sql`char_length(${t.name}) between 1 and 100`),
    check('api_keys_prefix_length', sql`char_length(${t.key_prefix}) = 12`),
    check('api_keys_hash_is_sha256_hex', sql`${t.key_hash} ~ '^[0-9a-f]{64}$'`),
    check(
      'api_keys_scopes_known',
      sql`cardinality(${t.scopes}) > 0 and ${t.scopes} <@ array[${literals(SCOPES)}]`,
    ),
  ],
);

/**
 * Who did what to which key, and when. A trigger refuses every change, so the history outlives what
 * it tells of: a key that has one cannot be deleted, nor can its organization.
 */
export const apiKeyEvents = pgTable(
  'api_key_events',
  {
    id: id(),
    organization_id: uuid().notNull(),
    api_key_id: uuid().notNull(),
    kind: text({ enum: API_KEY_EVENT_KINDS }).notNull(),
    /** As it was after the event. */
    key_prefix: text().notNull(),
    /** The panel's id of the user. */
    actor: text().notNull(),
    occurred_at: instant().notNull().defaultNow(),
  },
  (t) => [
    foreignKey({
      name: 'api_key_events_key_of_organization',
      columns: [t.api_key_id, t.organization_id],
      foreignColumns: [apiKeys.id, apiKeys.organization_id],
    }).onDelete('restrict'),
    index('api_key_events_by_time').on(t.organization_id, t.occurred_at),
    check('api_key_events_kind_known', sql`${t.kind} in (${literals(API_KEY_EVENT_KINDS)})`),
    check('api_key_events_prefix_length', sql`char_length(${t.key_prefix}) = 12`),
    check('api_key_events_actor_not_blank', sql`btrim(${t.actor}) <> ''`),
  ],
);

export const events = pgTable(
  'events',
  {
    id: id(),
    organization_id: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    event_date: instant().notNull(),
    city: text().notNull(),
    registration_opens_at: instant(),
    registration_closes_at: instant(),
    is_active: boolean().notNull().default(true),
    /** Whether anybody may watch the results come in, and with the runners' names. */
    board_enabled: boolean().notNull().default(false),
    board_shows_names: boolean().notNull().default(false),
    created_at: instant().notNull().defaultNow(),
  },
  (t) => [
    index('events_by_date').on(t.organization_id, t.event_date.desc().nullsFirst(), t.id),
    check(
      'events_registration_opens_before_it_closes',
      sql`${t.registration_opens_at} <= ${t.registration_closes_at}`,
    ),
  ],
);

export const persons = pgTable('persons', {
  id: id(),
  given_names: text(),
  surnames: text(),
  document: text(),
  email: text(),
  mobile_phone: text(),
  gender: text(),
  created_at: instant().notNull().defaultNow(),
});

/** Names, contacts and gender are as they were on the day of registering; persons never fill them. */
export const registrations = pgTable(
  'registrations',
  {
    id: id(),
    event_id: uuid()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    person_id: uuid()
      .notNull()
      .references(() => persons.id),
    status: text({ enum: REGISTRATION_STATUSES }).notNull().default('PENDING'),
    given_names: text(),
    surnames: text(),
    document: text(),
    email: text(),
    mobile_phone: text(),
    gender: text(),
    bib_number: text(),
    chip: text(),
    distance: text(),
    category: text(),
    kit_status: text({ enum: KIT_STATUSES }),
    registered_at: instant().notNull().defaultNow(),
  },
  (t) => [
    unique('registrations_event_bib').on(t.event_id, t.bib_number),
    // Results point here with both columns, so a result cannot name another event's registration.
    unique('registrations_id_event').on(t.id, t.event_id),
    index('registrations_paid_by_time')
      .on(t.event_id, t.registered_at, t.id)
      .where(sql`${t.status} = 'PAID'`),
    index('registrations_by_chip').on(t.event_id, t.chip).where(isNotNull(t.chip)),
    index('registrations_by_document').on(t.event_id, t.document).where(isNotNull(t.document)),
    index('registrations_by_person').on(t.event_id, t.person_id),
    // Statistics are read from it alone. Few of its entries differ, so it is small and cheap to keep.
    index('registrations_by_bucket').on(
      t.event_id,
      t.status,
      t.distance,
      t.category,
      t.kit_status,
      t.gender,
    ),
    check('registrations_status_known', sql`${t.status} in (${literals(REGISTRATION_STATUSES)})`),
    check('registrations_kit_status_known', sql`${t.kit_status} in (${literals(KIT_STATUSES)})`),
    // Uploads trim the bibs they are given: one stored with blanks around it could never be found.
    check(
      'registrations_bib_trimmed',
      sql`${t.bib_number} = btrim(${t.bib_number}) and ${t.bib_number} <> ''`,
    ),
  ],
);

/** One row an upload, with the counts it was answered with. */
export const resultBatches = pgTable(
  'result_batches',
  {
    id: id(),
    event_id: uuid()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    api_key_id: uuid()
      .notNull()
      .references(() => apiKeys.id),
    source: text({ enum: BATCH_SOURCES }).notNull(),
    total_processed: integer().notNull(),
    uploaded: integer().notNull(),
    updated: integer().notNull(),
    not_found: integer().notNull(),
    errors: integer().notNull(),
    duplicates: integer().notNull(),
    received_at: instant().notNull().defaultNow(),
  },
  (t) => [
    index('result_batches_by_time').on(t.event_id, t.received_at),
    check('result_batches_source_known', sql`${t.source} in (${literals(BATCH_SOURCES)})`),
    check(
      'result_batches_counts_add_up',
      sql`${t.total_processed} =
        ${t.uploaded} + ${t.updated} + ${t.not_found} + ${t.errors} + ${t.duplicates}`,
    ),
  ],
);

export const results = pgTable(
  'results',
  {
    registration_id: uuid().primaryKey(),
    event_id: uuid().notNull(),
    batch_id: uuid()
      .notNull()
      .references(() => resultBatches.id),
    status: text({ enum: RESULT_STATUSES }).notNull(),
    chip_time_ms: durationMs(),
    gun_time_ms: durationMs(),
    finish_time_ms: durationMs().generatedAlwaysAs(
      sql`case when status = 'FINISHED' then coalesce(chip_time_ms, gun_time_ms) end`,
    ),
    /** Split name → milliseconds. */
    splits: jsonb().$type<Record<string, number>>().notNull().default({}),
    updated_at: instant().notNull().defaultNow(),
  },
  (t) => [
    foreignKey({
      name: 'results_registration_of_event',
      columns: [t.registration_id, t.event_id],
      foreignColumns: [registrations.id, registrations.event_id],
    }).onDelete('cascade'),
    // Without a time are those who did not finish: they stand at its end.
    index('results_by_finish_time').on(t.event_id, t.finish_time_ms),
    // The latest arrivals; of those that one upload brought, the last to finish.
    index('results_by_arrival')
      .on(t.event_id, t.updated_at.desc().nullsFirst(), t.finish_time_ms.desc().nullsFirst())
      .where(isNotNull(t.finish_time_ms)),
    check('results_status_known', sql`${t.status} in (${literals(RESULT_STATUSES)})`),
    check('results_times_not_negative', sql`${t.chip_time_ms} >= 0 and ${t.gun_time_ms} >= 0`),
    check(
      'results_times_only_when_finished',
      sql`(${t.status} = 'FINISHED') = (coalesce(${t.chip_time_ms}, ${t.gun_time_ms}) is not null)`,
    ),
  ],
);

/**
 * Grows whenever something changes that readers of an event's results see. Triggers keep it, and its
 * row is the lock under which they count into `result_cells`.
 */
export const eventVersions = pgTable('event_versions', {
  event_id: uuid()
    .primaryKey()
    .references(() => events.id, { onDelete: 'cascade' }),
  version: bigint({ mode: 'number' }).notNull(),
});

/**
 * How many results there are of each bucket and group, kept by triggers. A bucket is a minute of
 * finish times or, after all of them, one of DNF, DSQ and DNS: see result_bucket() in the migrations.
 */
export const resultCells = pgTable(
  'result_cells',
  {
    event_id: uuid().notNull(),
    bucket: bigint({ mode: 'number' }).notNull(),
    gender: text(),
    category: text(),
    distance: text(),
    entries: integer().notNull(),
  },
  (t) => [
    unique('result_cells_bucket_group')
      .on(t.event_id, t.bucket, t.gender, t.category, t.distance)
      .nullsNotDistinct(),
    check('result_cells_entries_not_negative', sql`${t.entries} >= 0`),
  ],
);

/**
 * Positions, ranked as they are read: 1, 2, 2, 4 over the finishers of the whole event, on chip time
 * or, where there is none, gun time. Without gender or category there is no position in it.
 */
export const standings = pgView('standings', {
  event_id: uuid().notNull(),
  registration_id: uuid().notNull(),
  bib_number: text(),
  finish_time_ms: durationMs().notNull(),
  position_overall: bigint({ mode: 'number' }).notNull(),
  position_gender: bigint({ mode: 'number' }),
  position_category: bigint({ mode: 'number' }),
}).as(sql`
  select
    result.event_id,
    result.registration_id,
    registration.bib_number,
    result.finish_time_ms,
    rank() over (partition by result.event_id order by result.finish_time_ms)
      as position_overall,
    case when registration.gender is not null then rank() over (
      partition by result.event_id, registration.gender order by result.finish_time_ms
    ) end as position_gender,
    case when registration.category is not null then rank() over (
      partition by result.event_id, registration.category order by result.finish_time_ms
    ) end as position_category
  from results result
  join registrations registration on registration.id = result.registration_id
  where result.finish_time_ms is not null`);
