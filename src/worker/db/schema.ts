import { isNotNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  pgView,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { POINT_LENGTH_MAX } from '../../timing-files/read/parameters.ts';
import { DEFAULT_RULE, RANKING_RULES } from '../../timing-files/read/ranking-rule.ts';
import {
  RANKED_STATUSES,
  RESULT_STATUSES,
  statusesWhere,
} from '../../timing-files/read/result-status.ts';
import { POSITION_NAMES } from '../positions/positions.ts';
import { GUN_RANK_MS, placeOf, rankMs } from '../positions/sql.ts';
import { SCOPES } from '../scopes.ts';
import {
  API_KEY_EVENT_KINDS,
  BATCH_SOURCES,
  BOARD_CODE_LENGTH,
  BOARD_NAMES,
  EVENT_CHANGE_KINDS,
  KEY_NAME_MAX,
  KIT_STATUSES,
  OFFICIAL_BYTES_MAX,
  PRIZES,
  REASON_MAX,
  REGISTRATION_STATUSES,
  SENDER_MAX,
  trimmed,
  VERSION_MAX,
} from './sql.ts';

const MEMBER_ROLES = ['owner', 'admin', 'member'] as const;

/** The values as SQL literals: check constraints and index predicates cannot take parameters. */
const literals = (values: readonly string[]): SQL =>
  sql.raw(values.map((value) => `'${value}'`).join(', '));

const literal = (value: number): SQL => sql.raw(String(value));

/** A single value becomes `=`, not `in`, so existing constraints keep their text. */
const isOneOf = (column: SQLWrapper, values: readonly string[]): SQL =>
  values.length === 1
    ? sql`${column} = ${literals(values)}`
    : sql`${column} in (${literals(values)})`;

const id = () => uuid().primaryKey().defaultRandom();

/** A row deleted together with its owner. */
const partOf = (owner: () => AnyPgColumn) =>
  uuid().notNull().references(owner, { onDelete: 'cascade' });

const instant = () => timestamp({ withTimezone: true });
const recordedAt = () => instant().notNull().default(sql`now()`);

const durationMs = () => bigint({ mode: 'number' });

const hasNameLength = (name: SQLWrapper): SQL =>
  sql`char_length(${name}) between 1 and ${literal(POINT_LENGTH_MAX)}`;

const hasReasonLength = (reason: SQLWrapper): SQL =>
  sql`char_length(${reason}) between 1 and ${literal(REASON_MAX)}`;

const hasFourDigitYear = (column: SQLWrapper): SQL =>
  sql`${column} >= '0001-01-01 00:00:00+00' and ${column} < '10000-01-01 00:00:00+00'`;

export const organizations = pgTable(
  'organizations',
  {
    id: id(),
    name: text().notNull(),
    created_at: recordedAt(),
  },
  (t) => [check('organizations_name_not_blank', sql`btrim(${t.name}) <> ''`)],
);

export const organizationMembers = pgTable(
  'organization_members',
  {
    organization_id: partOf(() => organizations.id),
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
    organization_id: partOf(() => organizations.id),
    /** The only event that the key may read. Null: all events of the organization. */
    event_id: uuid().references((): AnyPgColumn => events.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    key_prefix: text().notNull(),
    key_hash: text().notNull(),
    scopes: text({ enum: SCOPES }).array().notNull(),
    last_used_at: instant(),
    expires_at: instant(),
    revoked_at: instant(),
    created_at: recordedAt(),
  },
  (t) => [
    unique('api_keys_key_hash').on(t.key_hash),
    // api_key_events references both columns, so an entry cannot name another organization's key.
    unique('api_keys_id_organization').on(t.id, t.organization_id),
    index('api_keys_by_creation').on(t.organization_id, t.created_at.desc().nullsFirst(), t.id),
    // Serves the deletion of an event.
    index('api_keys_of_event').on(t.event_id).where(isNotNull(t.event_id)),
    check(
      'api_keys_name_length',
      sql`char_length(${t.name}) between 1 and ${literal(KEY_NAME_MAX)}`,
    ),
    check('api_keys_prefix_length', sql`char_length(${t.key_prefix}) = 12`),
    check('api_keys_hash_is_sha256_hex', sql`${t.key_hash} ~ '^[0-9a-f]{64}$'`),
    check(
      'api_keys_scopes_known',
      sql`cardinality(${t.scopes}) > 0 and ${t.scopes} <@ array[${literals(SCOPES)}]`,
    ),
  ],
);

/**
 * The history of API keys. Triggers refuse every change, so a key with history cannot be deleted alone. The history is
 * deleted with its organization; the history of a key for a single event is deleted with the event.
 */
export const apiKeyEvents = pgTable(
  'api_key_events',
  {
    id: id(),
    organization_id: uuid().notNull(),
    api_key_id: uuid().notNull(),
    /** The only event of the key, as in `api_keys`. */
    event_id: uuid(),
    kind: text({ enum: API_KEY_EVENT_KINDS }).notNull(),
    /** The prefix after the event. */
    key_prefix: text().notNull(),
    /** The panel's id of the user. */
    actor: text().notNull(),
    occurred_at: recordedAt(),
  },
  (t) => [
    foreignKey({
      name: 'api_key_events_key_of_organization',
      columns: [t.api_key_id, t.organization_id],
      foreignColumns: [apiKeys.id, apiKeys.organization_id],
    }).onDelete('cascade'),
    index('api_key_events_by_time').on(t.organization_id, t.occurred_at),
    index('api_key_events_by_key').on(t.api_key_id, t.organization_id),
    check('api_key_events_kind_known', sql`${t.kind} in (${literals(API_KEY_EVENT_KINDS)})`),
    check('api_key_events_prefix_length', sql`char_length(${t.key_prefix}) = 12`),
    check('api_key_events_actor_not_blank', sql`btrim(${t.actor}) <> ''`),
  ],
);

export const events = pgTable(
  'events',
  {
    id: id(),
    organization_id: partOf(() => organizations.id),
    name: text().notNull(),
    event_date: instant().notNull(),
    city: text().notNull(),
    /**
     * The IANA name of the place's time zone, which the writer of events fills in. With null or another text, the board
     * shows the reader's time with the name of the zone.
     */
    time_zone: text(),
    registration_opens_at: instant(),
    registration_closes_at: instant(),
    is_active: boolean().notNull().default(true),
    created_at: recordedAt(),
  },
  (t) => [
    index('events_by_date').on(t.organization_id, t.event_date.desc().nullsFirst(), t.id),
    check(
      'events_registration_opens_before_it_closes',
      sql`${t.registration_opens_at} <= ${t.registration_closes_at}`,
    ),
    // ISO 8601 writes these years with four digits. The checks also refuse infinite dates.
    check('events_date_in_years_1_to_9999', hasFourDigitYear(t.event_date)),
    check('events_opens_in_years_1_to_9999', hasFourDigitYear(t.registration_opens_at)),
    check('events_closes_in_years_1_to_9999', hasFourDigitYear(t.registration_closes_at)),
  ],
);

/**
 * An organization's settings of its event. Without a row, everything has its default. A separate statement makes the
 * row before the first change, so that two first changes record the true values before.
 */
export const eventSettings = pgTable(
  'event_settings',
  {
    event_id: partOf(() => events.id).primaryKey(),
    /** Whether the live board is public, and how much of the runners' names the board shows. */
    board_enabled: boolean().notNull().default(false),
    board_names: text({ enum: BOARD_NAMES }).notNull().default('none'),
    /** The distances whose runners' names the board never shows. */
    board_hidden_distances: text().array().notNull().default(sql`'{}'`),
    /** The short address of the board, in lower case and without a hyphen. */
    board_code: text(),
    ranking_rule: text({ enum: RANKING_RULES }).notNull().default(DEFAULT_RULE),
    prizes: text({ enum: PRIZES }).notNull().default('all'),
    /** Versions of the event's starts and of its points. A change of these locks this row. */
    starts_version: integer().notNull().default(0),
    points_version: integer().notNull().default(0),
    /** Official versions up to this number were made before a restore of the database, so the next number is higher. */
    official_above: integer().notNull().default(0),
  },
  (t) => [
    unique('event_settings_board_code').on(t.board_code),
    check('event_settings_board_names_known', sql`${t.board_names} in (${literals(BOARD_NAMES)})`),
    check(
      'event_settings_board_code_length',
      sql`char_length(${t.board_code}) = ${literal(BOARD_CODE_LENGTH)}`,
    ),
    check(
      'event_settings_ranking_rule_known',
      sql`${t.ranking_rule} in (${literals(RANKING_RULES)})`,
    ),
    check('event_settings_prizes_known', sql`${t.prizes} in (${literals(PRIZES)})`),
  ],
);

/** When the runners of an event start, in the order in which the organization lists the starts. */
export const eventStarts = pgTable(
  'event_starts',
  {
    event_id: partOf(() => events.id),
    ordinal: integer().notNull(),
    name: text().notNull(),
    /** Null: a start for all distances. */
    distance: text(),
    /** The bibs of a wave, inclusive. Null: all bibs. */
    bib_from: durationMs(),
    bib_to: durationMs(),
    starts_at: instant().notNull(),
    /** The offset in the sent start. Null: in UTC, which says nothing about the clocks at the event. */
    utc_offset_minutes: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.event_id, t.ordinal] }),
    check('event_starts_name_length', hasNameLength(t.name)),
    check('event_starts_bibs_have_both_ends', sql`(${t.bib_from} is null) = (${t.bib_to} is null)`),
    check('event_starts_bibs_in_order', sql`${t.bib_from} between 0 and ${t.bib_to}`),
    check('event_starts_at_in_years_1_to_9999', hasFourDigitYear(t.starts_at)),
    check('event_starts_offset_within_a_day', sql`abs(${t.utc_offset_minutes}) < 24 * 60`),
  ],
);

/**
 * The timing points of a course, as the organization sent them. Points that the organization did not send are derived
 * from passings.
 */
export const eventPoints = pgTable(
  'event_points',
  {
    event_id: partOf(() => events.id),
    /** The ordinal in the list of all points. */
    ordinal: integer().notNull(),
    name: text().notNull(),
    /** Null: on the course of all distances. */
    distance: text(),
    /** The order on the course of the distance. */
    course_order: integer().notNull(),
    /** From the start. */
    km: doublePrecision(),
  },
  (t) => [
    primaryKey({ columns: [t.event_id, t.ordinal] }),
    check('event_points_name_length', hasNameLength(t.name)),
    check('event_points_km_positive', sql`${t.km} > 0`),
  ],
);

/** The changes of users and keys to an event, without its results. */
export const eventChanges = pgTable(
  'event_changes',
  {
    event_id: partOf(() => events.id),
    /** Increases with each change. */
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    kind: text({ enum: EVENT_CHANGE_KINDS }).notNull(),
    /** The values before and after, as the API writes values. Null: nothing. */
    before: text(),
    after: text(),
    /** The panel's id of the user, or the key and its prefix at the time of the change. */
    user_id: text(),
    api_key_id: uuid(),
    key_prefix: text(),
    /** The reason of the change, in the user's words. */
    reason: text(),
    changed_at: recordedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.event_id, t.id] }),
    check('event_changes_by_user_or_key', sql`num_nonnulls(${t.user_id}, ${t.api_key_id}) = 1`),
    check(
      'event_changes_key_has_prefix',
      sql`(${t.api_key_id} is null) = (${t.key_prefix} is null)`,
    ),
    check('event_changes_kind_known', sql`${t.kind} in (${literals(EVENT_CHANGE_KINDS)})`),
    check('event_changes_reason_length', hasReasonLength(t.reason)),
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
  created_at: recordedAt(),
});

/** A snapshot: names, contacts and gender as entered at registration. Never fill them from `persons`. */
export const registrations = pgTable(
  'registrations',
  {
    id: id(),
    event_id: partOf(() => events.id),
    person_id: partOf(() => persons.id),
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
    registered_at: recordedAt(),
  },
  (t) => [
    unique('registrations_event_bib').on(t.event_id, t.bib_number),
    // results references both columns, so a result cannot name another event's registration.
    unique('registrations_id_event').on(t.id, t.event_id),
    // Serves the foreign keys of results. If the statistics call the table empty, every B-tree index costs the same,
    // and Postgres would read the whole newest index for each result. A hash index costs less.
    index('registrations_by_id').using('hash', t.id),
    index('registrations_paid_by_time')
      .on(t.event_id, t.registered_at, t.id)
      .where(sql`${t.status} = 'PAID'`),
    // Foreign systems write chips and documents, with blanks around the text. Lookups ignore these blanks.
    index('registrations_by_chip').on(t.event_id, trimmed(t.chip)).where(isNotNull(t.chip)),
    index('registrations_by_document')
      .on(t.event_id, trimmed(t.document))
      .where(isNotNull(t.document)),
    index('registrations_by_person').on(t.event_id, t.person_id),
    // Serves the deletion of a person.
    index('registrations_of_person').on(t.person_id),
    // Positions are counted by a merge of this index with `results_times_by_registration`.
    index('registrations_by_group').on(t.event_id, t.id, t.gender, t.category, t.distance),
    // Statistics read only this index. Few of the entries differ, so the index is small.
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
    // '17' and ' 17 ' must not be the bibs of two runners.
    check(
      'registrations_bib_trimmed',
      sql`${t.bib_number} = ${trimmed(t.bib_number)} and ${t.bib_number} <> ''`,
    ),
  ],
);

/**
 * A batch of results or an upload of passings draws its number after locking its rows. So batches with a common row
 * have numbers in the order of their locks.
 */
export const effectOrder = pgSequence('effect_order');
const inEffectOrder = () =>
  bigint({ mode: 'number' }).notNull().default(sql`nextval('effect_order'::regclass)`);

/** The sender of a batch of results or an upload of passings, and the sender's statements about the upload. */
const senderColumns = () => ({
  /** Null for a user of the panel. */
  api_key_id: uuid().references(() => apiKeys.id, { onDelete: 'cascade' }),
  /** The key's prefix at the time of the upload. A rotation changes the key's own. */
  key_prefix: text(),
  /** The panel's id of the user, for an upload in the panel. A revert then keeps the key of the reverted batch. */
  user_id: text(),
  /** The sender's name for itself, such as the name of a laptop. */
  sender: text(),
  source: text({ enum: BATCH_SOURCES }).notNull(),
  /** The client's name of the uploaded file. */
  file_name: text(),
});

/** The outcome of the rows of an upload. */
const countColumns = () => ({
  total_processed: integer().notNull(),
  uploaded: integer().notNull(),
  updated: integer().notNull(),
  /** Rows among `updated` whose stored values were equal, so nothing was written. */
  unchanged: integer().notNull().default(0),
  /** Rows removed by a revert or a deletion. */
  removed: integer().notNull().default(0),
  not_found: integer().notNull(),
  errors: integer().notNull(),
  duplicates: integer().notNull(),
  /** Rows that the upload left for a person to decide. */
  left_count: integer().notNull().default(0),
});

/** The columns from which a repeated upload is answered. */
const repeatColumns = () => ({
  /** The client's name of this upload, for a safe repetition: a UUID, or a digest of a longer name. */
  idempotency_key: uuid(),
  /** SHA-256 of the content uploaded under the idempotency key. */
  content_hash: text(),
  /** Ordinals of the rows without a registration. */
  not_found_ordinals: integer().array(),
  /** The left rows, as answered. */
  left_rows: jsonb(),
});

type Upload = Record<
  | keyof ReturnType<typeof senderColumns>
  | keyof ReturnType<typeof countColumns>
  | keyof ReturnType<typeof repeatColumns>,
  SQLWrapper
>;

/** @param table the name of the table, with which the names of the constraints begin */
const uploadChecks = (table: string, t: Upload) => [
  check(`${table}_source_known`, sql`${t.source} in (${literals(BATCH_SOURCES)})`),
  check(`${table}_has_sender`, sql`${t.api_key_id} is not null or ${t.user_id} is not null`),
  check(
    `${table}_sender_length`,
    sql`char_length(${t.sender}) between 1 and ${literal(SENDER_MAX)}`,
  ),
  check(
    `${table}_counts_add_up`,
    sql`${t.total_processed} = ${t.uploaded} + ${t.updated} + ${t.removed} + ${t.not_found}
        + ${t.errors} + ${t.duplicates} + ${t.left_count}`,
  ),
  check(`${table}_unchanged_are_updated`, sql`${t.unchanged} between 0 and ${t.updated}`),
  check(
    `${table}_key_has_content_hash`,
    sql`(${t.idempotency_key} is null) = (${t.content_hash} is null)`,
  ),
];

/** A row for each upload, revert, deletion and shift of a start, with the counts of its answer. */
export const resultBatches = pgTable(
  'result_batches',
  {
    id: id(),
    event_id: partOf(() => events.id),
    ...senderColumns(),
    /** Why the sender made the batch, in the sender's words. */
    reason: text(),
    /** Whether the sender calls these results a person's decision. */
    is_by_hand: boolean().notNull().default(false),
    /** The batch reverted by this batch. */
    reverts: uuid(),
    /** The upload or deletion at the start of a chain of reverts; null for the upload or deletion. */
    reverted_upload: uuid(),
    /** The registration whose result a deletion took away. */
    deleted_registration: uuid(),
    /** The two registrations with swapped results; null for other batches. */
    swapped_registrations: uuid().array(),
    /** How many passings these have together. */
    swapped_passings: integer(),
    /** The shifted start, before and after the shift; null for other batches. */
    start_shift: jsonb(),
    /** Whether the results of `reverted_upload` stand after this batch. Each revert in the chain negates the value. */
    upload_stands: boolean().notNull().default(true),
    ...countColumns(),
    ...repeatColumns(),
    /** The first bibs of rows without a registration; null if all rows have a registration. */
    not_found_bibs: text().array(),
    /** When the request came. `effect_order` is the order in which batches took effect. */
    received_at: recordedAt(),
    effect_order: inEffectOrder(),
  },
  (t) => [
    // Serves the deletion of old batches.
    index('result_batches_by_time').on(t.event_id, t.received_at, t.id),
    index('result_batches_by_effect').on(t.event_id, t.effect_order),
    uniqueIndex('result_batches_idempotency')
      .on(t.event_id, t.idempotency_key)
      .where(isNotNull(t.idempotency_key)),
    index('result_batches_by_reverted_upload')
      .on(t.reverted_upload, t.effect_order)
      .where(isNotNull(t.reverted_upload)),
    // Serves the deletion of a key.
    index('result_batches_of_key').on(t.api_key_id),
    ...uploadChecks('result_batches', t),
    check('result_batches_reason_length', hasReasonLength(t.reason)),
    check(
      'result_batches_revert_names_its_batch',
      sql`(${t.source} = 'revert') = (${t.reverts} is not null)
        and (${t.source} = 'revert') = (${t.reverted_upload} is not null)`,
    ),
    check(
      'result_batches_deletion_names_its_registration',
      sql`(${t.source} = 'delete') = (${t.deleted_registration} is not null)`,
    ),
    check(
      'result_batches_shift_names_its_start',
      sql`(${t.source} = 'shift') = (${t.start_shift} is not null)`,
    ),
  ],
);

/** The beginning of a condition about times, for the statuses with an optional time. */
function mayHaveTime(status: SQLWrapper): SQL {
  const statuses = statusesWhere(({ keepsTimes, hasPosition }) => keepsTimes && !hasPosition);
  return statuses.length === 0 ? sql`` : sql`${isOneOf(status, statuses)} or `;
}

/** The content of a result. */
const resultColumns = () => ({
  status: text({ enum: RESULT_STATUSES }).notNull(),
  chip_time_ms: durationMs(),
  gun_time_ms: durationMs(),
  /** Split name → milliseconds. */
  splits: jsonb().$type<Record<string, number>>().notNull().default({}),
  /** When the runner was first FINISHED. The value survives corrections, also to another status. */
  first_finished_at: instant(),
  /** Whether a person decided the result. The column is here because batches are pruned. */
  decided_by_person: boolean().notNull().default(false),
});

export const results = pgTable(
  'results',
  {
    registration_id: uuid().primaryKey(),
    event_id: uuid().notNull(),
    /**
     * The upload behind the result. The column is no foreign key: if a registration moves to another event, the result
     * moves too, and survives the deletion of the first event with its batch.
     */
    batch_id: uuid().notNull(),
    /** The revert that brought this result back. An upload sets the column to null. */
    restored_by: uuid(),
    ...resultColumns(),
    finish_time_ms: durationMs().generatedAlwaysAs(
      sql`case when ${isOneOf(sql`status`, RANKED_STATUSES)} then coalesce(chip_time_ms, gun_time_ms) end`,
    ),
    updated_at: recordedAt(),
  },
  (t) => [
    // Another system may move a registration to another event. The result goes with the registration.
    foreignKey({
      name: 'results_registration_of_event',
      columns: [t.registration_id, t.event_id],
      foreignColumns: [registrations.id, registrations.event_id],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('results_of_batch').on(t.batch_id),
    index('results_by_revert').on(t.restored_by).where(isNotNull(t.restored_by)),
    // Results without a time come last: these runners did not finish.
    index('results_by_finish_time').on(t.event_id, t.finish_time_ms),
    // The index for rules by gun time. The two columns behind let Postgres read the index alone.
    index('results_by_gun_time').on(
      t.event_id,
      sql`(${GUN_RANK_MS})`,
      t.finish_time_ms,
      t.gun_time_ms,
    ),
    // Finds single results even if the statistics call the table empty, like `registrations_by_id`.
    index('results_by_id').using('hash', t.registration_id),
    // Positions are counted by a merge of this index with `registrations_by_group`.
    index('results_times_by_registration').on(
      t.event_id,
      t.registration_id,
      t.finish_time_ms,
      t.gun_time_ms,
      t.chip_time_ms,
    ),
    check('results_status_known', sql`${t.status} in (${literals(RESULT_STATUSES)})`),
    check('results_times_not_negative', sql`${t.chip_time_ms} >= 0 and ${t.gun_time_ms} >= 0`),
    check(
      'results_times_only_when_finished',
      sql`${mayHaveTime(t.status)}(${isOneOf(t.status, RANKED_STATUSES)}) = (coalesce(${t.chip_time_ms}, ${t.gun_time_ms}) is not null)`,
    ),
  ],
);

/**
 * Results replaced or removed by a batch. A revert restores them. A batch that stores a first result has no row here.
 */
export const replacedResults = pgTable(
  'replaced_results',
  {
    registration_id: partOf(() => registrations.id),
    /** Increases with each replacement of a registration's result. */
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    replaced_by: uuid().notNull(),
    /** The upload and the revert behind the result, as in `results`. */
    batch_id: uuid().notNull(),
    restored_by: uuid(),
    ...resultColumns(),
    updated_at: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.registration_id, t.id] }),
    index('replaced_results_by_batch').on(t.batch_id),
    index('replaced_results_by_revert').on(t.restored_by).where(isNotNull(t.restored_by)),
  ],
);

/**
 * Results that a person took away by a deletion, a swap, a revert or a shift. `leave=decided` leaves rows by these
 * marks, which outlive the pruned batch.
 */
export const withdrawnResults = pgTable(
  'withdrawn_results',
  {
    registration_id: partOf(() => registrations.id),
    /** Increases with each withdrawal of a registration's result. */
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    /** The act. A deletion and a swap keep their mark until the act is reverted. */
    batch_id: uuid().notNull(),
    /** The withdrawn values. Null: the act withdrew any result. */
    status: text({ enum: RESULT_STATUSES }),
    chip_time_ms: durationMs(),
    gun_time_ms: durationMs(),
  },
  (t) => [primaryKey({ columns: [t.registration_id, t.id] })],
);

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/**
 * Versions of an event's results, made official by its organization. Each version records a moment and never changes.
 */
export const officialResults = pgTable(
  'official_results',
  {
    event_id: partOf(() => events.id),
    version: integer().notNull(),
    made_at: instant().notNull(),
    /** The panel's id of the user behind the version. */
    made_by: text().notNull(),
    rows: integer().notNull(),
    /** SHA-256 of the document. */
    digest: text().notNull(),
    /** A JWS in the compact form. */
    signature: text().notNull(),
    /** SHA-256 by Postgres of the results. */
    content: text().notNull(),
    /** The rule by which the document ranks. */
    rank_by: text({ enum: RANKING_RULES }).notNull(),
    /** The document, compressed with gzip. */
    document: bytes().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.event_id, t.version] }),
    check('official_results_versions', sql`${t.version} between 1 and ${literal(VERSION_MAX)}`),
    check('official_results_rule_known', sql`${t.rank_by} in (${literals(RANKING_RULES)})`),
    check('official_results_has_rows', sql`${t.rows} > 0`),
    check('official_results_digest_is_sha256_hex', sql`${t.digest} ~ '^[0-9a-f]{64}$'`),
    check(
      'official_results_document_fits',
      sql`octet_length(${t.document}) <= ${literal(OFFICIAL_BYTES_MAX)}`,
    ),
  ],
);

const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' });

/**
 * The digest of an event's results, stored so that most reads compute no digest. The digest counts while the tables
 * behind the digest have these numbers of rows of the event, and no row written since.
 */
export const knownResults = pgTable('known_results', {
  event_id: partOf(() => events.id).primaryKey(),
  /** As `official_results.content`. */
  content: text().notNull(),
  counts: integer().array().notNull(),
  /**
   * How many results of this content differ from the last official version, the first of these, and the digest of the
   * version; null before the first comparison.
   */
  changes: jsonb(),
  since: transactionId().notNull(),
  /**
   * The transaction that wrote this row. A row restored from a dump has the number of a foreign transaction, and does
   * not count.
   */
  written_by: transactionId().notNull(),
});

/** The times at timing points before the finish. */
export const passings = pgTable(
  'passings',
  {
    registration_id: uuid().notNull(),
    event_id: uuid().notNull(),
    point: text().notNull(),
    /** Since the start. */
    time_ms: durationMs().notNull(),
    /** The upload behind the passing. The column is no foreign key, as in `results`. */
    upload_id: uuid().notNull(),
    /** When the row was last written. */
    received_at: recordedAt(),
  },
  (t) => [
    // A registration has a single event. The deletion of a registration looks for both: without the event in this
    // index, and without statistics, Postgres would read the whole event in `passings_by_time` for each registration.
    primaryKey({ columns: [t.registration_id, t.event_id, t.point] }),
    // Another system may move a registration to another event. The passings go with the registration.
    foreignKey({
      name: 'passings_registration_of_event',
      columns: [t.registration_id, t.event_id],
      foreignColumns: [registrations.id, registrations.event_id],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    // A page of a point and its positions read only this index.
    index('passings_by_time').on(t.event_id, t.point, t.time_ms, t.registration_id),
    // Finds a runner's passings even if the statistics call the table empty, like `registrations_by_id`.
    index('passings_by_registration').using('hash', t.registration_id),
    check('passings_time_positive', sql`${t.time_ms} > 0`),
    check(
      'passings_point_trimmed',
      sql`${t.point} = ${trimmed(t.point)} and char_length(${t.point}) between 1 and ${literal(POINT_LENGTH_MAX)}`,
    ),
  ],
);

/** A row for each upload of passings, revert and deletion of a point, with the counts of its answer. */
export const passingUploads = pgTable(
  'passing_uploads',
  {
    id: id(),
    event_id: partOf(() => events.id),
    ...senderColumns(),
    /** The upload or deletion reverted by this revert. */
    reverts: uuid(),
    /** The point removed by a deletion. */
    deleted_point: text(),
    ...countColumns(),
    ...repeatColumns(),
    /** When the request came. */
    received_at: recordedAt(),
    effect_order: inEffectOrder(),
  },
  (t) => [
    // Serves the deletion of old uploads.
    index('passing_uploads_by_time').on(t.event_id, t.received_at, t.id),
    uniqueIndex('passing_uploads_idempotency')
      .on(t.event_id, t.idempotency_key)
      .where(isNotNull(t.idempotency_key)),
    // Serves the deletion of a key.
    index('passing_uploads_of_key').on(t.api_key_id),
    ...uploadChecks('passing_uploads', t),
    check(
      'passing_uploads_revert_names_its_upload',
      sql`(${t.source} = 'revert') = (${t.reverts} is not null)`,
    ),
    check(
      'passing_uploads_deletion_names_its_point',
      sql`(${t.source} = 'delete') = (${t.deleted_point} is not null)`,
    ),
  ],
);

/** Passings replaced by an upload, or removed by a revert or a deletion. A revert restores them. */
export const replacedPassings = pgTable(
  'replaced_passings',
  {
    registration_id: partOf(() => registrations.id),
    /** Increases with each replacement of a registration's passing. */
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    point: text().notNull(),
    time_ms: durationMs().notNull(),
    /** The upload behind the passing. */
    upload_id: uuid().notNull(),
    replaced_by: uuid().notNull(),
    received_at: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.registration_id, t.id] }),
    // Serves the revert of an upload.
    index('replaced_passings_by_upload').on(t.upload_id),
    index('replaced_passings_by_replacement').on(t.replaced_by),
  ],
);

/** Passings that a person took away by a deletion, a revert or a shift: marks as in `withdrawn_results`. */
export const withdrawnPassings = pgTable(
  'withdrawn_passings',
  {
    registration_id: partOf(() => registrations.id),
    /** Increases with each withdrawal of a registration's passing. */
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    point: text().notNull(),
    /** The act. A deletion keeps its mark until the deletion is reverted. */
    upload_id: uuid().notNull(),
    /** The withdrawn time. Null: the act withdrew any passing. */
    time_ms: durationMs(),
    /** The upload behind the passing that the act left at the point. Null: no passing. */
    left_upload_id: uuid(),
  },
  (t) => [primaryKey({ columns: [t.registration_id, t.id] })],
);

/** Runners whose name no board shows, although their event's board shows names. */
export const boardHiddenNames = pgTable('board_hidden_names', {
  registration_id: uuid()
    .primaryKey()
    .references(() => registrations.id, { onDelete: 'cascade' }),
  hidden_at: recordedAt(),
});

const RULE_OF_EVENT = sql`coalesce(setting.ranking_rule, ${literals([DEFAULT_RULE])})`;
const PLACES = POSITION_NAMES.map(
  (name) => sql`${placeOf(name, RULE_OF_EVENT, 'result.event_id')} as ${sql.identifier(name)}`,
);

/**
 * Defines places: 1, 2, 2, 4. Places of the whole event are by chip time, or by gun time without a chip time. Places
 * within the distance are by the event's rule, because each distance is a race; runners without a distance are a group.
 * A category counts within its gender. `createRanker` counts equal places at less cost, and tests compare both.
 */
export const standings = pgView('standings', {
  event_id: uuid().notNull(),
  registration_id: uuid().notNull(),
  bib_number: text(),
  finish_time_ms: durationMs().notNull(),
  position_overall: bigint({ mode: 'number' }).notNull(),
  position_gender: bigint({ mode: 'number' }),
  position_category: bigint({ mode: 'number' }),
  position_distance: bigint({ mode: 'number' }).notNull(),
  position_distance_gender: bigint({ mode: 'number' }),
  position_distance_category: bigint({ mode: 'number' }),
  rank_by: text({ enum: RANKING_RULES }).notNull(),
  /** The time behind `position_distance`. */
  rank_time_ms: durationMs().notNull(),
}).as(sql`
  select
    result.event_id,
    result.registration_id,
    registration.bib_number,
    result.finish_time_ms,
    ${sql.join(
      PLACES,
      sql`,
    `,
    )},
    ${RULE_OF_EVENT} as rank_by,
    ${rankMs('overall', RULE_OF_EVENT)} as rank_time_ms
  from results result
  join registrations registration on registration.id = result.registration_id
  left join event_settings setting on setting.event_id = result.event_id
  where result.finish_time_ms is not null`);
