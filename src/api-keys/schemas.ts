import * as z from 'zod';
import { SCOPES, type Scope } from '../scopes.ts';

const NAME_MAX = 100;
const LATEST_EXPIRY = new Date('9999-12-31T23:59:59.999Z');

/** Characters as Postgres counts them, and none that it cannot hold. */
const isName = (text: string): boolean => {
  const length = [...text].length;
  return length >= 1 && length <= NAME_MAX && text.isWellFormed() && !text.includes('\0');
};

const nameExpected = {
  error: `expected a text of 1 to ${NAME_MAX} characters, none of them NUL or half a character`,
};
const scopesExpected = { error: `expected one or more of ${SCOPES.join(', ')}, each once` };
const expiryExpected = {
  error: 'expected null or an instant to come, with its offset, such as 2030-12-31T23:59:59-05:00',
};

const scopesOfKey = z
  .array(z.enum(SCOPES))
  .min(1)
  .refine((scopes) => new Set(scopes).size === scopes.length);

/** The body of a key's creation (contract section 4.8), judged at that instant. */
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
          description: 'What the key is for. Blanks at either end are dropped.',
          examples: ['Timing van'],
        }),
      // Judged as one field: what is wrong with it is told once, whichever scopes it is about.
      scopes: z
        .custom<Scope[]>((sent) => scopesOfKey.safeParse(sent).success, scopesExpected)
        .meta({
          description: 'What the key may do.',
          override: {
            type: 'array',
            items: { type: 'string', enum: [...SCOPES] },
            minItems: 1,
            uniqueItems: true,
          },
          examples: [['events:read', 'results:write']],
        }),
      expires_at: z.iso
        .datetime({ offset: true, ...expiryExpected })
        .transform((text) => new Date(text))
        .refine((instant) => instant > now && instant <= LATEST_EXPIRY, expiryExpected)
        .nullish()
        .meta({
          description: 'When it stops working: an instant to come. Never, where there is none.',
          examples: ['2099-12-31T23:59:59-05:00'],
        }),
    },
    { error: 'expected an object with the fields "name" and "scopes"' },
  );

export type ApiKeyIn = z.infer<ReturnType<typeof apiKeyIn>>;

/** A key as the panel sees it (contract section 2): never the key itself, nor its hash. */
export const ApiKeyRecord = z
  .object({
    id: z
      .guid()
      .meta({ description: 'Id of the key.', examples: ['c0000000-0000-4000-8000-000000000001'] }),
    name: z.string().meta({ description: 'What the key is for.', examples: ['Timing van'] }),
    key_prefix: z.string().meta({
      description: 'The first 12 characters of the key, to tell it from others.',
      examples: ['er_live_Exam'],
    }),
    scopes: z
      .array(z.enum(SCOPES))
      .meta({ description: 'What the key may do.', examples: [['events:read', 'results:write']] }),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description: 'When it was last used, to the minute; null before that.',
        examples: [null],
      }),
    is_active: z.boolean().meta({
      description:
        'Whether it has not been revoked. Past its `expires_at` it does not work either.',
      examples: [true],
    }),
    expires_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description: 'When it stops working; null where it never does.',
        examples: ['2100-01-01T04:59:59.000Z'],
      }),
    revoked_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was revoked; null where it was not.', examples: [null] }),
    created_at: z.iso
      .datetime()
      .meta({ description: 'When it was made.', examples: ['2027-01-04T09:00:00.000Z'] }),
  })
  .meta({ id: 'ApiKeyRecord', description: 'A key of the organization; never the key itself.' });

export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>;

/** The answer to a rotation: the only time that the new secret is shown. */
export const RotatedApiKey = ApiKeyRecord.extend({
  api_key: z.string().meta({
    description: 'The key, shown this once. It is stored nowhere.',
    // Its last six characters, a checksum, do not fit: no key looks like it.
    examples: ['er_live_ExampleExampleExampleExample0000000000'],
  }),
}).meta({ id: 'RotatedApiKey', description: 'A key with its new secret.' });

export type RotatedApiKey = z.infer<typeof RotatedApiKey>;

/** The answer to a creation: the only time that the key is shown. */
export const CreatedApiKey = RotatedApiKey.extend({
  message: z.string().meta({
    description: 'Says, to people, to save the key now.',
    examples: ['Save this API key now, where only your backend reads it: it is never shown again.'],
  }),
}).meta({ id: 'CreatedApiKey', description: 'A new key.' });

export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
