import type { apiKeys } from '../db/schema.ts';
import type { ApiKeyRecord } from './schemas.ts';

export type ApiKeyRow = Omit<typeof apiKeys.$inferSelect, 'organization_id' | 'key_hash'>;

/** The panel's form of a key. An expired one is active still: its expiry says what it is. */
export const toApiKeyRecord = (row: ApiKeyRow): ApiKeyRecord => ({
  id: row.id,
  name: row.name,
  key_prefix: row.key_prefix,
  scopes: row.scopes,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  is_active: row.revoked_at === null,
  expires_at: row.expires_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});
