import * as z from 'zod';
import { API_KEY_EVENT_KINDS } from '../db/sql.ts';
import { ERROR_CODES } from '../errors.ts';
import {
  field,
  id,
  idOrNull,
  instant,
  instantOrNull,
  text,
  textOrNull,
} from '../http/answer-schemas.ts';
import { USES_DAYS } from '../rate-limit/uses.ts';
import { SCOPES } from '../scopes.ts';

const KEY_PREFIX = 'er_live_Exam';
const CREATED_AT = '2027-01-04T09:00:00.000Z';

const keyEvent = idOrNull(
  'The only event that the key may ask for. Null if it may ask for all events of the organization.',
  null,
);

/** A key as the panel shows a key, without the secret and the hash. */
export const ApiKeyRecord = z
  .object({
    id: id('Id of the key.', 'c0000000-0000-4000-8000-000000000001'),
    name: text('Name of the key.', 'Timing van'),
    event_id: keyEvent,
    key_prefix: text('First 12 characters of the key. They identify it.', KEY_PREFIX),
    scopes: field(z.array(z.enum(SCOPES)), 'Scopes of the key.', ['events:read', 'results:write']),
    last_used_at: instantOrNull('Last use, to the minute. Null if the key was never used.', null),
    is_active: field(
      z.boolean(),
      'False once the key is revoked. An expired key stays true: check `expires_at` too.',
      true,
    ),
    expires_at: instantOrNull('Expiry. Null if the key never expires.', '2100-01-01T04:59:59.000Z'),
    revoked_at: instantOrNull('Time of revocation. Null if the key is not revoked.', null),
    created_at: instant('Time of creation.', CREATED_AT),
    created_by: textOrNull(
      'The user who created the key. Null if the history does not say it.',
      'user-17',
    ),
  })
  .meta({ id: 'ApiKeyRecord', description: 'A key of the organization, without its secret.' });

export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>;

/** An entry of a key's history. */
export const ApiKeyEvent = z
  .object({
    kind: field(z.enum(API_KEY_EVENT_KINDS), 'What happened to the key.', 'created'),
    event_id: keyEvent,
    key_prefix: text('First 12 characters of the key after the event.', KEY_PREFIX),
    actor: text('The user who did it, by the id in the panel.', 'user-17'),
    occurred_at: instant('Time of the event.', CREATED_AT),
  })
  .meta({
    id: 'ApiKeyEvent',
    description: 'A creation, renaming, rotation or revocation of a key.',
  });

export type ApiKeyEvent = z.infer<typeof ApiKeyEvent>;

const count = (description: string, example: number) =>
  field(z.int().nonnegative(), description, example);

/** The answer of getApiKeyUses. */
export const ApiKeyUses = z
  .object({
    days: field(
      z.array(
        z.object({
          day: field(z.iso.date(), 'The day, of UTC.', '2027-01-04'),
          requests: count('Requests of the key, the refused ones included.', 1_204),
          personal_reads: count('Requests that were answered with personal data.', 3),
          refusals: field(
            z.partialRecord(z.enum(ERROR_CODES).exclude(['UNAUTHORIZED']), z.int()),
            'How many requests were refused with each code.',
            { RATE_LIMITED: 12 },
          ),
          is_complete: field(
            z.boolean(),
            'False if the counter was away for some time of the day: more may have happened than these numbers say.',
            true,
          ),
        }),
      ),
      `The last ${USES_DAYS} days, the newest first.`,
      [
        {
          day: '2027-01-04',
          requests: 1_204,
          personal_reads: 3,
          refusals: { RATE_LIMITED: 12 },
          is_complete: true,
        },
      ],
    ),
  })
  .meta({ id: 'ApiKeyUses', description: 'What a key did on each of the last days.' });

export type ApiKeyUses = z.infer<typeof ApiKeyUses>;

/** The answer of rotateApiKey. Only this answer shows the new key. */
export const RotatedApiKey = ApiKeyRecord.extend({
  api_key: text(
    'The full key. It is shown only in this answer, and the service does not store it.',
    // The checksum is wrong, so no key equals this example.
    'er_live_ExampleExampleExampleExample0000000000',
  ),
}).meta({ id: 'RotatedApiKey', description: 'A key with its new secret.' });

export type RotatedApiKey = z.infer<typeof RotatedApiKey>;

/** The answer of createApiKey. Only this answer shows the key. */
export const CreatedApiKey = RotatedApiKey.extend({
  message: text(
    'A reminder for people to save the key now.',
    'Save this API key now, where only your backend reads it: it is never shown again.',
  ),
}).meta({ id: 'CreatedApiKey', description: 'A new key.' });

export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
