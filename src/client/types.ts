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
  page?: number | undefined;
  page_size?: number | undefined;
}

export interface LookupQuery {
  page?: number | undefined;
  page_size?: number | undefined;
  bib?: string | undefined;
  chip?: string | undefined;
  document?: string | undefined;
}

export interface ResultIn {
  bib_number: string | number;
  chip_time?: string | null | undefined;
  gun_time?: string | null | undefined;
  time?: string | null | undefined;
  status?: string | null | undefined;
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
  name: string;
  scopes: readonly (
    | 'events:read'
    | 'participants:read'
    | 'inscriptions:read'
    | 'stats:read'
    | 'payments:read'
    | 'results:write'
  )[];
  expires_at?: string | null | undefined;
}

export interface Event {
  id: string;
  name: string;
  event_date: string;
  status: 'open' | 'scheduled' | 'closed' | 'past' | 'inactive';
  city: string;
}

export interface Participant {
  inscription_id: string;
  given_names: string | null;
  surnames: string | null;
  document: string | null;
  email: string | null;
  mobile_phone: string | null;
  bib_number: string | null;
  distance: string | null;
  category: string | null;
  kit_status: ('PENDING' | 'READY' | 'DELIVERED') | null;
}

export interface ParticipantLookup {
  inscription_id: string;
  bib_number: string | null;
  chip: string | null;
  full_name: string | null;
  gender: string | null;
  category: string | null;
  distance: string | null;
  kit_status: ('PENDING' | 'READY' | 'DELIVERED') | null;
  document: string | null;
}

export interface EventStats {
  event_id: string;
  total_inscriptions: number;
  paid_inscriptions: number;
  total_participants: number;
  by_status: {
    [k: string]: number;
  };
  by_distance: {
    distance: string;
    count: number;
  }[];
  by_category: {
    category: string;
    count: number;
  }[];
  by_kit_status: {
    [k: string]: number;
  };
  by_gender: {
    [k: string]: number;
  };
}

export interface ResultFailure {
  row: number;
  bib_number: string | null;
  reason: string;
  item?: {
    [k: string]: unknown;
  };
}

export interface ResultsUploadOut {
  batch_id: string;
  total_processed: number;
  uploaded: number;
  updated: number;
  not_found: number;
  errors: number;
  duplicates: number;
  splits_detected: string[];
  failed: ResultFailure[];
}

export interface ApiKeyRecord {
  id: string;
  name: string;
  key_prefix: string;
  scopes: (
    | 'events:read'
    | 'participants:read'
    | 'inscriptions:read'
    | 'stats:read'
    | 'payments:read'
    | 'results:write'
  )[];
  last_used_at: string | null;
  is_active: boolean;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
}

export interface RotatedApiKey {
  id: string;
  name: string;
  key_prefix: string;
  scopes: (
    | 'events:read'
    | 'participants:read'
    | 'inscriptions:read'
    | 'stats:read'
    | 'payments:read'
    | 'results:write'
  )[];
  last_used_at: string | null;
  is_active: boolean;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
  api_key: string;
}

export interface CreatedApiKey {
  id: string;
  name: string;
  key_prefix: string;
  scopes: (
    | 'events:read'
    | 'participants:read'
    | 'inscriptions:read'
    | 'stats:read'
    | 'payments:read'
    | 'results:write'
  )[];
  last_used_at: string | null;
  is_active: boolean;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
  api_key: string;
  message: string;
}
