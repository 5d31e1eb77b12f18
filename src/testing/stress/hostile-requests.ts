import fc from 'fast-check';

export type HostileRequest = {
  method: string;
  /** Path and query as they go over the wire. */
  target: string;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
};

type World = {
  keys: readonly string[];
  /** Ids of two organizations, the caller's own and another. */
  ids: readonly string[];
  /** Values that both organizations have. */
  shared: readonly string[];
};

const BOUNDARY = 'finish-line';
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0) & 0xff);
const encodeTarget = (text: string) => encodeURIComponent(text.toWellFormed());

/** Makes `usual` four times as frequent as `rare`. */
const mostly = <T, U>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: rare });

/** Characters from `min` on that a request line or a header can carry, percent signs included. */
const wire = (min: number) =>
  fc
    .array(fc.integer({ min, max: 0xff }), { maxLength: 40 })
    .map((codes) => String.fromCharCode(...codes.filter((code) => code !== 0x7f)));

const HOSTILE_TEXTS = [
  ...["' or 1=1 --", '"; drop table results; --', '=cmd|calc', '../../etc/passwd', '{{7*7}}'],
  ...['\0', '\ud800', '%00', '%ff%fe', '__proto__', 'constructor', 'null', 'NaN', '', ' '],
  ...['-1', '1e309', '9'.repeat(400), '99999999999999999999', 'x'.repeat(5_000)],
];
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(...HOSTILE_TEXTS),
);
const time = mostly(fc.constantFrom('1:02:03', '59:59', '00:00:01.5', '999:59:59'), hostileText);

/** Texts of JSON, also of deep JSON. */
const anyJson = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.json({ stringUnit: 'binary' }),
  fc.nat(4_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.nat(2_000).map((depth) => `{"results":[${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}]}`),
);

const PARAMETERS = [
  ...['page', 'page_size', 'bib_number', 'bib', 'document', 'chip', 'email', 'status', 'person_id'],
];
const HEADERS = [
  ...['X-Request-Id', 'Accept', 'Range', 'If-None-Match', 'Content-Encoding'],
  ...['X-HTTP-Method-Override', 'Cookie', 'Forwarded', 'Origin'],
];

/** Requests of a stranger who has a live key. */
export function anyHostileRequest({ keys, ids, shared }: World): fc.Arbitrary<HostileRequest> {
  const target = anyTarget(ids, shared);
  const uploadTarget = fc
    .tuple(fc.constantFrom(...ids), fc.constantFrom('', '/file'))
    .map(([event, end]) => `/public/v1/events/${event}/results${end}`);
  const reading = fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS'),
    target,
    sent: fc.constant(undefined),
  });
  const writing = fc.record({
    method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE'),
    target: mostly(uploadTarget, target),
    sent: anyBody(shared),
  });
  const key = fc.constantFrom(...keys);
  const credentials = fc.oneof(
    { weight: 9, arbitrary: key.map((one) => ({ Authorization: `Bearer ${one}` })) },
    { weight: 9, arbitrary: key.map((one) => ({ 'X-API-Key': one })) },
    fc.constant({}),
    wire(0x20).map((text) => ({ Authorization: text })),
    key.map((one) => ({ 'X-API-Key': `${one}x` })),
  );
  const extra = mostly(
    fc.constant({}),
    fc.tuple(fc.constantFrom(...HEADERS), wire(0x20)).map(([header, text]) => ({ [header]: text })),
  );
  return fc
    .tuple(fc.oneof(reading, writing), credentials, extra)
    .map(([{ method, target, sent }, keyHeader, more]) => ({
      method,
      target,
      headers: { ...(sent && { 'Content-Type': sent.type }), ...more, ...keyHeader },
      body: sent?.bytes,
    }));
}

function anyTarget(ids: readonly string[], shared: readonly string[]): fc.Arbitrary<string> {
  const id = mostly(
    fc.constantFrom(...ids),
    fc.oneof(fc.uuid(), hostileText.map(encodeTarget), wire(0x24)),
  );
  const eventPath = fc
    .tuple(
      id,
      fc.constantFrom('', '/participants', '/participants/lookup', '/stats', '/results'),
      fc.constantFrom('', '', '', '', '/', '/file', '//', '/..'),
    )
    .map(([event, resource, end]) => `/public/v1/events/${event}${resource}${end}`);
  const path = mostly(
    eventPath,
    fc.oneof(
      fc.constant('/public/v1/events'),
      id.map((one) => `/api/v1/organizations/${one}/api-keys`),
      wire(0x24).map((text) => `/${text}`),
    ),
  );
  const name = mostly(fc.constantFrom(...PARAMETERS), hostileText);
  const value = fc.oneof(fc.constantFrom(...shared, ...ids), hostileText, fc.integer().map(String));
  const query = fc
    .tuple(fc.array(fc.tuple(name, value), { maxLength: 4 }), mostly(fc.constant(''), wire(0x24)))
    .map(([pairs, end]) => pairs.map((pair) => pair.map(encodeTarget).join('=')).join('&') + end);
  // A question mark would end the path.
  return fc
    .tuple(path, query)
    .map(([where, search]) => (search === '' ? where : `${where.replaceAll('?', '')}?${search}`));
}

function anyBody(shared: readonly string[]) {
  const bib = fc.oneof(fc.constantFrom(...shared), hostileText, fc.nat(99).map(String));
  const row = fc.record(
    {
      bib_number: bib,
      chip_time: time,
      gun_time: time,
      status: fc.oneof(fc.constantFrom('DNF', 'dsq', 'FINISHED', ''), hostileText),
      splits: fc.dictionary(hostileText, time, { maxKeys: 3 }),
    },
    { requiredKeys: ['bib_number'] },
  );
  const upload = fc
    .array(mostly(row, fc.jsonValue()), { maxLength: 5 })
    .map((results) => JSON.stringify({ results }));
  const json = mostly(upload, anyJson).map(utf8);
  const csv = fc
    .tuple(
      fc.constantFrom('bib,time,status', 'Dorsal;Tiempo;10K', 'bib\ttime', '"bib', ''),
      fc.array(fc.array(fc.oneof(bib, time), { maxLength: 4 }), { maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\r'),
    )
    .map(([header, rows, newline]) => [header, ...rows.map((row) => row.join(','))].join(newline));
  const file = fc.oneof(csv.map(utf8), csv.map(latin1), fc.uint8Array({ maxLength: 200 }));
  const form = fc
    .tuple(
      fc.constantFrom('file', 'file', 'file', 'other', ''),
      file,
      fc.constantFrom('--', '--', '', '\0'),
    )
    .map(([field, bytes, end]) => {
      const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="r.csv"\r\n\r\n`;
      return new Uint8Array([...utf8(head), ...bytes, ...utf8(`\r\n--${BOUNDARY}${end}\r\n`)]);
    });
  const body = (type: string, bytes: fc.Arbitrary<Uint8Array>) =>
    mostly(bytes, damaged(bytes)).map((sent) => ({ type, bytes: sent }));
  const otherType = fc.oneof(
    wire(0x20),
    fc.constantFrom('multipart/form-data', 'application/json; charset=utf-16'),
  );
  return fc
    .tuple(
      fc.oneof(
        body('application/json', json),
        body(FORM_TYPE, form),
        body('', fc.uint8Array({ maxLength: 100 })),
      ),
      mostly(fc.constant(undefined), otherType),
    )
    .map(([{ type, bytes }, other]) => ({ type: other ?? type, bytes }));
}

/** Cuts the end off, or changes one byte. */
const damaged = (whole: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  fc.tuple(whole, fc.nat(), fc.option(fc.nat(255))).map(([bytes, place, byte]) => {
    const at = place % Math.max(1, bytes.length);
    return byte === null || bytes.length === 0 ? bytes.slice(0, at) : bytes.with(at, byte);
  });
