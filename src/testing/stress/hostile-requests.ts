import fc from 'fast-check';

export type HostileRequest = {
  method: string;
  /** Path and query as they go over the wire. */
  target: string;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
};

export type Known = {
  /** Whole numbers choose among these. */
  keys: readonly string[];
  /** Ids of the caller's own world and of the other's. */
  ids: readonly string[];
  /** Values that both worlds hold, and that may be asked for. */
  shared: readonly string[];
};

const BOUNDARY = 'finish-line';
const latin1 = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0) & 0xff);
const utf8 = (text: string) => new TextEncoder().encode(text);

/** Characters that a request line or a header can carry at all, percent signs included. */
const wire = (min: number) =>
  fc
    .array(fc.integer({ min, max: 0xff }), { maxLength: 40 })
    .map((codes) => String.fromCharCode(...codes.filter((code) => code !== 0x7f)));

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    "' or 1=1 --",
    '"; drop table results; --',
    '\0',
    '\ud800',
    '__proto__',
    'constructor',
    '=cmd|calc',
    '../../etc/passwd',
    '%00',
    '%ff%fe',
    '{{7*7}}',
    '9'.repeat(400),
    '-1',
    '1e309',
    'NaN',
    'null',
    '',
    ' ',
    'x'.repeat(5_000),
    '99999999999999999999',
  ),
);

const time = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('1:02:03', '59:59', '00:00:01.5', '999:59:59') },
  { weight: 1, arbitrary: hostileText },
);

/** A JSON value with all that JSON can hold, deep ones included. */
const anyJson = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.json({ stringUnit: 'binary' }),
  fc.nat(4_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.nat(2_000).map((depth) => `{"results":[${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}]}`),
);

const encodeTarget = (text: string) => encodeURIComponent(text.toWellFormed());

/** @returns requests that a stranger with a good key may think of */
export function anyHostileRequest({ keys, ids, shared }: Known): fc.Arbitrary<HostileRequest> {
  const value = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...shared, ...ids) },
    { weight: 3, arbitrary: hostileText },
  );
  const bib = fc.oneof(fc.constantFrom(...shared), hostileText, fc.nat(99).map(String));

  const id = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 2, arbitrary: hostileText.map(encodeTarget) },
    { weight: 1, arbitrary: wire(0x24) },
  );
  const path = fc.oneof(
    {
      weight: 12,
      arbitrary: fc
        .tuple(
          id,
          fc.constantFrom('', '/participants', '/participants/lookup', '/stats', '/results'),
          fc.constantFrom('', '', '', '', '/', '/file', '//', '/..'),
        )
        .map(([event, resource, end]) => `/public/v1/events/${event}${resource}${end}`),
    },
    { weight: 2, arbitrary: fc.constant('/public/v1/events') },
    { weight: 1, arbitrary: id.map((one) => `/api/v1/organizations/${one}/api-keys`) },
    { weight: 1, arbitrary: wire(0x24).map((text) => `/${text}`) },
  );
  const name = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        ...[
          'page',
          'page_size',
          'bib_number',
          'bib',
          'document',
          'chip',
          'email',
          'status',
          'person_id',
        ],
      ),
    },
    { weight: 1, arbitrary: hostileText },
  );
  const query = fc
    .array(fc.tuple(name, fc.oneof(value, fc.integer().map(String))), { maxLength: 4 })
    .chain((pairs) =>
      fc
        .oneof({ weight: 5, arbitrary: fc.constant('') }, { weight: 1, arbitrary: wire(0x24) })
        .map((tail) => pairs.map((pair) => pair.map(encodeTarget).join('=')).join('&') + tail),
    );
  const target = fc
    .tuple(path, query)
    // What would end the path, or begin no request line at all.
    .map(([where, what]) => (what === '' ? where : `${where.replaceAll('?', '')}?${what}`));

  const row = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record(
        {
          bib_number: bib,
          chip_time: time,
          gun_time: time,
          status: fc.oneof(fc.constantFrom('DNF', 'dsq', 'FINISHED', ''), hostileText),
          splits: fc.dictionary(hostileText, time, { maxKeys: 3 }),
        },
        { requiredKeys: ['bib_number'] },
      ),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
  const uploadBody = fc.array(row, { maxLength: 5 }).map((results) => JSON.stringify({ results }));
  const jsonBody = fc
    .oneof(
      { weight: 4, arbitrary: uploadBody },
      { weight: 2, arbitrary: anyJson },
      {
        weight: 1,
        arbitrary: uploadBody.chain((text) => fc.nat(text.length).map((to) => text.slice(0, to))),
      },
    )
    .map((text) => ({ type: 'application/json', bytes: utf8(text) }));

  const csv = fc
    .tuple(
      fc.constantFrom(
        'bib,time,status',
        'Dorsal;Tiempo;10K',
        'bib\ttime',
        'bib_number,chip_time,5k',
        '"bib',
        '',
      ),
      fc.array(fc.array(fc.oneof(bib, time), { maxLength: 4 }), { maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\r'),
    )
    .map(([header, rows, newline]) =>
      [header, ...rows.map((cells) => cells.join(','))].join(newline),
    );
  const file = fc.oneof(
    { weight: 3, arbitrary: csv.map(utf8) },
    { weight: 1, arbitrary: csv.map(latin1) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  );
  const formBytes = fc
    .tuple(
      fc.constantFrom('file', 'file', 'file', 'other', ''),
      file,
      fc.constantFrom('--', '--', '', '\0'),
    )
    .map(([field, bytes, end]) => {
      const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="r.csv"\r\n\r\n`;
      return new Uint8Array([...utf8(head), ...bytes, ...utf8(`\r\n--${BOUNDARY}${end}\r\n`)]);
    });
  const formBody = fc
    .oneof(
      { weight: 4, arbitrary: formBytes },
      {
        weight: 1,
        arbitrary: formBytes.chain((all) => fc.nat(all.length).map((to) => all.slice(0, to))),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(formBytes, fc.nat(), fc.nat(255)).map(([all, at, byte]) => {
          const changed = all.slice();
          changed[at % all.length] = byte;
          return changed;
        }),
      },
    )
    .map((bytes) => ({ type: `multipart/form-data; boundary=${BOUNDARY}`, bytes }));
  const body = fc
    .tuple(
      fc.oneof(
        jsonBody,
        formBody,
        fc.uint8Array({ maxLength: 100 }).map((bytes) => ({ type: '', bytes })),
      ),
      fc.oneof(
        { weight: 8, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: wire(0x20) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('multipart/form-data', 'application/json; charset=utf-16'),
        },
      ),
    )
    .map(([{ type, bytes }, other]) => ({ type: other ?? type, bytes }));

  const auth = fc.oneof(
    {
      weight: 17,
      arbitrary: fc
        .tuple(fc.constantFrom(...keys), fc.boolean())
        .map(
          ([key, bearer]): Record<string, string> =>
            bearer ? { Authorization: `Bearer ${key}` } : { 'X-API-Key': key },
        ),
    },
    { weight: 1, arbitrary: fc.constant<Record<string, string>>({}) },
    { weight: 1, arbitrary: wire(0x20).map((text) => ({ Authorization: text })) },
    { weight: 1, arbitrary: fc.constantFrom(...keys).map((key) => ({ 'X-API-Key': `${key}x` })) },
  );
  const extra = fc.oneof(
    { weight: 5, arbitrary: fc.constant<Record<string, string>>({}) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom(
            'X-Request-Id',
            'Accept',
            'Range',
            'If-None-Match',
            'Content-Encoding',
            'X-HTTP-Method-Override',
            'Cookie',
            'Forwarded',
            'Origin',
          ),
          wire(0x20),
        )
        .map(([header, text]) => ({ [header]: text })),
    },
  );
  const reading = fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS'),
    target,
    sent: fc.constant(undefined),
  });
  const writing = fc.record({
    method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE'),
    target: fc.oneof(
      { weight: 1, arbitrary: target },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom(...ids), fc.constantFrom('', '/file'))
          .map(([event, end]) => `/public/v1/events/${event}/results${end}`),
      },
    ),
    sent: body,
  });
  return fc
    .tuple(fc.oneof(reading, writing), auth, extra)
    .map(([{ method, target: where, sent }, who, more]) => ({
      method,
      target: where,
      headers: { ...(sent && { 'Content-Type': sent.type }), ...more, ...who },
      body: sent?.bytes,
    }));
}
