import type { Context } from 'hono';
import { typingErrors } from '../../timing-files/read/text.ts';
import { invalid } from '../errors.ts';
import { openBody } from './body.ts';
import { type AppEnv, bodyGateOf, senderOf } from './context.ts';

/** The inputs of a write. */
export type KnownInputs = {
  /** The schema of the query. */
  query?: { shape: object } | undefined;
  /** Whether the write accepts the header Idempotency-Key. */
  isIdempotent?: boolean | undefined;
  hasBody?: boolean;
};

export const IDEMPOTENCY_KEY = 'idempotency-key';
/** Some APIs make a trial run of a request with `dry_run`, so its sender expects no write. */
const DRY_RUN = 'dry_run';

/** A longer name resembles no known name. */
const NAME_LENGTH_MAX = 40;
/** The number of differing characters up to which two names count as equal with a typing error. */
const TYPING_ERRORS = 2;

/**
 * Refuses a write with an unknown input, because a mistyped `dry_run` must not write. Unknown headers pass, because
 * proxies and libraries add headers. A header that resembles a known input is refused.
 * @throws ApiError VALIDATION_ERROR
 */
export async function refuseUnknown(c: Context<AppEnv>, known: KnownInputs): Promise<void> {
  const parameters = parametersOf(known);
  for (const name of Object.keys(c.req.queries())) {
    if (!parameters.includes(name)) throw unknownParameter(name, known);
  }
  for (const name of c.req.raw.headers.keys()) {
    if (isMistaken(name, known)) throw unknownHeader(name, known);
  }
  if (!known.hasBody) await refuseBody(c, known);
}

const parametersOf = ({ query }: KnownInputs): string[] => Object.keys(query?.shape ?? {});

/** Whether a header was meant to be an input of the operation. */
function isMistaken(header: string, known: KnownInputs): boolean {
  if (header === IDEMPOTENCY_KEY) return !known.isIdempotent;
  const name = plain(header);
  const meant = [DRY_RUN, ...parametersOf(known)].map(plain);
  return meant.includes(name) || typingErrors(name, plain(IDEMPOTENCY_KEY)) <= TYPING_ERRORS;
}

/** No empty body is longer, blanks and braces included. */
const EMPTY_BODY_MAX = 1_024;

/** An empty body is accepted: some clients cannot send a POST without a body. */
async function refuseBody(c: Context<AppEnv>, known: KnownInputs): Promise<void> {
  const size = { maxBytes: Number.POSITIVE_INFINITY, roomPerByte: 1 };
  const body = openBody(c.req.raw, size, bodyGateOf(c), senderOf(c));
  let received = 0;
  let text = '';
  try {
    for await (const piece of body.pieces()) {
      received += piece.length;
      if (received > EMPTY_BODY_MAX) throw unexpectedBody(known);
      text += new TextDecoder().decode(piece).replace(/\s/g, '');
      if (!'{}'.startsWith(text)) throw unexpectedBody(known);
    }
  } finally {
    body.release();
  }
}

export const unknownParameter = (name: string, known: KnownInputs) =>
  invalid(
    'unknown_input',
    `The query has ${shown(name)}, which this operation does not know. ${hint(name, known)}`,
  );

const unknownHeader = (name: string, known: KnownInputs) =>
  invalid(
    'unknown_input',
    `This operation does not know the header ${shown(name)}. ${hint(name, known)}`,
  );

export const unexpectedBody = (known: KnownInputs) =>
  invalid('unexpected_body', `This operation takes no body. ${accepted(known)}`);

/** Names the input that the sender probably meant, or else all inputs. */
function hint(name: string, known: KnownInputs): string {
  const inputs = [
    ...parametersOf(known).map((input) => [input, `the query parameter ${input}`] as const),
    ...(known.isIdempotent ? [[IDEMPOTENCY_KEY, 'the header Idempotency-Key'] as const] : []),
  ];
  const nearest = nearestOf(
    name,
    inputs.map(([input]) => input),
  );
  const said = inputs.find(([input]) => input === nearest)?.[1];
  return said ? `Did you mean ${said}?` : accepted(known);
}

/** The name with the fewest typing errors, if the errors are few. */
export function nearestOf(name: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((known) => ({ known, errors: typingErrors(plain(name), plain(known)) }))
    .filter(({ errors }) => errors <= TYPING_ERRORS)
    .sort((one, other) => one.errors - other.errors);
  return nearest?.known;
}

function accepted(known: KnownInputs): string {
  const parameters = parametersOf(known);
  if (parameters.length === 0) return 'It takes no query parameters.';
  return `Its query parameters are ${parameters.join(', ')}.`;
}

const shown = (name: string): string =>
  JSON.stringify(name.slice(0, NAME_LENGTH_MAX).toWellFormed());

/** Writes `X-Dry-Run`, `dryRun` and `dry_run` alike. */
const plain = (name: string): string =>
  name
    .slice(0, NAME_LENGTH_MAX)
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
    .replace(/^x(?=dry|idem)/, '');
