import type { ApiKeyEvent, ApiKeyRecord } from './answer-schemas.ts';
import type { KeyEventRow, KeyRow } from './queries.ts';

/** The panel's form of a key. An expired key stays active: `is_active` is false only after revocation. */
export const toApiKeyRecord = (row: KeyRow): ApiKeyRecord => ({
  id: row.id,
  name: row.name,
  key_prefix: row.key_prefix,
  scopes: row.scopes,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  is_active: row.revoked_at === null,
  expires_at: row.expires_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  created_by: row.created_by,
});

export const toApiKeyEvent = (row: KeyEventRow): ApiKeyEvent => ({
  ...row,
  occurred_at: row.occurred_at.toISOString(),
});
