import type { ApiKeyRecord } from '../../../../../worker/api-keys/answer-schemas.ts';

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;

type KeyState = (typeof KEY_STATES)[number];

const SOON_MS = 7 * 24 * 60 * 60 * 1_000;

export function stateOf({ is_active, expires_at }: ApiKeyRecord): KeyState {
  if (!is_active) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

/** Whether a key stops within a week. */
export const endsSoon = (key: ApiKeyRecord) =>
  stateOf(key) === 'active' &&
  key.expires_at !== null &&
  Date.parse(key.expires_at) - Date.now() < SOON_MS;

export const usedAt = ({ last_used_at }: ApiKeyRecord) =>
  last_used_at === null ? 0 : Date.parse(last_used_at);
