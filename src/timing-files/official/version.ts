/** The part of a JSON Web Key Set for verifying. */
export type PublicKeys = { keys: { kid?: string; kty?: string; crv?: string; x?: string }[] };

/** The statement of a version's signature. */
type Statement = {
  version: number;
  made_at: string;
  rows: number;
  digest: string;
  /** The form of the statement. */
  format: number;
  /** The rule behind places within a distance. */
  rank_by: string;
  event: { id: string; name: string; event_date: string };
  organization: { id: string; name: string };
};

/** A line of the document of a version. */
export type OfficialResult = {
  bib_number: string | null;
  splits: Record<string, string>;
  [field: string]: string | number | null | Record<string, string>;
};

/** A version whose signature and document are verified. */
export type OfficialVersion = { statement: Statement; kid: string; results: OfficialResult[] };

const REFUSALS = [
  /** The file is no version of results. */
  'not_a_version',
  /** Nobody has published the key of the signature. */
  'unknown_key',
  /** The key did not sign the statement. */
  'wrong_signature',
  /** The signature belongs to another document: a result was changed, added or removed, or the event differs. */
  'other_document',
  /** The signature is right, and the event is not the expected event. */
  'other_event',
] as const;

type Refusal = (typeof REFUSALS)[number];

/** A file that is no official version. */
export class NotOfficial extends Error {
  override readonly name = 'NotOfficial';
  readonly refusal: Refusal;
  readonly kid: string | undefined;
  readonly statement: Statement | undefined;

  constructor(refusal: Refusal, known: { kid?: string; statement?: Statement } = {}) {
    super(refusal);
    this.refusal = refusal;
    this.kid = known.kid;
    this.statement = known.statement;
  }
}

const LINE_FEED = 10;
const utf8 = new TextDecoder();

/** Whether a file looks like a version, signed by anybody. */
export const isVersion = (file: Uint8Array): boolean =>
  utf8.decode(file.subarray(0, 14)) === '{"signature":"';

/**
 * Verifies a version with nothing but its file and the public keys.
 * @param eventId the event of the version, if known
 * @throws NotOfficial
 */
export async function readVersion(
  file: Uint8Array<ArrayBuffer>,
  keys: PublicKeys,
  eventId?: string,
): Promise<OfficialVersion> {
  if (!isVersion(file)) throw new NotOfficial('not_a_version');
  const end = file.indexOf(LINE_FEED);
  const document = file.subarray(end + 1);
  const { kid, statement } = await verified(signatureIn(file.subarray(0, end)), keys);
  const digest = hex(await crypto.subtle.digest('SHA-256', document));
  if (digest !== statement.digest) throw new NotOfficial('other_document', { kid, statement });
  if (eventId !== undefined && eventId !== statement.event.id) {
    throw new NotOfficial('other_event', { kid, statement });
  }
  const lines = utf8.decode(document).split('\n').filter(Boolean);
  return { statement, kid, results: lines.map((line): OfficialResult => JSON.parse(line)) };
}

function signatureIn(line: Uint8Array): string {
  const { signature } = parsed(utf8.decode(line)) as { signature?: unknown };
  if (typeof signature !== 'string') throw new NotOfficial('not_a_version');
  return signature;
}

/** Verifies a JWS in the compact form (RFC 7515) with Ed25519 (RFC 8037). */
async function verified(
  jws: string,
  { keys }: PublicKeys,
): Promise<{ kid: string; statement: Statement }> {
  const [header = '', payload = '', signature = '', ...others] = jws.split('.');
  const { alg, typ, kid } = parsed(textOf(header)) as Record<string, unknown>;
  if (others.length > 0 || typ !== 'official-results' || typeof kid !== 'string') {
    throw new NotOfficial('not_a_version');
  }
  const key = keys.find((one) => one.kid === kid && one.kty === 'OKP' && one.crv === 'Ed25519');
  if (alg !== 'EdDSA' || key?.x === undefined) throw new NotOfficial('unknown_key', { kid });
  const { kty = '', crv = '', x } = key;
  const imported = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  if (!(await crypto.subtle.verify('Ed25519', imported, bytesOf(signature), signed))) {
    throw new NotOfficial('wrong_signature', { kid });
  }
  return { kid, statement: parsed(textOf(payload)) as Statement };
}

function parsed(json: string): object {
  try {
    return Object(JSON.parse(json));
  } catch {
    throw new NotOfficial('not_a_version');
  }
}

const textOf = (base64url: string): string => utf8.decode(bytesOf(base64url));

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  try {
    const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    throw new NotOfficial('not_a_version');
  }
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
