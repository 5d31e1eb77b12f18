import * as z from 'zod';
import { apiKeyEvents } from '../db/schema.ts';
import { SCOPES, type Scope } from '../scopes.ts';
import { parseInstant } from './instant.ts';

/** The largest body of createApiKey, in bytes. */
export const API_KEY_BODY_MAX = 64 * 1_024;

const NAME_MAX = 100;
const LATEST_EXPIRY = new Date('9999-12-31T23:59:59.999Z');

/** Counts characters as Postgres does, and refuses those that Postgres cannot hold. */
const isName = (text: string): boolean => {
  const length = [...text].length;
  return length >= 1 && length <= NAME_MAX && text.isWellFormed() && !text.includes('\0');
};

const nameExpected = {
  error: `expected a text of 1 to ${NAME_MAX} characters, none of them NUL or half a character`,
};
const scopesExpected = { error: `expected one or more of ${SCOPES.join(', ')}, each once` };
const expiryExpected = {
  error:
    'expected null or an instant in the future, in ISO 8601 with its offset from UTC, ' +
    'such as 2030-12-31T23:59:59-05:00',
};

const scopesOfKey = z
  .array(z.enum(SCOPES))
  .min(1)
  .refine((scopes) => new Set(scopes).size === scopes.length);

/** The body of createApiKey. `expires_at` must be later than `now`. */
export const apiKeyIn = (now: Date) =>
  z.object(
    {
      name: z
        .string(nameExpected)
        .trim()
        .refine(isName, nameExpected)
        .meta({
          minLength: 1,
          maxLength: NAME_MAX,
          pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
          description: 'Name of the key. Spaces around it are trimmed.',
          examples: ['Timing van'],
        }),
      // One check for the whole array, so that its error appears once.
      scopes: z
        .custom<Scope[]>((sent) => scopesOfKey.safeParse(sent).success, scopesExpected)
        .meta({
          description: 'Scopes of the key.',
          override: {
            type: 'array',
            items: { type: 'string', enum: [...SCOPES] },
            minItems: 1,
            uniqueItems: true,
          },
          examples: [['events:read', 'results:write']],
        }),
      expires_at: z
        .string(expiryExpected)
        .transform((text, context) => {
          const instant = parseInstant(text);
          if (instant && instant > now && instant <= LATEST_EXPIRY) return instant;
          context.addIssue({ code: 'custom', message: expiryExpected.error });
          return z.NEVER;
        })
        .nullish()
        .meta({
          override: { type: ['string', 'null'], format: 'date-time' },
          description:
            'When the key expires: an instant in the future. Without it, the key never expires. ' +
            'Every ISO 8601 form with date, time and offset from UTC is accepted: ' +
            '`2099-12-31T23:59:59-05:00`, `20991231T235959Z`, `2099-12-31T23:59+02`, ' +
            '`2099-365T12:00Z`, `2099-W53-4T12:00Z`.',
          examples: ['2099-12-31T23:59:59-05:00'],
        }),
    },
    { error: 'expected an object with the fields "name" and "scopes"' },
  );

export type ApiKeyIn = z.infer<ReturnType<typeof apiKeyIn>>;

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
    kind: z.enum(apiKeyEvents.kind.enumValues).meta({
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
  .meta({ id: 'ApiKeyEvent', description: 'A creation, rotation or revocation of a key.' });

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
