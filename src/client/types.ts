// Generated from src/*/schemas.ts: change those, and run `npm run generate:client`.

export const ERROR_CODES = [
  'UNAUTHORIZED',
  'INSUFFICIENT_SCOPE',
  'NOT_FOUND',
  'VALIDATION_ERROR',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const;

/** What the API says went wrong, for a program to branch on. */
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface PageQuery {
  /**
   * Which page. One past the end is empty.
   */
  page?: number | undefined;
  /**
   * How many items a page holds.
   */
  page_size?: number | undefined;
}

export interface LookupQuery {
  /**
   * Which page. One past the end is empty.
   */
  page?: number | undefined;
  /**
   * How many items a page holds.
   */
  page_size?: number | undefined;
  /**
   * The whole bib number.
   */
  bib?: string | undefined;
  /**
   * The whole chip code.
   */
  chip?: string | undefined;
  /**
   * The whole document number.
   */
  document?: string | undefined;
}

export interface ResultQuery {
  /**
   * Which page. One past the end is empty.
   */
  page?: number | undefined;
  /**
   * How many items a page holds.
   */
  page_size?: number | undefined;
  /**
   * The gender, as registered.
   */
  gender?: string | undefined;
  /**
   * The category, as registered.
   */
  category?: string | undefined;
  /**
   * The distance, as registered.
   */
  distance?: string | undefined;
  /**
   * One of `FINISHED`, `DNS`, `DNF`, `DSQ`; lower case will do.
   */
  status?: string | undefined;
  /**
   * The whole bib number.
   */
  bib?: string | undefined;
}

/**
 * A result of one bib, as a row that loads looks. A FINISHED row has a chip time or a gun time; of any other, both are ignored.
 */
export interface ResultIn {
  /**
   * The bib of a registration. An integer is taken as its digits.
   */
  bib_number: string | number;
  /**
   * Net time, from the start line to the finish.
   */
  chip_time?: string | null | undefined;
  /**
   * Gross time, from the gun to the finish.
   */
  gun_time?: string | null | undefined;
  /**
   * Another name of `chip_time`, which goes first where both are sent.
   */
  time?: string | null | undefined;
  /**
   * How the race ended for the bib. Lower case will do.
   */
  status?: ('FINISHED' | 'DNS' | 'DNF' | 'DSQ') | null | undefined;
  /**
   * Times by the name of the split. A value that is no time is ignored.
   */
  splits?:
    | {
        [k: string]: string;
      }
    | null
    | undefined;
}

export interface ResultsUploadIn {
  results: readonly ResultIn[];
}

export interface ApiKeyIn {
  /**
   * What the key is for. Blanks at either end are dropped.
   */
  name: string;
  /**
   * What the key may do.
   */
  scopes: readonly (
    | 'events:read'
    | 'participants:read'
    | 'inscriptions:read'
    | 'stats:read'
    | 'payments:read'
    | 'results:write'
  )[];
  /**
   * When it stops working: an instant to come. Never, where there is none.
   */
  expires_at?: string | null | undefined;
}

/**
 * A sporting event of the organization.
 */
export interface Event {
  /**
   * Id of the event.
   */
  id: string;
  /**
   * Name of the event.
   */
  name: string;
  /**
   * Day and time of the start, in UTC.
   */
  event_date: string;
  /**
   * As of now: registration is `open`, not yet open (`scheduled`) or over (`closed`); the event has been (`past`) or was taken out of service (`inactive`).
   */
  status: 'open' | 'scheduled' | 'closed' | 'past' | 'inactive';
  /**
   * Where it takes place.
   */
  city: string;
}

/**
 * A paid registration, as it was filled in when registering: what was left out then is null. Personal data.
 */
export interface Participant {
  /**
   * Id of the registration.
   */
  inscription_id: string;
  /**
   * Given names.
   */
  given_names: string | null;
  /**
   * Surnames.
   */
  surnames: string | null;
  /**
   * Document number, unmasked.
   */
  document: string | null;
  /**
   * Email address.
   */
  email: string | null;
  /**
   * Mobile phone number.
   */
  mobile_phone: string | null;
  /**
   * Null until a bib is assigned.
   */
  bib_number: string | null;
  /**
   * Distance of the race.
   */
  distance: string | null;
  /**
   * Category of the race.
   */
  category: string | null;
  /**
   * Where the race kit is.
   */
  kit_status: ('PENDING' | 'READY' | 'DELIVERED') | null;
}

/**
 * A registration that is not cancelled, found by bib, chip or document.
 */
export interface ParticipantLookup {
  /**
   * Id of the registration.
   */
  inscription_id: string;
  /**
   * Null until a bib is assigned.
   */
  bib_number: string | null;
  /**
   * Code of the timing chip.
   */
  chip: string | null;
  /**
   * Given names and surnames.
   */
  full_name: string | null;
  /**
   * Gender, as registered.
   */
  gender: string | null;
  /**
   * Category of the race.
   */
  category: string | null;
  /**
   * Distance of the race.
   */
  distance: string | null;
  /**
   * Where the race kit is.
   */
  kit_status: ('PENDING' | 'READY' | 'DELIVERED') | null;
  /**
   * All but its last characters, at most 4 of them, are asterisks.
   */
  document: string | null;
}

/**
 * Figures of an event. The breakdowns count registrations in every state; one that lacks the datum is in the totals and in no part of its breakdown.
 */
export interface EventStats {
  /**
   * Id of the event.
   */
  event_id: string;
  /**
   * Registrations in any state.
   */
  total_inscriptions: number;
  /**
   * Registrations that are paid and not cancelled.
   */
  paid_inscriptions: number;
  /**
   * Distinct persons among all registrations.
   */
  total_participants: number;
  /**
   * Registrations by their status.
   */
  by_status: {
    /**
     * Registrations.
     */
    [k: string]: number;
  };
  /**
   * Registrations by distance, sorted by it.
   */
  by_distance: {
    /**
     * What they have in common.
     */
    distance: string;
    /**
     * Registrations.
     */
    count: number;
  }[];
  /**
   * Registrations by category, sorted by it.
   */
  by_category: {
    /**
     * What they have in common.
     */
    category: string;
    /**
     * Registrations.
     */
    count: number;
  }[];
  /**
   * Registrations by the state of their race kit.
   */
  by_kit_status: {
    /**
     * Registrations.
     */
    [k: string]: number;
  };
  /**
   * Registrations by gender.
   */
  by_gender: {
    /**
     * Registrations.
     */
    [k: string]: number;
  };
}

/**
 * A result with its positions. It holds no personal data.
 */
export interface Result {
  /**
   * Null where the bib was taken away.
   */
  bib_number: string | null;
  /**
   * How the race ended for the runner.
   */
  status: 'FINISHED' | 'DNS' | 'DNF' | 'DSQ';
  /**
   * Start line to finish, `HH:MM:SS.mmm`.
   */
  chip_time: string | null;
  /**
   * Gun to finish, `HH:MM:SS.mmm`.
   */
  gun_time: string | null;
  /**
   * Time of each split by its name, `HH:MM:SS.mmm`.
   */
  splits: {
    [k: string]: string;
  };
  /**
   * Gender, as registered.
   */
  gender: string | null;
  /**
   * Category, as registered.
   */
  category: string | null;
  /**
   * Distance, as registered.
   */
  distance: string | null;
  /**
   * Place among the finishers of the whole event; equal times share one (1, 2, 2, 4).
   */
  position_overall: number | null;
  /**
   * Place among the finishers of the same gender in the whole event; equal times share one (1, 2, 2, 4).
   */
  position_gender: number | null;
  /**
   * Place among the finishers of the same category in the whole event; equal times share one (1, 2, 2, 4).
   */
  position_category: number | null;
  /**
   * Place among the finishers of the same distance; in a list, only where it is filtered by distance; equal times share one (1, 2, 2, 4).
   */
  position_distance: number | null;
  /**
   * When the result was last uploaded.
   */
  updated_at: string;
}

/**
 * A row that did not load.
 */
export interface ResultFailure {
  /**
   * Of a JSON upload, its place in the array, the first being 1; of a CSV, the line of the file on which it starts, the header being line 1.
   */
  row: number;
  /**
   * The bib of the row, null where it has none.
   */
  bib_number: string | null;
  /**
   * Why it did not load, for people.
   */
  reason: string;
  /**
   * The row as it was sent, or as its cells were read; absent where it was no object.
   */
  item?: {
    [k: string]: unknown;
  };
}

/**
 * What became of the rows. `uploaded`, `updated`, `not_found`, `errors` and `duplicates` add up to `total_processed`.
 */
export interface ResultsUploadOut {
  /**
   * Id of this upload.
   */
  batch_id: string;
  /**
   * Rows of the upload.
   */
  total_processed: number;
  /**
   * Rows whose bib had no result yet.
   */
  uploaded: number;
  /**
   * Rows that replaced a result.
   */
  updated: number;
  /**
   * Rows whose bib nobody has.
   */
  not_found: number;
  /**
   * Rows that cannot be loaded as they are.
   */
  errors: number;
  /**
   * Rows that gave way to a later one of the same bib. They are not in `failed`.
   */
  duplicates: number;
  /**
   * Names of the splits in the rows that loaded, in order of appearance.
   */
  splits_detected: string[];
  /**
   * The rows behind `not_found` and `errors`, in row order. Correct these and send these alone; empty where everything loaded.
   */
  failed: ResultFailure[];
}

/**
 * A key of the organization; never the key itself.
 */
export interface ApiKeyRecord {
  /**
   * Id of the key.
   */
  id: string;
  /**
   * What the key is for.
   */
  name: string;
  /**
   * The first 12 characters of the key, to tell it from others.
   */
  key_prefix: string;
  /**
   * What the key may do.
   */
  scopes: (
    | 'events:read'
    | 'participants:read'
    | 'inscriptions:read'
    | 'stats:read'
    | 'payments:read'
    | 'results:write'
  )[];
  /**
   * When it was last used, to the minute; null before that.
   */
  last_used_at: string | null;
  /**
   * Whether it has not been revoked. Past its `expires_at` it does not work either.
   */
  is_active: boolean;
  /**
   * When it stops working; null where it never does.
   */
  expires_at: string | null;
  /**
   * When it was revoked; null where it was not.
   */
  revoked_at: string | null;
  /**
   * When it was made.
   */
  created_at: string;
}

/**
 * A key with its new secret.
 */
export interface RotatedApiKey {
  /**
   * Id of the key.
   */
  id: string;
  /**
   * What the key is for.
   */
  name: string;
  /**
   * The first 12 characters of the key, to tell it from others.
   */
  key_prefix: string;
  /**
   * What the key may do.
   */
  scopes: (
    | 'events:read'
    | 'participants:read'
    | 'inscriptions:read'
    | 'stats:read'
    | 'payments:read'
    | 'results:write'
  )[];
  /**
   * When it was last used, to the minute; null before that.
   */
  last_used_at: string | null;
  /**
   * Whether it has not been revoked. Past its `expires_at` it does not work either.
   */
  is_active: boolean;
  /**
   * When it stops working; null where it never does.
   */
  expires_at: string | null;
  /**
   * When it was revoked; null where it was not.
   */
  revoked_at: string | null;
  /**
   * When it was made.
   */
  created_at: string;
  /**
   * The key, shown this once. It is stored nowhere.
   */
  api_key: string;
}

/**
 * A new key.
 */
export interface CreatedApiKey {
  /**
   * Id of the key.
   */
  id: string;
  /**
   * What the key is for.
   */
  name: string;
  /**
   * The first 12 characters of the key, to tell it from others.
   */
  key_prefix: string;
  /**
   * What the key may do.
   */
  scopes: (
    | 'events:read'
    | 'participants:read'
    | 'inscriptions:read'
    | 'stats:read'
    | 'payments:read'
    | 'results:write'
  )[];
  /**
   * When it was last used, to the minute; null before that.
   */
  last_used_at: string | null;
  /**
   * Whether it has not been revoked. Past its `expires_at` it does not work either.
   */
  is_active: boolean;
  /**
   * When it stops working; null where it never does.
   */
  expires_at: string | null;
  /**
   * When it was revoked; null where it was not.
   */
  revoked_at: string | null;
  /**
   * When it was made.
   */
  created_at: string;
  /**
   * The key, shown this once. It is stored nowhere.
   */
  api_key: string;
  /**
   * Says, to people, to save the key now.
   */
  message: string;
}
