import fc from 'fast-check';
import { type DocumentedOperation, documentedOperations } from '../documented.ts';
import { changed, pathsIn } from '../requests.ts';

export type HostileRequest = {
  method: string;
  /** Path and query in the form on the wire. */
  target: string;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
};

type World = {
  keys: readonly string[];
  /** Ids of two organizations, the caller's own and another. */
  ids: readonly string[];
  /** Values common to both organizations. */
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

/** Characters from `min` on for a request line or a header, percent signs included. */
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

const deepJson = fc.oneof(
  fc.nat(4_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.nat(2_000).map((depth) => `{"results":[${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}]}`),
);

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const HEADERS = [
  ...['X-Request-Id', 'Accept', 'Range', 'If-None-Match', 'Content-Encoding'],
  ...['X-HTTP-Method-Override', 'Cookie', 'Forwarded', 'Origin'],
];

/** Requests of a stranger with a live key: the example of a documented operation, with any part replaced. */
export function anyHostileRequest(world: World): fc.Arbitrary<HostileRequest> {
  const key = fc.constantFrom(...world.keys);
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
  const requests = documentedOperations.map((operation) => ({
    // A key opens nothing of the panel.
    weight: operation.path.startsWith('/public/') ? 9 : 1,
    arbitrary: fc.record({
      method: mostly(fc.constant(operation.method), fc.constantFrom(...METHODS)),
      target: anyTarget(operation, world),
      sent: anyBody(operation, world),
      credentials,
      extra,
    }),
  }));
  return fc.oneof(...requests).map(({ method, target, sent, credentials, extra }) => {
    const body = method === 'GET' || method === 'HEAD' ? undefined : sent;
    const type = body && { 'Content-Type': body.type };
    return { method, target, headers: { ...type, ...extra, ...credentials }, body: body?.bytes };
  });
}

function anyTarget({ path, parameters = [] }: DocumentedOperation, { ids, shared }: World) {
  const strange = fc.oneof(fc.uuid(), hostileText.map(encodeTarget), wire(0x24));
  const parts = path.split(/(\{\w+\})/).map((part) => {
    if (!part.startsWith('{')) return fc.constant(part);
    return mostly(fc.constantFrom(...(part.endsWith('_id}') ? ids : shared)), strange);
  });
  const end = fc.constantFrom('', '', '', '', '', '', '/', '//', '/..', '/file');
  const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const name = mostly(fc.constantFrom(...names, 'person_id'), hostileText);
  const value = fc.oneof(fc.constantFrom(...shared, ...ids), hostileText, fc.integer().map(String));
  const query = fc
    .tuple(fc.array(fc.tuple(name, value), { maxLength: 4 }), mostly(fc.constant(''), wire(0x24)))
    .map(([pairs, more]) => pairs.map((pair) => pair.map(encodeTarget).join('=')).join('&') + more);
  return fc
    .tuple(mostly(fc.tuple(...parts, end), fc.tuple(fc.constant('/'), wire(0x24))), query)
    .map(([pieces, search]) => {
      const where = pieces.join('');
      // A question mark would end the path.
      return search === '' ? where : `${where.replaceAll('?', '')}?${search}`;
    });
}

function anyBody({ requestBody }: DocumentedOperation, { shared }: World) {
  const [type = '', media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const usual = type === 'multipart/form-data' ? anyForm(shared) : anyJson(media?.example);
  const bytes = mostly(usual, fc.uint8Array({ maxLength: 100 }));
  const usualType = type === 'multipart/form-data' ? FORM_TYPE : type;
  const otherType = fc.oneof(
    wire(0x20),
    fc.constantFrom('multipart/form-data', 'application/json; charset=utf-16'),
  );
  const body = fc.record({
    type: mostly(fc.constant(usualType), otherType),
    bytes: mostly(bytes, damaged(bytes)),
  });
  return type === '' ? mostly(fc.constant(undefined), body) : body;
}

/** The example, or the example with a replaced value, or any JSON. */
function anyJson(example: unknown): fc.Arbitrary<Uint8Array> {
  const other = fc.oneof(hostileText, fc.jsonValue({ maxDepth: 4 }));
  const varied = fc
    .tuple(fc.constantFrom(...pathsIn(example)), other)
    .map(([place, value]) => JSON.stringify(changed(example, place, () => value)));
  const texts = fc.oneof(fc.constant(JSON.stringify(example)), varied);
  return mostly(texts, fc.oneof(deepJson, fc.json({ stringUnit: 'binary' }))).map((text) =>
    utf8(text ?? ''),
  );
}

function anyForm(shared: readonly string[]): fc.Arbitrary<Uint8Array> {
  const cell = fc.oneof(
    fc.constantFrom(...shared, '1:02:03', '59:59', '00:00:01.5', 'DNF'),
    hostileText,
  );
  const csv = fc
    .tuple(
      fc.constantFrom('bib,time,status', 'Dorsal;Tiempo;10K', 'bib\ttime', '"bib', ''),
      fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\r'),
    )
    .map(([header, rows, newline]) => [header, ...rows.map((row) => row.join(','))].join(newline));
  const file = fc.oneof(csv.map(utf8), csv.map(latin1), fc.uint8Array({ maxLength: 200 }));
  return fc
    .tuple(
      fc.constantFrom('file', 'file', 'file', 'other', ''),
      file,
      fc.constantFrom('--', '--', '', '\0'),
    )
    .map(([field, bytes, end]) => {
      const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="r.csv"\r\n\r\n`;
      return new Uint8Array([...utf8(head), ...bytes, ...utf8(`\r\n--${BOUNDARY}${end}\r\n`)]);
    });
}

/** Cuts the end off, or changes a byte. */
const damaged = (whole: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  fc.tuple(whole, fc.nat(), fc.option(fc.nat(255))).map(([bytes, place, byte]) => {
    const at = place % Math.max(1, bytes.length);
    return byte === null || bytes.length === 0 ? bytes.slice(0, at) : bytes.with(at, byte);
  });
