import * as z from 'zod/mini';

const postgresUrl = () =>
  z.string().check(
    z.refine(
      (text) => {
        const url = URL.parse(text);
        return (
          url !== null &&
          /^postgres(ql)?:$/.test(url.protocol) &&
          url.hostname !== '' &&
          url.username !== '' &&
          url.pathname.length > 1
        );
      },
      { error: 'expected postgres://user:password@host/database' },
    ),
  );

const filled = () => z.string().check(z.minLength(1, 'expected a text'));

/** A whole number of at most four digits. */
const wholeNumber = (min: number) =>
  z.pipe(
    z.string().check(
      z.refine((text) => /^[1-9]\d{0,3}$/.test(text) && Number(text) >= min, {
        error: `expected a whole number from ${min} to 9999`,
      }),
    ),
    z.transform(Number),
  );

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])$/;
const SECRET_MIN = 32;

const panelSecret = () =>
  z.string().check(z.minLength(SECRET_MIN, `expected at least ${SECRET_MIN} characters`));

/** The keys from this address decide about access, so plain http is accepted on loopback only. */
const keysUrl = () =>
  z.string().check(
    z.refine(
      (text) => {
        const url = URL.parse(text);
        if (url?.protocol === 'https:') return true;
        return url?.protocol === 'http:' && LOOPBACK_HOST.test(url.hostname);
      },
      { error: 'expected an https address' },
    ),
  );

const ed25519Part = () => z.string().check(z.regex(/^[\w-]{43}$/));

/** A JSON Web Key of Ed25519. Without the private part `d` the key cannot sign. */
const signingKey = () =>
  z.object({
    kid: z.string().check(z.regex(/^[\w.-]{1,64}$/)),
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: ed25519Part(),
    d: z.exactOptional(ed25519Part()),
  });

type SigningKey = z.infer<ReturnType<typeof signingKey>>;

const signingKeys = () => z.object({ keys: z.array(signingKey()).check(z.minLength(1)) });

/**
 * The keys of SIGNING_KEYS; undefined for a malformed text, two keys with equal ids, or a first key that cannot sign.
 */
export function readSigningKeys(text: string): readonly SigningKey[] | undefined {
  try {
    const { keys } = signingKeys().parse(JSON.parse(text));
    const isUsable = new Set(keys.map(({ kid }) => kid)).size === keys.length && keys[0]?.d;
    return isUsable ? keys : undefined;
  } catch {
    return undefined;
  }
}

/** The variables that every request needs. */
const needed = () =>
  z.object({
    /** The Neon database: `postgres://user:password@host/database`. A loopback host is the local gateway. */
    DATABASE_URL: postgresUrl(),
    /** The REST address of the Upstash Redis that counts requests for the rate limit. */
    UPSTASH_REDIS_REST_URL: z.url({
      protocol: /^https?$/,
      error: 'expected an http or https address',
    }),
    /** The token of the Upstash Redis. */
    UPSTASH_REDIS_REST_TOKEN: filled(),
  });

/** The variables that a part needs. A malformed value stops this part alone. */
const others = () =>
  z.object({
    /** The secret that signs panel sessions (HS256), of at least 32 characters. Excludes PANEL_JWKS_URL. */
    PANEL_JWT_SECRET: z.optional(panelSecret()),
    /** The secret before PANEL_JWT_SECRET, until its last session ends. The secret verifies and never signs. */
    PANEL_JWT_SECRET_BEFORE: z.optional(panelSecret()),
    /** The https address of the panel's public keys (RS256, ES256, EdDSA). Excludes PANEL_JWT_SECRET. */
    PANEL_JWKS_URL: z.optional(keysUrl()),
    /** If set, panel sessions must have this `iss`. */
    PANEL_JWT_ISSUER: z.optional(filled()),
    /** If set, panel sessions must have this `aud`. */
    PANEL_JWT_AUDIENCE: z.optional(filled()),
    /**
     * The keys of official results: a JSON Web Key Set. The first key signs, and the public parts of all are published.
     */
    SIGNING_KEYS: z.optional(
      z.string().check(
        z.refine((text) => readSigningKeys(text) !== undefined, {
          error: 'expected a JSON Web Key Set of Ed25519 keys, the first one with its private part',
        }),
      ),
    ),
    /**
     * Raised by hand where a restored database cannot be told from the database before: every cursor of a copy then
     * ends.
     */
    COPIES_GENERATION: z.optional(filled()),
    /** Among so many reads, a single read has a line in the log. Default: 1. */
    LOG_READS_ONE_IN: z.optional(wholeNumber(1)),
    /**
     * Uploads older than this are deleted every night, with the results that they replaced. Without a value, no upload
     * is deleted.
     */
    KEEP_HISTORY_DAYS: z.optional(wholeNumber(7)),
    /** Counts refused answers. wrangler.toml binds this counter in production. The binding is no secret. */
    REFUSALS: z.optional(z.custom<Env['REFUSALS']>((binding) => typeof binding === 'object')),
  });

/** The names of all variables. `npm run dev` writes them to `.dev.vars`; `.dev.vars.example` shows them all. */
export const variableNames = (): string[] => [
  ...Object.keys(needed().shape),
  ...Object.keys(others().shape),
];

/** The problem of a variable. The text never shows the value. */
type Problem = { name: string; kind: 'missing' | 'malformed' | 'conflict'; problem: string };

/** The problems in the values of the set variables. */
export const malformedVariables = (bindings: object): Problem[] =>
  [z.partial(needed()), others()]
    .flatMap((schema) => schema.safeParse(bindings).error?.issues ?? [])
    .map(({ path, code, message }) => ({
      name: path.join('.'),
      kind: 'malformed',
      problem: code === 'invalid_type' ? 'missing' : message,
    }));

/** The problems in the names of the set variables. Panel sessions have a single way in. */
export function misnamedVariables(names: Iterable<string>): Problem[] {
  const present = new Set(names);
  const problems: Problem[] = [...Object.keys(needed().shape), 'SIGNING_KEYS']
    .filter((name) => !present.has(name))
    .map((name) => ({ name, kind: 'missing', problem: 'missing' }));
  const [hasSecret, hasUrl] = [present.has('PANEL_JWT_SECRET'), present.has('PANEL_JWKS_URL')];
  if (!hasSecret && !hasUrl) {
    const problem = 'missing, or PANEL_JWKS_URL in its place';
    problems.push({ name: 'PANEL_JWT_SECRET', kind: 'missing', problem });
  }
  if (hasSecret && hasUrl) {
    const problem = 'set beside PANEL_JWT_SECRET, where exactly one of the two is expected';
    problems.push({ name: 'PANEL_JWKS_URL', kind: 'conflict', problem });
  }
  if (present.has('PANEL_JWT_SECRET_BEFORE') && !hasSecret) {
    const problem = 'set without PANEL_JWT_SECRET, which comes after it';
    problems.push({ name: 'PANEL_JWT_SECRET_BEFORE', kind: 'conflict', problem });
  }
  return problems;
}

export type Config = z.infer<ReturnType<typeof needed>> &
  z.infer<ReturnType<typeof others>> & {
    /** The variables with a broken part, by name, with the problem. Their values are left out. */
    broken: ReadonlyMap<string, string>;
  };

/** The panel checks sessions with all of these or not at all. */
const isOfPanel = (name: string) => name.startsWith('PANEL_');

/**
 * Checks the Worker's variables.
 * @throws Error with the name of every missing or malformed variable, and no value, if a variable for every request is
 *   among them
 */
export function parseConfig(bindings: unknown): Config {
  const given = typeof bindings === 'object' && bindings !== null ? bindings : {};
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  const problems = [
    ...malformedVariables(given),
    ...misnamedVariables(present.map(([name]) => name)),
  ];
  const broken = new Map(problems.map(({ name, problem }) => [name, problem]));
  if (Object.keys(needed().shape).some((name) => broken.has(name))) {
    const named = [...broken].map(([name, problem]) => `${name}: ${problem}`);
    throw new Error(
      `The Worker's variables are incomplete (${named.join('; ')}). ` +
        'Locally `npm run dev` writes them to .dev.vars; deployed, `.ci/secret` sets them.',
    );
  }
  const hasPanel = ![...broken.keys()].some(isOfPanel);
  const usable = present.filter(([name]) => !broken.has(name) && (hasPanel || !isOfPanel(name)));
  const values = Object.fromEntries(usable);
  return { ...needed().parse(values), ...others().parse(values), broken };
}
