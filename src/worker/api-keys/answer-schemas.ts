import * as z from 'zod';
import { API_KEY_EVENT_KINDS } from '../db/sql.ts';
import { SCOPES } from '../scopes.ts';

/** A key as the panel shows it, without the key itself and its hash. */
export const ApiKeyRecord = z
  .object({
    id: z
      .guid()
      .meta({ description: 'Id of the key.', examples: ['c0000000-0000-4000-8000-000000000001'] }),
    name: z.string().meta({ description: 'Name of the key.', examples: ['Timing van'] }),
    key_prefix: z.string().meta({
      description: 'First 12 characters of the key. They identify it.',
      examples: ['er_live_Exam'],
    }),
    scopes: z
      .array(z.enum(SCOPES))
      .meta({ description: 'Scopes of the key.', examples: [['events:read', 'results:write']] }),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description: 'Last use, to the minute. Null if the key was never used.',
        examples: [null],
      }),
    is_active: z.boolean().meta({
      description:
        'False once the key is revoked. An expired key stays true: check `expires_at` too.',
      examples: [true],
    }),
    expires_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description: 'Expiry. Null if the key never expires.',
        examples: ['2100-01-01T04:59:59.000Z'],
      }),
    revoked_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description: 'Time of revocation. Null if the key is not revoked.',
        examples: [null],
      }),
    created_at: z.iso
      .datetime()
      .meta({ description: 'Time of creation.', examples: ['2027-01-04T09:00:00.000Z'] }),
    created_by: z
      .string()
      .nullable()
      .meta({
        description: 'The user who created the key. Null if the history does not say it.',
        examples: ['user-17'],
      }),
  })
  .meta({ id: 'ApiKeyRecord', description: 'A key of the organization, without its secret.' });

export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>;

/** An entry of a key's history. */
export const ApiKeyEvent = z
  .object({
    kind: z.enum(API_KEY_EVENT_KINDS).meta({
      description: 'What happened to the key.',
      examples: ['created'],
    }),
    key_prefix: z.string().meta({
      description: 'First 12 characters of the key after the event.',
      examples: ['er_live_Exam'],
    }),
    actor: z
      .string()
      .meta({ description: 'The user who did it, by the id in the panel.', examples: ['user-17'] }),
    occurred_at: z.iso
      .datetime()
      .meta({ description: 'Time of the event.', examples: ['2027-01-04T09:00:00.000Z'] }),
  })
  .meta({
    id: 'ApiKeyEvent',
    description: 'A creation, renaming, rotation or revocation of a key.',
  });

export type ApiKeyEvent = z.infer<typeof ApiKeyEvent>;

/** The answer of rotateApiKey. Only this answer shows the new key. */
export const RotatedApiKey = ApiKeyRecord.extend({
  api_key: z.string().meta({
    description:
      'The full key. It is shown only in this answer, and the service does not store it.',
    // The checksum is wrong, so no key equals this example.
    examples: ['er_live_ExampleExampleExampleExample0000000000'],
  }),
}).meta({ id: 'RotatedApiKey', description: 'A key with its new secret.' });

export type RotatedApiKey = z.infer<typeof RotatedApiKey>;

/** The answer of createApiKey. Only this answer shows the key. */
export const CreatedApiKey = RotatedApiKey.extend({
  message: z.string().meta({
    description: 'A reminder for people to save the key now.',
    examples: ['Save this API key now, where only your backend reads it: it is never shown again.'],
  }),
}).meta({ id: 'CreatedApiKey', description: 'A new key.' });

export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
