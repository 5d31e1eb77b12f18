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
      name: z.string(nameExpected).trim().refine(isName, nameExpected),
      // Judged as one field: what is wrong with it is told once, whichever scopes it is about.
      scopes: z.custom<Scope[]>((sent) => scopesOfKey.safeParse(sent).success, scopesExpected),
      expires_at: z.iso
        .datetime({ offset: true, ...expiryExpected })
        .transform((text) => new Date(text))
        .refine((instant) => instant > now && instant <= LATEST_EXPIRY, expiryExpected)
        .nullish(),
    },
    { error: 'expected an object with the fields "name" and "scopes"' },
  );

export type ApiKeyIn = z.infer<ReturnType<typeof apiKeyIn>>;

/** A key as the panel sees it (contract section 2): never the key itself, nor its hash. */
export const ApiKeyRecord = z.object({
  id: z.guid(),
  name: z.string(),
  key_prefix: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  last_used_at: z.iso.datetime().nullable(),
  is_active: z.boolean(),
  expires_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
});

export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>;

/** The answer to a rotation: the only time that the new secret is shown. */
export const RotatedApiKey = ApiKeyRecord.extend({ api_key: z.string() });

export type RotatedApiKey = z.infer<typeof RotatedApiKey>;

/** The answer to a creation: the only time that the key is shown. */
export const CreatedApiKey = RotatedApiKey.extend({ message: z.string() });

export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
