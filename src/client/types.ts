// Generated from the OpenAPI document by `npm run generate:client`.

export const ERROR_CODES = [
  'UNAUTHORIZED',
  'INSUFFICIENT_SCOPE',
  'NOT_FOUND',
  'VALIDATION_ERROR',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const;

/** The kind of an error, for a program to branch on. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** One of the values of today, or a later one. */
export type Extensible<Values extends string> = Values | (string & {});

export type ResultStatus = 'FINISHED' | 'DNS' | 'DNF' | 'DSQ';

export type RankingRule = 'chip' | 'gun' | 'gun_overall';

export type Scope =
  | 'events:read'
  | 'participants:read'
  | 'inscriptions:read'
  | 'stats:read'
  | 'payments:read'
  | 'results:write';

export type EventStatus = 'open' | 'scheduled' | 'closed' | 'past' | 'inactive';

export type KitStatus = 'PENDING' | 'READY' | 'DELIVERED';

export type BatchSource = 'json' | 'csv' | 'revert' | 'delete' | 'shift';

export type OfficialState = 'official' | 'changed_since';

/** The result of one bib. A FINISHED row needs a chip time or a gun time. Rows with another status are stored without chip time and gun time. */
export interface ResultIn {
  /** Bib number of a registration. An integer counts as its digits. */
  bib_number: string | number;
  /** Net time, from start line to finish. */
  chip_time?: string | null | undefined;
  /** Gross time, from gun to finish. */
  gun_time?: string | null | undefined;
  /** Alias of `chip_time`. If both are sent, `chip_time` is used. */
  time?: string | null | undefined;
  /** Outcome of the race, in any case. */
  status?: Extensible<ResultStatus> | null | undefined;
  /** Split times by split name. An invalid time is ignored. */
  splits?:
    | {
        [k: string]: string;
      }
    | null
    | undefined;
}

/** A bib at a point. */
export interface PassingIn {
  /** Bib number of a registration. An integer counts as its digits. */
  bib_number: string | number;
  /** Name of the timing point. Case and blanks make no difference: the event keeps the name of the first upload. */
  point: string;
  /** Time since the start. Zero is no time. */
  time: string;
}

/** All starts of an event, in place of the starts of the version. */
export interface StartsIn {
  /** The version before the change. */
  version: number;
  /**
   * The starts. Two starts of one kind may not claim one runner.
   *
   * @maxItems 200
   */
  starts: readonly StartIn[];
}

/** A start. */
export interface StartIn {
  /** Name of the start. */
  name: string;
  /** The distance of the start. Null: all distances. */
  distance?: string | null | undefined;
  /** The first bib of the start. Null: all bibs. */
  bib_from?: number | null | undefined;
  /** The last bib of the start. Null: all bibs. */
  bib_to?: number | null | undefined;
  /** When its gun goes off, with the offset from UTC. */
  starts_at: string;
}

/** All timing points of an event. They replace the points of the version. */
export interface PointsIn {
  /** The version before the change. */
  version: number;
  /**
   * The points. Within a distance, each has a name and an order of its own. Where `km` is null and the name says the kilometres, the name counts.
   *
   * @maxItems 1000
   */
  points: readonly PointIn[];
}

/** A timing point. */
export interface PointIn {
  /** Name of the point, as in passings. */
  name: string;
  /** The distance whose course has the point. Null: all distances. */
  distance?: string | null | undefined;
  /** The place of the point on the course, from 1. */
  order: number;
  /** Kilometres from the start. Null: as the name says. */
  km?: number | null | undefined;
}

/** Passings, one row per bib and point. */
export interface PassingsUploadIn {
  /**
   * The rows. `failed` lists each row that is not a valid PassingIn, and the remaining rows load.
   *
   * @maxItems 5000
   */
  passings: readonly PassingIn[];
}

/** Results, one row per bib. */
export interface ResultsUploadIn {
  /**
   * The rows. `failed` lists each row that is not a valid ResultIn, and the remaining rows load.
   *
   * @maxItems 5000
   */
  results: readonly ResultIn[];
}

/** Two bibs whose results belong to each other. */
export interface ResultSwapIn {
  /**
   * Two different bibs of the event.
   *
   * @minItems 2
   * @maxItems 2
   */
  bib_numbers: readonly string[];
  /** Why, in one line of at most 200 characters. Name no person: the runner’s card on the live board shows the reason to everybody. */
  reason?: string | undefined;
  /** True previews the swap and writes nothing. */
  dry_run?: boolean | undefined;
}

/** The settings to change. A setting that is not sent stays. */
export interface EventBoardIn {
  /** Whether everybody can open the live board of the event. */
  board_enabled?: boolean | undefined;
  /** How much of the names the board shows. `none`: only bibs. `initials`: the given name and the initial of the surname. `full`: the whole names, before the start too. Very many long names become initials. */
  board_names?: ('none' | 'initials' | 'full') | undefined;
}

/** The rule of ranking or the prizes, and the reason of the change. A field that is not sent stays. */
export interface EventRankingIn {
  /** The rule of ranking. */
  rule?: RankingRule | undefined;
  /** Which places have a prize. `all`: each place. `overall_leaves_category`: the first three of a distance and of each gender leave the prizes of their category to the next runners. Places stay. */
  prizes?: ('all' | 'overall_leaves_category') | undefined;
  /** Why, in one line of at most 200 characters. */
  reason?: string | undefined;
}

/** What to store. A field that is not sent keeps its value, or is null in a first result. */
export interface ResultCorrectionIn {
  /** The outcome of the race. One other than `FINISHED` takes the chip time and the gun time away. */
  status?: ResultStatus | undefined;
  /** The net time, from start line to finish, in the forms of an upload. Zero is no time. Null takes it away. */
  chip_time?: string | null | undefined;
  /** The gross time, from gun to finish, in the forms of an upload. Zero is no time. Null takes it away. */
  gun_time?: string | null | undefined;
  /** Why, in one line of at most 200 characters. Name no person: the runner’s card on the live board shows the reason to everybody. */
  reason?: string | undefined;
  /** The `version` of the result that is corrected, as the list of runners has it, or the `batch_id` of the last version in its history. If another one is the present one, nothing is stored, and the answer is 409. Null if there was never a result. */
  version?: string | null | undefined;
  /** Whether a person has looked at the warnings of a 409. Then the result is stored as it is. */
  confirmed?: boolean | undefined;
}

/** The key to create. */
export interface ApiKeyIn {
  /** Name of the key. Spaces around it are trimmed. */
  name: string;
  /**
   * Scopes of the key.
   *
   * @minItems 1
   */
  scopes: readonly Scope[];
  /** When the key expires: an instant in the future. Without it, the key never expires. ISO 8601, a calendar date and a time, with or without seconds and their fraction, and the offset from UTC: `2099-12-31T23:59:59-05:00`, `2099-12-31T23:59-0500` or `2100-01-01T04:59:59.500Z`. */
  expires_at?: string | null | undefined;
  /** An event of the organization. The key may ask for this event alone: every further event is 404, and the list of events has only this event. Without an event, the key may ask for all events. */
  event_id?: string | null | undefined;
}

/** The new name of a key. */
export interface ApiKeyNameIn {
  /** Name of the key. Spaces around it are trimmed. */
  name: string;
}

export interface PageQuery {
  /** Page number, from 1. A page past the end is empty. A blank one counts as not sent. */
  page?: number | undefined;
  /** Items per page. */
  page_size?: number | undefined;
}

export interface ParticipantQuery extends PageQuery {
  /** Exact distance. */
  distance?: string | undefined;
  /** Exact category. */
  category?: string | undefined;
  /** One of `PENDING`, `READY`, `DELIVERED`, in any case. */
  kit_status?: string | undefined;
  /** An `inscription_id`. The list starts after this registration, and `page` and `meta` count from there. The registration may be cancelled. If it was deleted, the answer is 404. */
  after?: string | undefined;
}

export interface ParticipantExportQuery {
  /** Exact distance. */
  distance?: string | undefined;
  /** Exact category. */
  category?: string | undefined;
  /** One of `PENDING`, `READY`, `DELIVERED`, in any case. */
  kit_status?: string | undefined;
  /** Empty, it starts a copy of the whole list. With the `Next-Cursor` of an answer, only the rows that are new or different since then come, and who left. No filter may stand beside it. */
  changed_since?: string | undefined;
}

export interface StartListQuery {
  /** Empty, it starts a copy of the whole list. With the `Next-Cursor` of an answer, only the rows that are new or different since then come, and who left. No filter may stand beside it. */
  changed_since?: string | undefined;
}

export interface LookupQuery extends PageQuery {
  /** Exact bib number. */
  bib?: string | undefined;
  /** Exact chip code. */
  chip?: string | undefined;
  /** Complete document number. */
  document?: string | undefined;
}

export interface ResultQuery extends PageQuery {
  /** Exact gender. */
  gender?: string | undefined;
  /** Exact category. */
  category?: string | undefined;
  /** Exact distance. */
  distance?: string | undefined;
  /** One of `FINISHED`, `DNS`, `DNF`, `DSQ`, in any case. */
  status?: string | undefined;
  /** Exact bib number. */
  bib?: string | undefined;
}

export interface ResultExportQuery {
  /** Exact gender. */
  gender?: string | undefined;
  /** Exact category. */
  category?: string | undefined;
  /** Exact distance. */
  distance?: string | undefined;
  /** One of `FINISHED`, `DNS`, `DNF`, `DSQ`, in any case. */
  status?: string | undefined;
  /** Exact bib number. */
  bib?: string | undefined;
  /** Empty, it starts a copy of the whole list. With the `Next-Cursor` of an answer, only the rows that are new or different since then come, and who left. No filter may stand beside it. */
  changed_since?: string | undefined;
}

export interface MissingResultQuery extends PageQuery {
  /** Exact gender. */
  gender?: string | undefined;
  /** Exact category. */
  category?: string | undefined;
  /** Exact distance. */
  distance?: string | undefined;
}

export interface RunnerQuery extends PageQuery {
  /** A bib, or words of a name in any order, with or without accents. A text with a digit is a bib. Without it, all runners are listed. */
  search?: string | undefined;
  /** Only runners with this status: one of `FINISHED`, `DNS`, `DNF`, `DSQ`, `NONE`, `INCOMPLETE`, in any case. `NONE` are those who have paid and have no result, `INCOMPLETE` those who have paid and lack a bib, a gender, a category or a distance: both with and without a bib. Without it, all who have a bib. */
  status?: string | undefined;
  /** Only runners of this distance. */
  distance?: string | undefined;
  /** Only runners of this gender. */
  gender?: string | undefined;
  /** Only runners of this category. */
  category?: string | undefined;
}

export interface PassingQuery extends PageQuery {
  /** Name of a point. */
  point?: string | undefined;
  /** Exact bib number. */
  bib?: string | undefined;
  /** Exact distance. */
  distance?: string | undefined;
  /** Exact gender. */
  gender?: string | undefined;
  /** Exact category. */
  category?: string | undefined;
}

export interface PassingExportQuery {
  /** Name of a point. */
  point?: string | undefined;
  /** Exact bib number. */
  bib?: string | undefined;
  /** Exact distance. */
  distance?: string | undefined;
  /** Exact gender. */
  gender?: string | undefined;
  /** Exact category. */
  category?: string | undefined;
  /** Empty, it starts a copy of the whole list. With the `Next-Cursor` of an answer, only the rows that are new or different since then come, and who left. No filter may stand beside it. */
  changed_since?: string | undefined;
}

export interface ResultsFileQuery {
  /** Why, in one line of at most 200 characters. Name no person: the runner’s card on the live board shows the reason to everybody. */
  reason?: string | undefined;
  /** Who sends, such as the name of a laptop: one line of at most 60 characters. The history of uploads shows it. */
  sender?: string | undefined;
  /** Which rows the upload leaves to a person: `decided`, `impossible`, `others`, `many`. Repeat the parameter. `others` needs `sender`. The guide to live timing explains each value. */
  leave?: readonly ('decided' | 'impossible' | 'others' | 'many')[] | undefined;
  /** The bib column: its name in the header, or its number, as in `#3`. An empty value means that no column has this meaning. */
  bib?: string | undefined;
  /** The column of the chip time, by name or number. */
  chip_time?: string | undefined;
  /** The column of the gun time, by name or number. */
  gun_time?: string | undefined;
  /** The column of the status, by name or number. The column of a time is allowed too, if the file writes `DNF` in the place of the time. */
  status?: string | undefined;
  /** A split column, by name or number. Repeat the parameter for each split. With the parameter, only these columns are splits. `split=` alone means that the file has no splits. */
  split?: readonly string[] | undefined;
  /** The line of the header. 0 means that the file has no header; columns then have numbers only. Without the parameter, the header is the first line that is not blank. */
  header_line?: number | undefined;
  /** How the file writes bibs, if the event writes bibs differently. The guide to CSV files explains every value. */
  bib_format?: ('exact' | 'number' | 'joined') | undefined;
  /** How the file writes times. The guide to CSV files explains every value. `time_of_day` means that all times are times of day, which count from the start of each runner. */
  time_format?:
    | (
        | 'clock'
        | 'long_fractions'
        | 'days'
        | 'apostrophes'
        | 'dots'
        | 'hundredths'
        | 'seconds'
        | 'digits'
        | 'minutes'
        | 'hours'
        | 'milliseconds'
        | 'day_fraction'
        | 'am_pm'
        | 'hours_minutes'
        | 'minutes_seconds'
        | 'time_of_day'
      )
    | undefined;
  /** A column whose cells are times of day, by name or number, beside columns of durations. Repeat the parameter for each column. */
  time_of_day?: readonly string[] | undefined;
  /** The column with the start of each runner, by name or number. The chip time is then the moment of the finish, as a time of day or with its date, and counts from this start. */
  started?: string | undefined;
  /** The fastest time, if the file leaves out whole days. A smaller time is a day longer: with `20:10:12`, a time of `03:15:00` is 27:15:00. */
  fastest?: string | undefined;
  /** The meaning of a word of the file: the word, a colon and a status. Repeat the parameter for each word. With nothing behind the colon, as in `N/A:`, cells with the word count as empty, and a row without a time or status is left out. With nothing before the colon, as in `:DNF`, the word is a blank cell of the status column. The API looks for the word in the status column and in the columns of the times. Case and accents make no difference. */
  status_word?: readonly string[] | undefined;
  /** The rows to read: a column, a colon and a value. Repeat the parameter to accept a further value of the column, or to ask for a value in a second column. */
  where?: readonly string[] | undefined;
  /** The rows to leave out: a column, a colon and a value, such as rows of sums. Nothing behind the colon stands for an empty cell. Repeat the parameter for each value. */
  where_not?: readonly string[] | undefined;
  /** A column that is not read, by name or number: remarks, or times that are no splits. Its words are no statuses. Repeat it for each column. */
  ignore?: readonly string[] | undefined;
  /** The encoding of the file, such as `windows-1250`, `windows-1251`, `shift_jis` or `gb18030`. Without it, the bytes decide between UTF-8, UTF-16 and latin-1. */
  encoding?: string | undefined;
  /** The sheet of a workbook, by name or, as `#2`, by number. Without it, the first sheet with a table is read. */
  sheet?: string | undefined;
}

export interface EventRankingQuery {
  /** The rule of ranking. */
  rule?: RankingRule | undefined;
}

export interface BoardResultQuery extends PageQuery {
  /** Only this distance. */
  distance?: string | undefined;
  /** Only this gender. */
  gender?: string | undefined;
  /** Only this category. */
  category?: string | undefined;
}

export interface ListPassingUploadsQuery extends PageQuery {
  /** Only uploads of this sender. */
  sender?: string | undefined;
}

export interface GetOfficialResultsQuery {
  /** The `digest` of the version, from the list. A version with a different digest is not found. An address with the digest has the same answer for ever. */
  digest?: string | undefined;
}

export interface ListResultBatchesQuery extends PageQuery {
  /** `true` lists only decisions of a person, `false` all further batches. */
  by_hand?: string | undefined;
  /** Only batches of this sender. */
  sender?: string | undefined;
}

export interface GetOrganizationEventOnCourseQuery extends PageQuery {
  /** Only runners who were seen at this point and not after the point. The name is as in `listOrganizationEventPassingPoints`. */
  last_point?: string | undefined;
  /** Only runners of this distance. */
  distance?: string | undefined;
}

/** A row that is new, different or gone since `changed_since`. */
export type ParticipantListChange = Participant | ListRemoval;

/** A paid, non-cancelled registration with the data given when registering. A value that was not given is null. Personal data. */
export interface Participant extends StartListEntry {
  /** Document number, unmasked. */
  document: string | null;
  /** Email address. */
  email: string | null;
  /** Mobile phone number. */
  mobile_phone: string | null;
  /** Status of the registration. */
  status: Extensible<'PENDING' | 'PAID' | 'CANCELLED'>;
  /** Time of the registration. Null if it has no year from 1 to 9999. */
  registered_at: string | null;
}

/** Somebody who left a list since `changed_since`. */
export interface ListRemoval {
  /** The registration that left the list. */
  inscription_id: string;
  /** The row is no longer in the list. */
  removed: true;
}

/** A row that is new, different or gone since `changed_since`. */
export type StartListEntryListChange = StartListEntry | ListRemoval;

/** A registration that was not cancelled, paid or not, as a timing program imports it. Without document and contact. */
export interface StartListEntry {
  /** Id of the registration. */
  inscription_id: string;
  /** Bib number. Null until a bib is assigned. */
  bib_number: string | null;
  /** Chip code. */
  chip: string | null;
  /** Given names. */
  given_names: string | null;
  /** Surnames. */
  surnames: string | null;
  /** Registered gender. */
  gender: string | null;
  /** Distance. */
  distance: string | null;
  /** Category. */
  category: string | null;
  /** Status of the race kit. */
  kit_status: Extensible<KitStatus> | null;
}

/** A row that is new, different or gone since `changed_since`. */
export type PassingListChange =
  | {
      /** Id of the registration. It stays when the bib changes. */
      inscription_id: string;
      /** Bib number. Null if the registration has lost its bib. */
      bib_number: string | null;
      /** Name of the point. */
      point: string;
      /** Time since the start, as `HH:MM:SS.mmm`. */
      time: string;
      /** Registered gender. */
      gender: string | null;
      /** Registered category. */
      category: string | null;
      /** Registered distance. */
      distance: string | null;
      /** Time at which the passing was last stored. */
      received_at: string;
      /** The upload that stored the passing, as `listPassingUploads` has it. */
      upload_id: string;
      /** Time since the start in milliseconds. */
      time_ms: number;
    }
  | ListRemoval;

/** A row that is new, different or gone since `changed_since`. */
export type ResultListChange =
  | {
      /** Id of the registration. It stays when the bib changes. */
      inscription_id: string;
      /** Bib number. Null if the registration has lost its bib. */
      bib_number: string | null;
      /** Outcome of the race. */
      status: Extensible<ResultStatus>;
      /** Net time, from start line to finish, as `HH:MM:SS.mmm`. */
      chip_time: string | null;
      /** Gross time, from gun to finish, as `HH:MM:SS.mmm`. */
      gun_time: string | null;
      /** Split times by split name, as `HH:MM:SS.mmm`. */
      splits: {
        [k: string]: string;
      };
      /** Registered gender. */
      gender: string | null;
      /** Registered category. */
      category: string | null;
      /** Registered distance. */
      distance: string | null;
      /** Time at which the result was last stored. */
      updated_at: string;
      /** Net time in milliseconds. */
      chip_time_ms: number | null;
      /** Gross time in milliseconds. */
      gun_time_ms: number | null;
    }
  | ListRemoval;

/** A sporting event of the organization. */
export interface Event {
  /** Id of the event. */
  id: string;
  /** Name of the event. */
  name: string;
  /** Date and time of the event, in UTC. */
  event_date: string;
  /** Current status. `open`: registration is open. `scheduled`: registration is not yet open. `closed`: registration is over. `past`: the event has happened. `inactive`: the event is inactive. */
  status: Extensible<EventStatus>;
  /** City of the event. */
  city: string;
}

/** Position of the page in its list. */
export interface Meta {
  /** Number of this page, from 1. */
  page: number;
  /** Items per page. */
  page_size: number;
  /** Items in the whole list. */
  total: number;
  /** Pages in the whole list. */
  total_pages: number;
}

/** A fact that a person should check. */
export interface PreviewWarning {
  /** The kind of the warning, for programs. New codes may be added. A code never changes its meaning. */
  code: Extensible<
    | 'bib_column_unclear'
    | 'time_column_unclear'
    | 'time_format_unclear'
    | 'rows_unclear'
    | 'status_unclear'
    | 'no_results_yet'
    | 'sheet_unclear'
    | 'encoding_unclear'
    | 'time_of_day'
    | 'file_refused'
    | 'rows_fail_alike'
    | 'unknown_status_words'
    | 'splits_unlikely'
    | 'column_not_read'
    | 'no_rows'
    | 'gaps_unlikely'
    | 'whole_minutes'
    | 'over_24_hours'
    | 'short_times'
    | 'zero_time'
    | 'split_after_finish'
    | 'split_same_for_all'
    | 'gun_below_chip'
    | 'finished_despite_mark'
    | 'places_disagree'
    | 'times_disagree'
    | 'unplaced_rows'
    | 'placeholder_time'
    | 'rows_left_out'
    | 'unknown_fields'
    | 'no_race_time'
    | 'repeated_bibs'
    | 'bibs_unlikely'
    | 'second_header'
    | 'last_line_cut'
    | 'times_changed'
    | 'times_left_out'
    | 'implausible_for_distance'
    | 'splits_removed'
    | 'gun_times_removed'
    | 'unknown_bibs'
    | 'cancelled_registration'
    | 'status_would_change'
    | 'second_finish'
    | 'dns_with_passing'
    | 'old_gun'
    | 'wrong_clock'
    | 'rank_time_missing'
    | 'many_changes'
    | 'fewer_rows'
    | 'not_event_day'
  >;
  /** The warning, for people. */
  detail: string;
  /** The values in `detail`, for a sentence in another language: counts, and names and cells of the file. `case` tells the sentences of a code apart. `why` is an English text. */
  values: {
    [k: string]: string | number | string[];
  };
  /** The first lines of the file with this warning. Empty if the warning is about the whole file. */
  rows: number[];
  /** The answers between which a person has to decide. */
  choices?: {
    /** Query parameters for the upload, ready to be put behind `?`. Empty if no parameter is needed. */
    query: string;
    /** The meaning of the choice, for people. */
    why: string;
  }[];
}

/** A non-cancelled registration, found by bib, chip or document. */
export interface ParticipantLookup {
  /** Id of the registration. */
  inscription_id: string;
  /** Bib number. Null until a bib is assigned. */
  bib_number: string | null;
  /** Chip code. */
  chip: string | null;
  /** Given names and surnames. */
  full_name: string | null;
  /** Registered gender. */
  gender: string | null;
  /** Category. */
  category: string | null;
  /** Distance. */
  distance: string | null;
  /** Status of the race kit. */
  kit_status: Extensible<KitStatus> | null;
  /** Masked document number: only the last characters, at most 4, are visible. */
  document: string | null;
}

/** Statistics of an event. Each `by_*` field counts registrations in every status. A registration without a distance, for example, is in the totals but not in `by_distance`. */
export interface EventStats {
  /** Id of the event. */
  event_id: string;
  /** Registrations in any status. */
  total_inscriptions: number;
  /** Registrations that are paid and not cancelled. */
  paid_inscriptions: number;
  /** Distinct persons in all registrations. */
  total_participants: number;
  /** Registrations by status. */
  by_status: {
    /** Number of registrations. */
    [k: string]: number;
  };
  /** Registrations by distance, sorted by name. */
  by_distance: {
    /** Name of the group. */
    distance: string;
    /** Number of registrations. */
    count: number;
  }[];
  /** Registrations by category, sorted by name. */
  by_category: {
    /** Name of the group. */
    category: string;
    /** Number of registrations. */
    count: number;
  }[];
  /** Registrations by kit status. */
  by_kit_status: {
    /** Number of registrations. */
    [k: string]: number;
  };
  /** Registrations by gender. */
  by_gender: {
    /** Number of registrations. */
    [k: string]: number;
  };
}

/** The starts of an event. */
export interface EventStarts {
  /** The version, which rises with each change. A change names the version before the change. */
  version: number;
  /** The starts in the order in which they were told. A start with distance and bibs claims a runner first, then one with bibs, then one with a distance, then the start of all runners. Empty: no start was told. */
  starts: EventStart[];
}

/** The gun of a distance, of a wave of bibs, or of all runners. */
export interface EventStart {
  /** Name of the start. */
  name: string;
  /** The distance. Null: runners of any distance. */
  distance: string | null;
  /** The first bib of the start. Null: any bib. */
  bib_from: number | null;
  /** The last bib of the start. Null: any bib. */
  bib_to: number | null;
  /** When the gun of this start goes off, with the offset from UTC with which it was told. */
  starts_at: string;
}

/** The starts of an event after a change. */
export interface EventStartsStored {
  /** The version, which rises with each change. A change names the version before the change. */
  version: number;
  /** The starts in the order in which they were told. A start with distance and bibs claims a runner first, then one with bibs, then one with a distance, then the start of all runners. Empty: no start was told. */
  starts: EventStart[];
  /** Registered runners without a start. Cancelled runners do not count. */
  runners_without_start: number;
  /** The effect of `shift=true`. Null without `shift`. */
  shift: StartShift | null;
}

/** The shift of a start. */
export interface StartShift {
  /** The batch of the shift. `revertResultBatch` takes the shift back. Null if nothing was written. */
  batch_id: string | null;
  /** Whether nothing was written because the request only asked. */
  dry_run: boolean;
  /** How much later the start is. Times since the gun shrink by as much. */
  seconds: number;
  /** Runners of the start. */
  runners: number;
  /** Results whose gun time or splits move. */
  results: number;
  /** Passings that move. */
  passings: number;
  /** The podiums that would change, the first 100. Only in a dry run. */
  podiums: ChangedPodium[];
  /** The newest official version, if results move: the results differ from this version. Null without a version. */
  official_version: number | null;
}

/** The first three of a group, before and after a shift. */
export interface ChangedPodium {
  /** The distance. Null: runners without a distance. */
  distance: string | null;
  /** The gender. Null: all. */
  gender: string | null;
  /** The category within the gender. Null: all. */
  category: string | null;
  /**
   * The first three bibs now; more of them in a tie.
   *
   * Items: Bib number. Null if the registration has lost its bib.
   */
  before: (string | null)[];
  /**
   * The first three bibs after the shift.
   *
   * Items: Bib number. Null if the registration has lost its bib.
   */
  after: (string | null)[];
}

/** The timing points of an event. */
export interface EventPoints {
  /** The version, which rises with each change. A change names the version before the change. */
  version: number;
  /** The points in the order of the course. Until somebody sends the points, the list has the points with passings, in the order of their fastest times, with the kilometres in their names. */
  points: EventPoint[];
}

/** A timing point before the finish. */
export interface EventPoint {
  /** Name of the point, as in passings. */
  name: string;
  /** The distance. Null: runners of any distance. */
  distance: string | null;
  /** Place of the point on the course, from 1. */
  order: number;
  /** Kilometres from the start. Null if neither the organizer nor the name states the kilometres. */
  km: number | null;
}

/** What a person should check in the stored times. */
export interface EventWarnings {
  /** The clocks that seem wrong, by the first and the last runners at each point. */
  clocks: WrongClock[];
  /** The runners who are DNS and have passed a point, the first 100: was the DNS wrong? */
  dns_with_passing: DnsWithPassing[];
}

/** A clock that seems wrong. */
export interface WrongClock {
  /** Whose clock: of a point, of the finish, or of a told start. */
  at: Extensible<'start' | 'point' | 'finish'>;
  /** Name of the point. Null for the start and the finish. */
  point: string | null;
  /** How many whole minutes the clock seems ahead; negative: behind. For a start: how much too late the start was told. */
  minutes: number;
  /** The evidence: the clock of the server, or the times of the same runners at the other points. */
  against: Extensible<'server' | 'points'>;
  /** The runners behind the evidence: some of the runners at the point. */
  runners: number;
}

/** A runner who is DNS and has passed a point. */
export interface DnsWithPassing {
  /** Id of the registration. It stays when the bib changes. */
  inscription_id: string;
  /** Bib number. Null if the registration has lost its bib. */
  bib_number: string | null;
  /** The last point that saw the runner. */
  point: string;
  /** The time there since the start, as `HH:MM:SS.mmm`. */
  time: string;
}

/** A runner at a point, with the positions at the point. A passing contains no personal data. */
export interface Passing {
  /** Id of the registration. It stays when the bib changes. */
  inscription_id: string;
  /** Bib number. Null if the registration has lost its bib. */
  bib_number: string | null;
  /** Name of the point. */
  point: string;
  /** Time since the start, as `HH:MM:SS.mmm`. */
  time: string;
  /** Registered gender. */
  gender: string | null;
  /** Registered category. */
  category: string | null;
  /** Registered distance. */
  distance: string | null;
  /** Position at the point, among all passed runners who are of the whole event. Equal times share a position (1, 2, 2, 4). */
  position_overall: number | null;
  /** Position at the point, among all passed runners who are of the same gender in the whole event. Equal times share a position (1, 2, 2, 4). */
  position_gender: number | null;
  /** Position at the point, among all passed runners who are of the same category in the whole event. Equal times share a position (1, 2, 2, 4). */
  position_category: number | null;
  /** Position at the point, among all passed runners who are of the same distance. Equal times share a position (1, 2, 2, 4). */
  position_distance: number | null;
  /** Position at the point, among all passed runners who are of the same distance and gender. Equal times share a position (1, 2, 2, 4). */
  position_distance_gender: number | null;
  /** Position at the point, among all passed runners who are of the same distance, gender and category. Runners without a gender count among themselves. Equal times share a position (1, 2, 2, 4). */
  position_distance_category: number | null;
  /** Time at which the passing was last stored. */
  received_at: string;
  /** The upload that stored the passing, as `listPassingUploads` has it. */
  upload_id: string;
  /** Name of the key that sent the upload. Null for a user. */
  key_name: string | null;
  /** The name of the sender from the parameter `sender`, such as the name of a laptop. Null without this parameter. */
  sender: string | null;
}

/** The outcome of an upload of passings. `uploaded`, `updated`, `not_found`, `errors`, `duplicates` and the number of rows in `left` add up to `total_processed`. */
export interface PassingsUploadOut {
  /** Id of this upload. */
  upload_id: string;
  /** Rows processed. */
  total_processed: number;
  /** Rows that created a passing. */
  uploaded: number;
  /** Rows that found a passing, `unchanged` included. */
  updated: number;
  /** Rows among `updated` that equal the stored passing, and were not written. */
  unchanged: number;
  /** Rows whose bib has no registration. */
  not_found: number;
  /** Rows with an error. */
  errors: number;
  /** Rows replaced by a later row for this passing. `failed` does not list these rows. */
  duplicates: number;
  /** The warnings that a person should look at. The answer to a file always has the list, and the answer to JSON only with a warning. */
  warnings?: PreviewWarning[];
  /** The rows left to a person because of `leave`, in row order. These rows are neither stored nor in `failed`. To store these rows anyway, send the rows without `leave`. */
  left: LeftPassing[];
  /** The rows counted in `not_found` and `errors`, in row order. Correct these rows and send only these rows again. Empty if all rows loaded. */
  failed: ResultFailure[];
}

/** A row that was left to a person. */
export interface LeftPassing {
  /** The row of the upload, as in `failed`. */
  row: number;
  /** Bib of the row. */
  bib_number: string;
  /** Why the row was left, for programs. The guide to live timing explains each code. New codes may be added. A code never changes its meaning. */
  reason_code: Extensible<
    | 'decided_by_person'
    | 'deleted_by_person'
    | 'disqualified'
    | 'taken_back'
    | 'too_fast'
    | 'too_slow'
    | 'second_finish'
    | 'before_start'
    | 'dns_with_passing'
    | 'faster_than_point'
    | 'after_finish'
    | 'second_passing'
    | 'passing_of_dns'
    | 'of_another_sender'
    | 'too_many_changes'
  >;
  /** The stored passing. Null if there is none. */
  stored: {
    /** Time since the start, as `HH:MM:SS.mmm`. */
    time: string;
  } | null;
  /** The sender who stored the content, or took the content away: the name of the sender, else of the key, else the id of the user. Null if nothing is stored, or if the upload is no longer kept. */
  sender: string | null;
  /** The time of this upload. */
  at: string | null;
}

/** A row that failed. */
export interface ResultFailure {
  /** JSON upload: position of the row in the array, from 1. CSV upload: line of the file on which the row starts, where the header is line 1. */
  row: number;
  /** Bib of the row. Null if the row has no bib. */
  bib_number: string | null;
  /** Why the row failed, for people. */
  reason: string;
  /** Why the row failed, for programs. New codes may be added. A code never changes its meaning. */
  reason_code: Extensible<
    | 'unknown_bib'
    | 'missing_bib'
    | 'invalid_bib'
    | 'missing_time'
    | 'invalid_time'
    | 'invalid_status'
    | 'invalid_split'
    | 'invalid_row'
    | 'duplicate_split'
    | 'missing_point'
    | 'invalid_point'
    | 'no_start'
    | 'before_start'
    | 'hour_twice'
    | 'no_time_zone'
  >;
  /** The row as it was sent, or as its cells were read. Absent if a JSON row is not an object. In an answer with more than 500 000 cells of failed rows, the last rows lack their items. */
  item?: {
    [k: string]: unknown;
  };
}

/** The effect of taking a point back. */
export interface PassingDeletion {
  /** The upload of the deletion. Revert this upload to bring the passings back. Null if nothing was deleted. */
  upload_id: string | null;
  /** Name of the point. */
  point: string;
  /** Whether nothing was deleted. */
  dry_run: boolean;
  /** Deleted passings. For a dry run, passings that would be deleted. */
  removed: number;
}

/** A passing with its positions, and its time also in milliseconds. */
export interface ExportedPassing {
  /** Id of the registration. It stays when the bib changes. */
  inscription_id: string;
  /** Bib number. Null if the registration has lost its bib. */
  bib_number: string | null;
  /** Name of the point. */
  point: string;
  /** Time since the start, as `HH:MM:SS.mmm`. */
  time: string;
  /** Registered gender. */
  gender: string | null;
  /** Registered category. */
  category: string | null;
  /** Registered distance. */
  distance: string | null;
  /** Position at the point, among all passed runners who are of the whole event. Equal times share a position (1, 2, 2, 4). */
  position_overall: number | null;
  /** Position at the point, among all passed runners who are of the same gender in the whole event. Equal times share a position (1, 2, 2, 4). */
  position_gender: number | null;
  /** Position at the point, among all passed runners who are of the same category in the whole event. Equal times share a position (1, 2, 2, 4). */
  position_category: number | null;
  /** Position at the point, among all passed runners who are of the same distance. Equal times share a position (1, 2, 2, 4). */
  position_distance: number | null;
  /** Position at the point, among all passed runners who are of the same distance and gender. Equal times share a position (1, 2, 2, 4). */
  position_distance_gender: number | null;
  /** Position at the point, among all passed runners who are of the same distance, gender and category. Runners without a gender count among themselves. Equal times share a position (1, 2, 2, 4). */
  position_distance_category: number | null;
  /** Time at which the passing was last stored. */
  received_at: string;
  /** The upload that stored the passing, as `listPassingUploads` has it. */
  upload_id: string;
  /** Time since the start in milliseconds. */
  time_ms: number;
}

/** A point of the course, with the number of passed runners. */
export interface PassingPoint {
  /** Name of the point. */
  point: string;
  /** Runners who have passed the point. */
  total: number;
  /** The fastest time at the point, as `HH:MM:SS.mmm`. */
  fastest_time: string;
}

/** How a file would be read as the passings of one point. If an upload with these parameters would refuse the file, `columns`, `counts`, `rows` and `failed` are those of the suggestion. */
export interface PassingsFilePreview {
  /** Encoding of the file. `windows-1252` includes latin-1. */
  encoding: string;
  /** The character between the cells. */
  delimiter: string;
  /** Line of the header. 0 if the file has no header. */
  header_line: number;
  /** The columns of the file, in order. */
  columns: PreviewColumn[];
  counts: PassingPreviewCounts;
  /** The first rows, at most 10, and both rows of the first 5 bibs that stand twice. */
  rows: PassingPreviewRow[];
  /** The first rows that the upload would leave to a person, at most 1000. */
  left: LeftPassing[];
  /** The first rows that would fail, at most 10. */
  failed: ResultFailure[];
  /** Facts that a person should check: first about the suggestion, then about the sent parameters, then about the event. */
  warnings: PreviewWarning[];
  /** The parameters for the upload, if nothing speaks against their results. Null if a person has to decide: `choices` of the warnings then has a query for each answer. */
  suggestion: {
    /** Query parameters for the upload, ready to be put behind `?`. Empty if no parameter is needed. */
    query: string;
    /** How the suggestion reads the file, for people. */
    why: string;
  } | null;
}

/** A column of the file. */
export interface PreviewColumn {
  /** Name in the header. Empty if the column has none. */
  name: string;
  /** What the column is read as. Null if it is not read. */
  meaning: Extensible<'bib' | 'chip_time' | 'gun_time' | 'status' | 'split'> | null;
  /** Why it has this meaning, for people. */
  why: string;
  /** The first cells with a text, at most 3. */
  samples: string[];
}

/** The counts that the upload would answer with. */
export interface PassingPreviewCounts {
  /** Rows processed. */
  total_processed: number;
  /** Rows that created a passing. */
  uploaded: number;
  /** Rows that found a passing, `unchanged` included. */
  updated: number;
  /** Rows among `updated` that equal the stored passing, and were not written. */
  unchanged: number;
  /** Rows whose bib has no registration. */
  not_found: number;
  /** Rows with an error. */
  errors: number;
  /** Rows replaced by a later row for this passing. `failed` does not list these rows. */
  duplicates: number;
  /** Rows that the upload left to a person, because of `leave`. */
  left: number;
}

/** A row of the file as it is read. */
export interface PassingPreviewRow {
  /** Line of the file on which the row starts. */
  row: number;
  /** Bib number. */
  bib_number: string;
  /** Line of the later row of the same bib, which counts. Null if this row counts. */
  replaced_by: number | null;
  /** Name of the point. */
  point: string;
  /** Time since the start, `HH:MM:SS.mmm`. */
  time: string | null;
}

/** An upload of passings, a revert or a deletion of a point. `uploaded`, `updated`, `removed`, `not_found`, `errors`, `duplicates` and `left` add up to `total_processed`. */
export interface PassingUpload extends PassingPreviewCounts {
  /** Id of the upload. */
  id: string;
  /** How the upload came: as JSON or CSV, as a revert of an upload, or as the deletion of a point. */
  source: Extensible<BatchSource>;
  /** Time of the request. The list is in the order in which uploads took effect. */
  received_at: string;
  /** Name of the key that sent the upload. Empty for a user of the panel. */
  key_name: string;
  /** First 12 characters of the key at the time of the upload. Empty without a `key_name`. */
  key_prefix: string;
  /** The user who sent the upload in the panel. Null for a key. */
  user_id: string | null;
  /** The name of the sender from the parameter `sender`, such as the name of a laptop. Null without this parameter. */
  sender: string | null;
  /** Name of the file. Null if the client sent no name. */
  file_name: string | null;
  /** The point that a deletion took away. */
  deleted_point: string | null;
  /** Passings taken away: by a deletion, or by a revert of the upload that had created the passings. */
  removed: number;
  /** The upload that this upload reverts. Null if this upload is no revert. */
  reverts: string | null;
  /** When the upload was reverted. Null without a revert, or if the revert was reverted. */
  reverted_at: string | null;
  /** The upload that reverted this upload. */
  reverted_by: string | null;
}

/** What a revert did, or would do. */
export interface PassingUploadReversal {
  /** The new upload that the revert is. Null for a dry run, and if there was nothing to revert. */
  upload_id: string | null;
  /** The upload that was reverted. */
  reverts: string;
  /** Whether nothing was written. */
  dry_run: boolean;
  /** Passings that returned to their content before the upload. */
  restored: number;
  /** Passings taken away, because the upload had created them. */
  removed: number;
  /** Passings brought back that a deletion or a revert had taken away. */
  reinstated: number;
  /** Passings that an earlier revert of this upload took back. */
  already_reverted: number;
  /** Passings left alone, because a later upload had replaced them. */
  kept: number;
}

/** A result with its positions. It contains no personal data. */
export interface Result {
  /** Id of the registration. It stays when the bib changes. */
  inscription_id: string;
  /** Bib number. Null if the registration has lost its bib. */
  bib_number: string | null;
  /** Outcome of the race. */
  status: Extensible<ResultStatus>;
  /** Net time, from start line to finish, as `HH:MM:SS.mmm`. */
  chip_time: string | null;
  /** Gross time, from gun to finish, as `HH:MM:SS.mmm`. */
  gun_time: string | null;
  /** Split times by split name, as `HH:MM:SS.mmm`. */
  splits: {
    [k: string]: string;
  };
  /** Registered gender. */
  gender: string | null;
  /** Registered category. */
  category: string | null;
  /** Registered distance. */
  distance: string | null;
  /** Position among the finishers of the whole event. Equal times share a position (1, 2, 2, 4). */
  position_overall: number | null;
  /** Position among the finishers of the same gender in the whole event. Equal times share a position (1, 2, 2, 4). */
  position_gender: number | null;
  /** Position among the finishers of the same category in the whole event. Equal times share a position (1, 2, 2, 4). */
  position_category: number | null;
  /** Position among the finishers of the same distance. Equal times share a position (1, 2, 2, 4). */
  position_distance: number | null;
  /** Position among the finishers of the same distance and gender. Equal times share a position (1, 2, 2, 4). */
  position_distance_gender: number | null;
  /** Position among the finishers of the same distance, gender and category. Runners without a gender count among themselves. Equal times share a position (1, 2, 2, 4). */
  position_distance_category: number | null;
  /** The rule that `position_distance`, `position_distance_gender` and `position_distance_category` follow, and the order of lists. `chip`: by chip time. `gun`: by gun time. `gun_overall`: by gun time, and within the category by chip time. Without a chip time, a runner is ranked by gun time, and vice versa. */
  rank_by: Extensible<RankingRule>;
  /** Time at which the result was last stored. */
  updated_at: string;
}

/** The outcome of an upload. `uploaded`, `updated`, `not_found`, `errors`, `duplicates` and the number of rows in `left` add up to `total_processed`. */
export interface ResultsUploadOut {
  /** Id of this upload. */
  batch_id: string;
  /** Rows processed. */
  total_processed: number;
  /** Rows that created a result. */
  uploaded: number;
  /** Rows that found a result, `unchanged` included. */
  updated: number;
  /** Rows among `updated` that equal the stored result, and were not written. */
  unchanged: number;
  /** Rows whose bib has no registration. */
  not_found: number;
  /** Rows with an error. */
  errors: number;
  /** Rows replaced by a later row for this result. `failed` does not list these rows. */
  duplicates: number;
  /** Split names in the loaded rows, in order of appearance. */
  splits_detected: string[];
  /** Facts that a person should check: unlikely times and, of a file, unread columns. The warnings are the warnings of a preview. Of the comparisons with the event, the answer has only `implausible_for_distance`, `splits_removed`, `gun_times_removed`, `second_finish`, `dns_with_passing`, `old_gun` and `wrong_clock`. The answer to a file always has the list, and the answer to JSON only with a warning. */
  warnings?: PreviewWarning[];
  /** The rows left to a person because of `leave`, in row order. These rows are neither stored nor in `failed`. To store these rows anyway, send the rows without `leave`. */
  left: LeftResult[];
  /** The rows counted in `not_found` and `errors`, in row order. Correct these rows and send only these rows again. Empty if all rows loaded. */
  failed: ResultFailure[];
}

/** A row left to a person. */
export interface LeftResult {
  /** The row of the upload, as in `failed`. */
  row: number;
  /** Bib of the row. */
  bib_number: string;
  /** Why the row was left, for programs. The guide to live timing explains each code. New codes may be added. A code never changes its meaning. */
  reason_code: Extensible<
    | 'decided_by_person'
    | 'deleted_by_person'
    | 'disqualified'
    | 'taken_back'
    | 'too_fast'
    | 'too_slow'
    | 'second_finish'
    | 'before_start'
    | 'dns_with_passing'
    | 'faster_than_point'
    | 'after_finish'
    | 'second_passing'
    | 'passing_of_dns'
    | 'of_another_sender'
    | 'too_many_changes'
  >;
  /** The stored result. Null without a result. */
  stored: {
    /** Outcome of the race. */
    status: Extensible<ResultStatus>;
    /** Net time as `HH:MM:SS.mmm`. */
    chip_time: string | null;
    /** Gross time as `HH:MM:SS.mmm`. */
    gun_time: string | null;
  } | null;
  /** The sender who stored the content, or took the content away: the name of the sender, else of the key, else the id of the user. Null if nothing is stored, or if the upload is no longer kept. */
  sender: string | null;
  /** The time of this upload. */
  at: string | null;
}

/** A result with its positions, and its times also in milliseconds. */
export interface ExportedResult extends Result {
  /** Net time in milliseconds. */
  chip_time_ms: number | null;
  /** Gross time in milliseconds. */
  gun_time_ms: number | null;
}

/** A deleted result. */
export interface ResultDeletion {
  /** The batch of the deletion. Revert this batch to bring the result back. */
  batch_id: string;
  /** Id of the registration. It stays when the bib changes. */
  inscription_id: string;
  /** Bib number. */
  bib_number: string;
  before: ResultContent;
}

/** The content of a result. */
export interface ResultContent {
  /** Outcome of the race. */
  status: Extensible<ResultStatus>;
  /** Net time as `HH:MM:SS.mmm`. */
  chip_time: string | null;
  /** Gross time as `HH:MM:SS.mmm`. */
  gun_time: string | null;
  /** Split times by split name, as `HH:MM:SS.mmm`. */
  splits: {
    [k: string]: string;
  };
}

/** A paid registration with a bib and without a result. It contains no personal data. */
export interface MissingResult {
  /** Id of the registration. It stays when the bib changes. */
  inscription_id: string;
  /** Bib number. */
  bib_number: string;
  /** Registered distance. */
  distance: string | null;
  /** Registered category. */
  category: string | null;
  /** Registered gender. */
  gender: string | null;
}

/** An official version of the results. Everybody with the public keys can check a version. */
export interface OfficialResults {
  /** Number of the version, from 1. */
  version: number;
  /** `official` while the results are those of the version; `changed_since` from the first difference on. */
  state: Extensible<OfficialState>;
  /** The moment whose results these are. */
  made_at: string;
  /** The user who made the version in the panel. */
  user_id: string;
  /** Results in the document. */
  rows: number;
  /** SHA-256 of the document, in hexadecimal digits. */
  digest: string;
  /** A JWS in the compact form, signed with EdDSA. Its payload states the digest, the rows, the version, the moment, the rule of ranking, the event and the organization. */
  signature: string;
  /** The rule by which the document ranks, as its signature says. */
  rank_by: Extensible<RankingRule>;
  /** How the results differ from the document of the last version. `total` is 0 if all times, statuses and splits are equal, and a category, a place or the rule differs. Null while the version is official, for an earlier version, and for some seconds after a change, until the two documents have been compared. */
  changes: {
    /** Number of changed results. */
    total: number;
    /** The first 50 changed results, by bib. */
    first: {
      /** Bib number. Null if the registration has lost its bib. */
      bib_number: string | null;
      /** The result when the version was made. Null if there was none. */
      before: ResultContent | null;
      /** The result now. Null if it was removed. */
      after: ResultContent | null;
    }[];
  } | null;
}

/** How a file would be read. If an upload with these parameters would refuse the file, `columns`, `counts`, `rows` and `failed` are those of the suggestion. */
export interface ResultsFilePreview {
  /** Encoding of the file. `windows-1252` includes latin-1. */
  encoding: string;
  /** The character between the cells. */
  delimiter: string;
  /** Line of the header. 0 if the file has no header. */
  header_line: number;
  /** The columns of the file, in order. */
  columns: PreviewColumn[];
  counts: PreviewCounts;
  /** The first rows, at most 10, and both rows of the first 5 bibs that stand twice. */
  rows: PreviewRow[];
  /** The first stored results that would change, at most 10. */
  changes: PreviewChange[];
  /** The first rows that the upload would leave to a person, at most 1000. */
  left: LeftResult[];
  /** The first rows that would fail, at most 10. */
  failed: ResultFailure[];
  /** Facts that a person should check: first about the suggestion, then about the sent parameters, then about the event. */
  warnings: PreviewWarning[];
  /** The parameters for the upload, if nothing speaks against their results. Null if a person has to decide: `choices` of the warnings then has a query for each answer. */
  suggestion: {
    /** Query parameters for the upload, ready to be put behind `?`. Empty if no parameter is needed. */
    query: string;
    /** How the suggestion reads the file, for people. */
    why: string;
  } | null;
}

/** The counts of the upload, and its changes. */
export interface PreviewCounts {
  /** Rows that are read. */
  total_processed: number;
  /** Rows that would create a result. */
  uploaded: number;
  /** Rows whose bib has a result already. */
  updated: number;
  /** Rows whose bib has no registration. */
  not_found: number;
  /** Rows with an error. */
  errors: number;
  /** Rows replaced by a later row with the same bib. */
  duplicates: number;
  /** Rows that would be left to a person. */
  left: number;
  /** The same as `uploaded`. */
  new: number;
  /** Rows of `updated` with another status, time or split than the stored result. */
  changed: number;
  /** Rows of `updated` that are like the stored result. */
  unchanged: number;
  /** Valid rows by status, repeated bibs included. */
  statuses: {
    /** Valid rows with the status FINISHED. */
    FINISHED: number;
    /** Valid rows with the status DNF. */
    DNF: number;
    /** Valid rows with the status DSQ. */
    DSQ: number;
    /** Valid rows with the status DNS. */
    DNS: number;
  };
}

/** A row of the file as it is read. */
export interface PreviewRow {
  /** Line of the file on which the row starts. */
  row: number;
  /** Bib number. */
  bib_number: string;
  /** Outcome of the race. */
  status: Extensible<ResultStatus>;
  /** Net time, `HH:MM:SS.mmm`. */
  chip_time: string | null;
  /** Gross time, `HH:MM:SS.mmm`. */
  gun_time: string | null;
  /** Split times by split name, `HH:MM:SS.mmm`. */
  splits: {
    [k: string]: string | null;
  };
  /** Line of the later row of the same bib, which counts. Null if this row counts. */
  replaced_by: number | null;
}

/** What a row would make of a stored result. */
export interface PreviewChange {
  /** Line of the file on which the row starts. */
  row: number;
  /** Bib number. */
  bib_number: string;
  before: ResultContent;
  after: ResultContent;
}

/** An upload, a revert or a deletion. `uploaded`, `updated`, `removed`, `not_found`, `errors`, `duplicates` and `left` add up to `total_processed`. */
export interface ResultBatch {
  /** Id of the batch. */
  id: string;
  /** How the batch came: an upload as JSON or CSV, a revert of a batch, a deletion of a result, or the shift of a start. */
  source: Extensible<BatchSource>;
  /** Time of the request. The list stands in the order in which batches took effect. */
  received_at: string;
  /** Name of the key that sent the batch, or whose batch a user took back. Empty if a user sent the batch in the panel, and for a key of an organization that had the event before. */
  key_name: string;
  /** First 12 characters of the key at the time of the batch. Empty without a `key_name`. */
  key_prefix: string;
  /** The user who made the batch in the panel. Null for a key. */
  user_id: string | null;
  /** The name of the sender from the parameter `sender`, such as the name of a laptop. Null without this parameter. */
  sender: string | null;
  /** Name of the file. Null if the client sent no name. */
  file_name: string | null;
  /** The reason, in the words of the sender. Null without a reason. */
  reason: string | null;
  /** Whether a person decided the batch: a revert, a deletion, a correction in the panel, or an upload with `by_hand`. */
  by_hand: boolean;
  /** Rows processed. */
  total_processed: number;
  /** Rows that created a result. */
  uploaded: number;
  /** Rows that found a result, `unchanged` included. */
  updated: number;
  /** Rows among `updated` that equal the stored result, and were not written. */
  unchanged: number;
  /** Rows whose bib has no registration. */
  not_found: number;
  /** Rows with an error. */
  errors: number;
  /** Rows replaced by a later row for this result. `failed` does not list these rows. */
  duplicates: number;
  /** Rows that the upload left to a person, because of `leave`. */
  left: number;
  /** The first 100 bibs of the rows counted in `not_found`. */
  not_found_bibs: string[];
  /** Results taken away: by a deletion, or by a revert of the batch that had created the results. */
  removed: number;
  /** The start that a shift moved, before and after the shift. Null for all further batches. */
  start_shift: {
    before: EventStart;
    after: EventStart;
  } | null;
  /** The batch that this batch reverts. Null if this batch is no revert. */
  reverts: string | null;
  /** When the batch was reverted. Null without a revert, or if the revert was reverted. */
  reverted_at: string | null;
  /** The batch that reverted this batch. */
  reverted_by: string | null;
}

/** The change of a bib’s result by a batch. */
export interface ResultChange {
  /** Id of the registration. It stays when the bib changes. */
  inscription_id: string;
  /** Bib number. Null if the registration has lost its bib. */
  bib_number: string | null;
  /** The result before the batch. Null without a result. */
  before: ResultContent | null;
  /** The result that the batch stored. Null if a revert took the result away. */
  after: ResultContent | null;
  /** The batch that the result comes from now. Null if the result still comes from this batch. */
  replaced_by: string | null;
}

/** A version of a result, and its origin. */
export interface ResultVersion {
  /** Number of the version: 1 is the oldest that is kept. */
  version: number;
  /** The content of the result. Null if this batch took the result away. */
  result: ResultContent | null;
  /** Time of the request that made the version. */
  made_at: string | null;
  /** The batch that made the version. */
  batch_id: string;
  /** How the batch came. Null, with all following fields, if the batch is no longer kept. */
  source: Extensible<BatchSource> | null;
  /** The batch that this version takes back. Null if the version is no revert. */
  reverts: string | null;
  /** The batch that made the next version. Null for the present one. */
  replaced_by: string | null;
  /** Name of the key that sent the batch. */
  key_name: string | null;
  /** The user who made the version in the panel. Null for a key. */
  user_id: string | null;
  /** The name of the sender from the parameter `sender`, such as the name of a laptop. Null without this parameter. */
  sender: string | null;
  /** Name of the file. */
  file_name: string | null;
  /** The reason, in the words of the sender. */
  reason: string | null;
}

/** The effect of a revert. */
export interface ResultBatchReversal {
  /** The batch of the revert. Null for a dry run, and if nothing was to revert. */
  batch_id: string | null;
  /** The batch that was reverted. */
  reverts: string;
  /** Whether nothing was written. */
  dry_run: boolean;
  /** Results that returned to their content before the batch. */
  restored: number;
  /** Results taken away, because the batch had created these results. */
  removed: number;
  /** Results brought back that the reverted revert had taken away. */
  reinstated: number;
  /** Results that an earlier revert of this batch took back. */
  already_reverted: number;
  /** Results left alone, because a later batch had replaced these results. */
  kept: number;
  /** The first 1000 results counted in `kept`, by bib. `listResultBatchChanges` lists all. */
  kept_rows: {
    /** Id of the registration. It stays when the bib changes. */
    inscription_id: string;
    /** Bib number. */
    bib_number: string | null;
    /** The batch that the result comes from. Null if the result was deleted in the database. */
    batch_id: string | null;
  }[];
}

/** Two runners with exchanged results. */
export interface ResultSwap {
  /** The batch of the swap. Revert this batch to swap back. Null for a dry run. */
  batch_id: string | null;
  /** The two runners, in the order of `bib_numbers`. */
  results: {
    /** Id of the registration. It stays when the bib changes. */
    inscription_id: string;
    /** Bib number. */
    bib_number: string;
    /** The result before. Null without one. */
    before: ResultContent | null;
    /** The result now: the result of the second runner. Null if the second runner had no result. */
    after: ResultContent | null;
  }[];
  /** Swapped passings of both runners together. */
  passings: number;
}

/** What the live board of an event shows. */
export interface Board {
  /** Id of the event. */
  event_id: string;
  /** Name of the event. */
  name: string;
  /** City of the event. */
  city: string;
  /** Start of the event. */
  event_date: string;
  /** The IANA time zone of the event’s place, as the organization wrote the zone. */
  time_zone: string | null;
  /** How much of the names the board shows. `none`: only bibs. `initials`: the given name and the initial of the surname. `full`: the whole names, before the start too. Very many long names become initials. */
  board_names: Extensible<'none' | 'initials' | 'full'>;
  /** The short address of the board: `/b/` and these characters lead to the board. Case and hyphen do not count. Null until the board is first switched on. */
  board_code: string | null;
  /** The rule that places follow. `chip`: by chip time. `gun`: by gun time. `gun_overall`: by gun time, and within the category by chip time. */
  rank_by: Extensible<RankingRule>;
  /** The starts in the order in which they were told. A start with distance and bibs claims a runner first, then one with bibs, then one with a distance, then the start of all runners. Empty: no start was told. */
  starts: EventStart[];
  /** Time at which a result was last written. Null without results. */
  changed_at: string | null;
  /** The last official version of the results. Null while they are provisional. */
  official: {
    /** Number of the version. */
    version: number;
    /** The moment whose results these are. */
    made_at: string;
    /** `official` while the results are those of the version. */
    state: Extensible<OfficialState>;
    /** The results that differ from the version. Null without such a result: a group, a split or the rule may differ. */
    changes: {
      /** How many results changed. */
      total: number;
      /** The first changed results, by bib. */
      first: {
        /** Bib number. */
        bib_number: string | null;
        /** The result of the version. Null if there was none. */
        before: {
          /** Outcome of the race. */
          status: Extensible<ResultStatus>;
          /** Net time, as `HH:MM:SS.mmm`. */
          chip_time: string | null;
          /** Gross time, as `HH:MM:SS.mmm`. */
          gun_time: string | null;
        } | null;
        /** The result now. Null if it was removed. */
        after: {
          /** Outcome of the race. */
          status: Extensible<ResultStatus>;
          /** Net time, as `HH:MM:SS.mmm`. */
          chip_time: string | null;
          /** Gross time, as `HH:MM:SS.mmm`. */
          gun_time: string | null;
        } | null;
      }[];
    } | null;
  } | null;
  /** The races, in the order of their distances, that of the runners without a distance last. */
  races: BoardRace[];
}

/** The race of one distance. */
export interface BoardRace {
  /** Distance of the race. Null for runners without one. */
  distance: string | null;
  /** Runners who may arrive: runners with a payment or a result, except DNS. */
  entered: number;
  /** Results by status. A status without results is 0. */
  counts: {
    /** Finishers. */
    FINISHED: number;
    /** Runners who did not finish. */
    DNF: number;
    /** Runners who did not start. */
    DNS: number;
    /** Disqualified runners. */
    DSQ: number;
  };
  /** The last arrivals, the latest one first. */
  arrivals: BoardArrival[];
  /** The first finishers by place. */
  leaders: BoardRunner[];
  /** The genders of the race. */
  genders: BoardGroup[];
  /** The categories of each gender. */
  categories: BoardGroup[];
}

/** A finisher in the order of arrival. */
export interface BoardArrival extends BoardRunner {
  /** Time at which the runner first had a finish. A correction does not move it. */
  arrived_at: string;
}

/** A finisher in a list of the board. */
export interface BoardRunner {
  /** Bib number. */
  bib_number: string | null;
  /** The first given name and the first letter of the surname, or the full name if the event shows full names. Null if the event shows no names, if this name is hidden, and, unless the event shows full names, until the runner has been seen in the race. */
  name: string | null;
  /** Registered gender. Null until the runner has been seen in the race. */
  gender: string | null;
  /** Registered category. Null until the runner has been seen in the race. */
  category: string | null;
  /** The time that the place is by, as `HH:MM:SS.mmm`. */
  time: string;
  /** Place among the finishers of the race and of the group that the list is about. Equal times share a place. */
  place: number;
}

/** A gender of a race, or a category of a gender, with its leaders. */
export interface BoardGroup {
  /** Gender of the group. */
  gender: string | null;
  /** Category of the group. Null for the whole gender. */
  category: string | null;
  /** How many have finished. */
  finished: number;
  /** The first finishers by place. */
  leaders: BoardRunner[];
}

/** A result in the board’s list. */
export interface BoardEntry {
  /** Bib number. */
  bib_number: string | null;
  /** The first given name and the first letter of the surname, or the full name if the event shows full names. Null if the event shows no names, if this name is hidden, and, unless the event shows full names, until the runner has been seen in the race. */
  name: string | null;
  /** Registered gender. Null until the runner has been seen in the race. */
  gender: string | null;
  /** Registered category. Null until the runner has been seen in the race. */
  category: string | null;
  /** Outcome of the race. */
  status: Extensible<ResultStatus>;
  /** The time that the place is by, as `HH:MM:SS.mmm`. */
  time: string | null;
  /** Place in the race of the distance; in a list of a gender, within the gender; in a list of a category, within the category and gender. Equal times share a place. Null unless finished. */
  place: number | null;
  /** Distance of the race. Null for runners without one. */
  distance: string | null;
}

/** A runner on the board. Until the runner has been seen in the race, only the bib and the distance are public. */
export interface BoardResult {
  /** Bib number. */
  bib_number: string | null;
  /** The first given name and the first letter of the surname, or the full name if the event shows full names. Null if the event shows no names, if this name is hidden, and, unless the event shows full names, until the runner has been seen in the race. */
  name: string | null;
  /** Registered gender. Null until the runner has been seen in the race. */
  gender: string | null;
  /** Registered category. Null until the runner has been seen in the race. */
  category: string | null;
  /** Distance of the race. Null for runners without one. */
  distance: string | null;
  /** Outcome of the race. Null until the result arrives. */
  status: Extensible<ResultStatus> | null;
  /** The rule that places follow. `chip`: by chip time. `gun`: by gun time. `gun_overall`: by gun time, and within the category by chip time. */
  rank_by: Extensible<RankingRule>;
  /** Net time, from start line to finish, as `HH:MM:SS.mmm`. */
  chip_time: string | null;
  /** Gross time, from gun to finish, as `HH:MM:SS.mmm`. */
  gun_time: string | null;
  /** Time behind the fastest of the race, as `HH:MM:SS.mmm`. */
  gap: string | null;
  /** Place among the finishers of the race, and how many they are. Null without a place. */
  overall: {
    /** The place. Equal times share one. */
    place: number;
    /** How many have finished. */
    of: number;
  } | null;
  /** Place among the finishers of the same gender of the race, and how many they are. Null without a place. */
  in_gender: {
    /** The place. Equal times share one. */
    place: number;
    /** How many have finished. */
    of: number;
  } | null;
  /** Place among the finishers of the same category and gender of the race, and how many they are. Null without a place. */
  in_category: {
    /** The place. Equal times share one. */
    place: number;
    /** How many have finished. */
    of: number;
  } | null;
  /** When the gun of the runner’s start goes off. Null if nobody told it. */
  starts_at: string | null;
  /** Time from the gun to the start line; null if nobody knows it. If it is known, all splits are since the runner’s own start. If not, those of passings are since the gun, as `HH:MM:SS.mmm`. */
  start_delay: string | null;
  /** The splits in the order of the points that the organization told, else in order of time. */
  splits: {
    /** Name of the point. */
    name: string;
    /** Time since the start, as `HH:MM:SS.mmm`. */
    time: string;
    /** When the runner was there. Null if nobody told the start, or if a split is since a start line that nobody timed. */
    passed_at: string | null;
    /** Place among the runners of the race at the point, by the time since the gun. Null for a split without a passing, and for a runner who did not start. */
    place: number | null;
  }[];
  /** Place among the runners of the race at the last of the splits, by the time since the gun. Null with a result, and before the first point. */
  place_at_last_point: number | null;
  /** The changes of the result, the first one first. They name no person and no key. */
  history: {
    /** What happened. `reverted`: somebody took an upload back. */
    what: Extensible<'sent' | 'corrected' | 'removed' | 'reverted'>;
    /** When. Null for a removal whose upload was deleted. */
    at: string | null;
    /** The reason, as the author wrote the text. */
    reason: string | null;
  }[];
  /** Time at which a result was last written. Null without results. */
  changed_at: string | null;
}

/** A timing point of a race before the finish. */
export interface BoardPoint {
  /** Distance of the race. Null for runners without one. */
  distance: string | null;
  /** Name of the point. */
  point: string;
  /** Place of the point on the course of the race, from 1. */
  order: number;
  /** Kilometres from the start. Null if neither the organizer nor the name states the kilometres. */
  km: number | null;
  /** Number of runners of the race who have passed. 0 for a point that the organization told and nobody has passed. */
  passed: number;
  /** The fastest at the point. */
  first: BoardPassing[];
  /** The slowest runners who have passed, the latest runner first. */
  latest: BoardPassing[];
}

/** A runner at a point of the course. */
export interface BoardPassing {
  /** Bib number. */
  bib_number: string | null;
  /** The first given name and the first letter of the surname, or the full name if the event shows full names. Null if the event shows no names, if this name is hidden, and, unless the event shows full names, until the runner has been seen in the race. */
  name: string | null;
  /** Registered gender. Null until the runner has been seen in the race. */
  gender: string | null;
  /** Registered category. Null until the runner has been seen in the race. */
  category: string | null;
  /** Time since the start, as `HH:MM:SS.mmm`. */
  time: string;
}

/** An organization that runs events. */
export interface Organization {
  /** Id of the organization. */
  id: string;
  /** Name of the organization. */
  name: string;
}

/** An event of the organization with its counts and the settings of its live board. */
export interface OrganizationEvent {
  /** Id of the event. */
  id: string;
  /** Name of the event. */
  name: string;
  /** Date and time of the event, in UTC. */
  event_date: string;
  /** Current status. `open`: registration is open. `scheduled`: registration is not yet open. `closed`: registration is over. `past`: the event has happened. `inactive`: the event is inactive. */
  status: Extensible<EventStatus>;
  /** City of the event. */
  city: string;
  /** The IANA time zone of the event’s place, as the organization wrote the zone. */
  time_zone: string | null;
  /** When the first gun of the event goes off. Null until somebody sends the starts. */
  first_start_at: string | null;
  /** Whether everybody can open the live board of the event. */
  board_enabled: boolean;
  /** How much of the names the board shows. `none`: only bibs. `initials`: the given name and the initial of the surname. `full`: the whole names, before the start too. Very many long names become initials. */
  board_names: Extensible<'none' | 'initials' | 'full'>;
  /** The short address of the board: `/b/` and these characters lead to the board. Case and hyphen do not count. Null until the board is first switched on. */
  board_code: string | null;
  /** Registrations that are paid and not cancelled. */
  paid_inscriptions: number;
  /** Stored results. */
  total_results: number;
  /** The rule that `position_distance`, `position_distance_gender` and `position_distance_category` follow, and the order of lists. `chip`: by chip time. `gun`: by gun time. `gun_overall`: by gun time, and within the category by chip time. Without a chip time, a runner is ranked by gun time, and vice versa. */
  ranking_rule: Extensible<RankingRule>;
  /** Which places have a prize. `all`: each place. `overall_leaves_category`: the first three of a distance and of each gender leave the prizes of their category to the next runners. Places stay. */
  prizes: Extensible<'all' | 'overall_leaves_category'>;
  /** The latest upload, revert or deletion. Null if there was none. */
  latest_batch: LatestBatch | null;
  /** When a user last changed the event, as `listEventChanges` lists the changes. Null if nobody has. */
  latest_change_at: string | null;
}

/** The latest batch of an event. */
export interface LatestBatch {
  /** How the batch came, as in `ResultBatch`. */
  source: Extensible<BatchSource>;
  /** The user who made the batch in the panel. Null for a key. */
  user_id: string | null;
  /** Name of the file. Null if the client sent no name. */
  file_name: string | null;
  /** Rows processed. */
  total_processed: number;
  /** Time of the request. */
  received_at: string;
  /** The runners, if a person decided the batch and the batch has one row or two. Empty otherwise. */
  runners: BatchRunner[];
  /** Whether the batch exchanged the results of two runners. */
  is_swap: boolean;
}

/** A runner whose result a batch changed. */
export interface BatchRunner {
  /** Bib number. */
  bib_number: string | null;
  /** Given names, as registered. */
  given_names: string | null;
  /** Surnames, as registered. */
  surnames: string | null;
}

/** The rule of an event, and the effect of a different rule. */
export interface EventRanking {
  /** The rule that `position_distance`, `position_distance_gender` and `position_distance_category` follow, and the order of lists. `chip`: by chip time. `gun`: by gun time. `gun_overall`: by gun time, and within the category by chip time. Without a chip time, a runner is ranked by gun time, and vice versa. */
  rank_by: Extensible<RankingRule>;
  /** Finishers without a chip time, ranked by gun time. */
  finishers_without_chip_time: number;
  /** Finishers without a gun time, ranked by chip time. */
  finishers_without_gun_time: number;
  /** Finishers with a changed place within the distance. */
  runners: number;
  /** The groups in which the first three change. */
  podiums: {
    /** The distance. Null: the runners without a distance. */
    distance: string | null;
    /** The gender. Null: runners of all genders, or a category of runners without a gender. */
    gender: string | null;
    /** The category within the gender, or null for a group of all categories. */
    category: string | null;
    /** The first runners of the group with a changed place among the first three, by the new place. */
    runners: {
      /** Bib number. */
      bib_number: string | null;
      /** Given names, as registered. */
      given_names: string | null;
      /** Surnames, as registered. */
      surnames: string | null;
      /** The place under the present rule. */
      before: number;
      /** The place under the different rule. */
      after: number;
    }[];
  }[];
}

/** A change of an event in the panel. */
export interface EventChange {
  /** The kind of change. `ranking_rule`: the rule of ranking. `prizes`: which places have a prize. `board_enabled` and `board_names`: a setting of the board. `board_code`: the short address of the board. `hidden_name` and `hidden_distance`: a name, or the names of a distance, on the board. `official_version`: the results were made official. `starts` and `points`: the starts and the timing points, as JSON. */
  kind: Extensible<
    | 'ranking_rule'
    | 'board_enabled'
    | 'board_names'
    | 'board_code'
    | 'hidden_name'
    | 'hidden_distance'
    | 'prizes'
    | 'official_version'
    | 'starts'
    | 'points'
  >;
  /** The value before. */
  before: string | null;
  /** The value since. */
  after: string | null;
  /** The user of the change. Null for a key. */
  user_id: string | null;
  /** The beginning of the key of the change. Null for a user. */
  key_prefix: string | null;
  /** The reason, in the words of the user. */
  reason: string | null;
  /** When. */
  changed_at: string;
}

/** A page of runners. */
export interface Runners {
  /** The runners. */
  data: Runner[];
  meta: Meta;
  /** The groups of those who have paid, without the filters. Each gender comes before its categories. At most 500 groups: the genders of all distances first. */
  groups: RunnerGroup[];
}

/** A runner of the event with the stored result. */
export interface Runner {
  /** Id of the registration. It stays when the bib changes. */
  inscription_id: string;
  /** Bib number. Null only in a list of the runners who lack a result or data. */
  bib_number: string | null;
  /** Status of the registration. Who may start is `PAID`. */
  inscription_status: Extensible<'PENDING' | 'PAID' | 'CANCELLED'>;
  /** Given names, as registered. */
  given_names: string | null;
  /** Surnames, as registered. */
  surnames: string | null;
  /** Registered gender. */
  gender: string | null;
  /** Registered category. */
  category: string | null;
  /** Registered distance. */
  distance: string | null;
  /** Whether the live board never shows the name. */
  name_is_hidden: boolean;
  /** The stored result. Null without a result. */
  result: ResultContent | null;
  /** The present version of the result: the batch that stored the result, brought the result back or took the result away. Null if the runner never had a result. */
  version: string | null;
  /** Split times by split name, `HH:MM:SS.mmm`: the splits of the result, completed by the passings. A runner on the course has splits before the result. */
  splits: {
    [k: string]: string;
  };
  /** Position among the finishers of the same distance. Equal times share a position (1, 2, 2, 4). */
  position_distance: number | null;
  /** Position among the finishers of the same distance and gender. Equal times share a position (1, 2, 2, 4). */
  position_distance_gender: number | null;
  /** Position among the finishers of the same distance, gender and category. Runners without a gender count among themselves. Equal times share a position (1, 2, 2, 4). */
  position_distance_category: number | null;
  /** Time at which the result was last stored. */
  updated_at: string | null;
}

/** A gender of a distance, or a category of this gender. */
export interface RunnerGroup {
  /** Registered distance. */
  distance: string;
  /** Registered gender. */
  gender: string;
  /** Registered category. Null: all categories of the gender. */
  category: string | null;
}

/** A page of the runners on the course. */
export interface OnCourse {
  /** The runners on the course, the earliest time at the last point first. */
  data: OnCourseRunner[];
  meta: Meta;
  progress: RaceProgress;
}

/** A runner who is on the course. */
export interface OnCourseRunner {
  /** Id of the registration. It stays when the bib changes. */
  inscription_id: string;
  /** Bib number. Null if the registration has lost its bib. */
  bib_number: string | null;
  /** Given names, as registered. */
  given_names: string | null;
  /** Surnames, as registered. */
  surnames: string | null;
  /** Registered gender. */
  gender: string | null;
  /** Registered category. */
  category: string | null;
  /** Registered distance. */
  distance: string | null;
  /** The last point that saw the runner. */
  point: string;
  /** The time there since the gun, as `HH:MM:SS.mmm`. */
  time: string;
  /** When the runner was there. Null if nobody told the start. */
  passed_at: string | null;
  /** Seconds since then, by the clock of the server. Null if nobody told the start. */
  seconds_since: number | null;
  /** The place at the point among all who passed it, of the same distance, gender and category. Null without a category. */
  category_place_at_point: number | null;
  /** The next point of the course. Null: the finish. */
  next_point: string | null;
  /** The expected time there since the gun, by the pace up to the last point. Null for unknown kilometres. */
  next_time: string | null;
  /** When the runner is expected there. */
  next_at: string | null;
  /** The expected time at the finish since the gun. */
  finish_time: string | null;
  /** When the runner is expected at the finish. */
  finish_at: string | null;
}

/** How far a whole race is. */
export interface RaceProgress {
  /** Runners with a passing, or with a result other than `DNS`. */
  started: number;
  /** The points with passings, in the order of their fastest times. */
  points: PassedPoint[];
  /** Runners with a finish time. */
  finished: number;
  /** Runners on the course, without the filters. */
  on_course: number;
}

/** How many runners passed a point. */
export interface PassedPoint {
  /** Name of the point. */
  point: string;
  /** Runners who passed the point. */
  passed: number;
}

/** A result with its positions and the name of the runner. */
export interface NamedResult extends ExportedResult {
  /** Given names, as registered. */
  given_names: string | null;
  /** Surnames, as registered. */
  surnames: string | null;
}

/** How a file would be read, as the panel shows it. */
export interface OrganizationResultsFilePreview {
  /** Encoding of the file. `windows-1252` includes latin-1. */
  encoding: string;
  /** The character between the cells. */
  delimiter: string;
  /** Line of the header. 0 if the file has no header. */
  header_line: number;
  /** The columns of the file, in order. */
  columns: PreviewColumn[];
  counts: PreviewCounts;
  /** The first rows, at most 10, and both rows of the first 5 bibs that stand twice. */
  rows: PreviewRow[];
  /** The first stored results that would change, at most 10. */
  changes: PreviewChange[];
  /** The first rows that the upload would leave to a person, at most 1000. */
  left: OrganizationLeftResult[];
  /** The first rows that would fail, at most 10. */
  failed: ResultFailure[];
  /** Facts that a person should check: first about the suggestion, then about the sent parameters, then about the event. */
  warnings: PreviewWarning[];
  /** The parameters for the upload, if nothing speaks against their results. Null if a person has to decide: `choices` of the warnings then has a query for each answer. */
  suggestion: {
    /** Query parameters for the upload, ready to be put behind `?`. Empty if no parameter is needed. */
    query: string;
    /** How the suggestion reads the file, for people. */
    why: string;
  } | null;
}

/** A row that would be left to a person, as the panel shows such a row. */
export interface OrganizationLeftResult extends LeftResult {
  /** Given names, as registered. */
  given_names: string | null;
  /** Surnames, as registered. */
  surnames: string | null;
  /** Why, in the words of whoever decided. Null if none was given. */
  reason: string | null;
}

/** A corrected result, or the first one of a runner. */
export interface ResultCorrection {
  /** The new batch that the correction is. Revert it to take the correction back. Null if nothing changed. */
  batch_id: string | null;
  /** Id of the registration. It stays when the bib changes. */
  inscription_id: string;
  /** Bib number. */
  bib_number: string;
  /** The result before the correction. Null if there was none. */
  before: ResultContent | null;
  after: ResultContent;
}

/** An upload, a revert or a deletion, as the panel shows it. */
export interface OrganizationResultBatch extends ResultBatch {
  /** The runners, if a person decided the batch and the batch has one row or two. Empty otherwise. */
  runners: BatchRunner[];
  /** Whether the batch exchanged the results of two runners. */
  is_swap: boolean;
}

/** How a file of passings would be read, as the panel shows the preview. */
export interface OrganizationPassingsFilePreview {
  /** Encoding of the file. `windows-1252` includes latin-1. */
  encoding: string;
  /** The character between the cells. */
  delimiter: string;
  /** Line of the header. 0 if the file has no header. */
  header_line: number;
  /** The columns of the file, in order. */
  columns: PreviewColumn[];
  counts: PassingPreviewCounts;
  /** The first rows, at most 10, and both rows of the first 5 bibs that stand twice. */
  rows: PassingPreviewRow[];
  /** The first rows that the upload would leave to a person, at most 1000. */
  left: OrganizationLeftPassing[];
  /** The first rows that would fail, at most 10. */
  failed: ResultFailure[];
  /** Facts that a person should check: first about the suggestion, then about the sent parameters, then about the event. */
  warnings: PreviewWarning[];
  /** The parameters for the upload, if nothing speaks against their results. Null if a person has to decide: `choices` of the warnings then has a query for each answer. */
  suggestion: {
    /** Query parameters for the upload, ready to be put behind `?`. Empty if no parameter is needed. */
    query: string;
    /** How the suggestion reads the file, for people. */
    why: string;
  } | null;
}

/** A row that would be left to a person, as the panel shows such a row. */
export interface OrganizationLeftPassing extends LeftPassing {
  /** Given names, as registered. */
  given_names: string | null;
  /** Surnames, as registered. */
  surnames: string | null;
  /** Why, in the words of whoever decided. Null if none was given. */
  reason: string | null;
}

/** A runner whose name the live board never shows. */
export interface HiddenName {
  /** Id of the registration. It stays when the bib changes. */
  inscription_id: string;
  /** Bib number. Null if the registration has lost its bib. */
  bib_number: string | null;
  /** Given names, as registered. */
  given_names: string | null;
  /** Surnames, as registered. */
  surnames: string | null;
}

/** A distance, and whether the board shows its names. */
export interface BoardDistance {
  /** The distance. */
  distance: string;
  /** Registrations of the distance that are not cancelled. */
  runners: number;
  /** Whether the board never shows the names of these runners. */
  is_hidden: boolean;
}

/** A key of the organization, without its secret. */
export interface ApiKeyRecord {
  /** Id of the key. */
  id: string;
  /** Name of the key. */
  name: string;
  /** The only event that the key may ask for. Null if it may ask for all events of the organization. */
  event_id: string | null;
  /** First 12 characters of the key. They identify it. */
  key_prefix: string;
  /** Scopes of the key. */
  scopes: Extensible<Scope>[];
  /** Last use, to the minute. Null if the key was never used. */
  last_used_at: string | null;
  /** False once the key is revoked. An expired key stays true: check `expires_at` too. */
  is_active: boolean;
  /** Expiry. Null if the key never expires. */
  expires_at: string | null;
  /** Time of revocation. Null if the key is not revoked. */
  revoked_at: string | null;
  /** Time of creation. */
  created_at: string;
  /** The user who created the key. Null if the history does not say it. */
  created_by: string | null;
}

/** A new key. */
export interface CreatedApiKey extends RotatedApiKey {
  /** A reminder for people to save the key now. */
  message: string;
}

/** A creation, renaming, rotation or revocation of a key. */
export interface ApiKeyEvent {
  /** What happened to the key. */
  kind: Extensible<'created' | 'renamed' | 'rotated' | 'revoked'>;
  /** The only event that the key may ask for. Null if it may ask for all events of the organization. */
  event_id: string | null;
  /** First 12 characters of the key after the event. */
  key_prefix: string;
  /** The user who did it, by the id in the panel. */
  actor: string;
  /** Time of the event. */
  occurred_at: string;
}

/** What a key did on each of the last days. */
export interface ApiKeyUses {
  /** The last 14 days, the newest first. */
  days: {
    /** The day, of UTC. */
    day: string;
    /** Requests of the key, the refused ones included. */
    requests: number;
    /** Requests that were answered with personal data. */
    personal_reads: number;
    /** How many requests were refused with each code. */
    refusals: {
      [k: string]: number;
    };
    /** False if the counter was away for some time of the day: more may have happened than these numbers say. */
    is_complete: boolean;
  }[];
}

/** A key with its new secret. */
export interface RotatedApiKey extends ApiKeyRecord {
  /** The full key. It is shown only in this answer, and the service does not store it. */
  api_key: string;
}

/** The answer of each operation. The answer of a list or an export is one of its items. */
export interface Answers {
  listEvents: Event;
  getEvent: Event;
  listEventParticipants: Participant;
  exportEventParticipants: Participant;
  getEventParticipant: Participant;
  lookupEventParticipants: ParticipantLookup;
  exportEventStartList: StartListEntry;
  getEventStats: EventStats;
  getEventStarts: EventStarts;
  putEventStarts: EventStartsStored;
  getEventPoints: EventPoints;
  putEventPoints: EventPoints;
  getEventWarnings: EventWarnings;
  listEventPassings: Passing;
  uploadEventPassings: PassingsUploadOut;
  deleteEventPassings: PassingDeletion;
  exportEventPassings: ExportedPassing;
  listEventPassingPoints: PassingPoint;
  uploadEventPassingsFile: PassingsUploadOut;
  previewEventPassingsFile: PassingsFilePreview;
  listPassingUploads: PassingUpload;
  revertPassingUpload: PassingUploadReversal;
  listEventResults: Result;
  uploadEventResults: ResultsUploadOut;
  exportEventResults: ExportedResult;
  getEventResult: Result;
  deleteEventResult: ResultDeletion;
  listMissingResults: MissingResult;
  listOfficialResults: OfficialResults;
  getOfficialResults: string;
  uploadEventResultsFile: ResultsUploadOut;
  previewEventResultsFile: ResultsFilePreview;
  listResultBatches: ResultBatch;
  listResultBatchChanges: ResultChange;
  listEventResultVersions: ResultVersion;
  revertResultBatch: ResultBatchReversal;
  swapEventResults: ResultSwap;
  getBoard: Board;
  listBoardResults: BoardEntry;
  getBoardRunner: BoardResult;
  listBoardPoints: BoardPoint;
  getOrganization: Organization;
  listOrganizationEvents: OrganizationEvent;
  getOrganizationEvent: OrganizationEvent;
  updateEventBoard: OrganizationEvent;
  renewBoardCode: OrganizationEvent;
  getEventRanking: EventRanking;
  updateEventRanking: OrganizationEvent;
  listEventChanges: EventChange;
  getOrganizationEventStarts: EventStarts;
  putOrganizationEventStarts: EventStartsStored;
  getOrganizationEventPoints: EventPoints;
  putOrganizationEventPoints: EventPoints;
  getOrganizationEventWarnings: EventWarnings;
  listOrganizationEventRunners: Runners;
  getOrganizationEventOnCourse: OnCourse;
  listOrganizationResultVersions: ResultVersion;
  exportOrganizationEventResults: NamedResult;
  uploadOrganizationEventResultsFile: ResultsUploadOut;
  previewOrganizationEventResultsFile: OrganizationResultsFilePreview;
  correctOrganizationEventResult: ResultCorrection;
  deleteOrganizationEventResult: ResultDeletion;
  listOrganizationResultBatches: OrganizationResultBatch;
  listOrganizationResultBatchChanges: ResultChange;
  revertOrganizationResultBatch: ResultBatchReversal;
  swapOrganizationEventResults: ResultSwap;
  uploadOrganizationEventPassingsFile: PassingsUploadOut;
  previewOrganizationEventPassingsFile: OrganizationPassingsFilePreview;
  listOrganizationEventPassingPoints: PassingPoint;
  deleteOrganizationEventPassings: PassingDeletion;
  listOrganizationPassingUploads: PassingUpload;
  revertOrganizationPassingUpload: PassingUploadReversal;
  listOrganizationOfficialResults: OfficialResults;
  makeResultsOfficial: OfficialResults;
  getOrganizationOfficialResults: string;
  listHiddenNames: HiddenName;
  hideName: undefined;
  showName: undefined;
  listHiddenDistances: BoardDistance;
  hideDistance: BoardDistance;
  showDistance: BoardDistance;
  listApiKeys: ApiKeyRecord;
  createApiKey: CreatedApiKey;
  listApiKeyEvents: ApiKeyEvent;
  getApiKeyUses: ApiKeyUses;
  rotateApiKey: RotatedApiKey;
  renameApiKey: ApiKeyRecord;
  revokeApiKey: undefined;
}
