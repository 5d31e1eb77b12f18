import type { apiKeyEvents, apiKeys } from '../db/schema.ts';
import type { ApiKeyEvent, ApiKeyRecord } from './answer-schemas.ts';

type ApiKeyRow = Omit<typeof apiKeys.$inferSelect, 'organization_id' | 'key_hash'> & {
  created_by: string | null;
};

/** The panel's form of a key. An expired key stays active: `is_active` is false only after revocation. */
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
  created_by: row.created_by,
});

type EventRow = Pick<
  typeof apiKeyEvents.$inferSelect,
  'kind' | 'key_prefix' | 'actor' | 'occurred_at'
>;

export const toApiKeyEvent = (row: EventRow): ApiKeyEvent => ({
  ...row,
  occurred_at: row.occurred_at.toISOString(),
});
