/** An object, or pairs. A name may repeat, or have a list of values. Undefined values are not sent. */
export type Query = object;

/**
 * The path and the query of a request. Each value of the path is encoded as one segment.
 * @throws TypeError if a value cannot be a segment of a path
 */
export function addressOf(path: string, ids: readonly unknown[], query: Query = {}): string {
  const left = [...ids];
  return path.replace(/\{\w+\}/g, () => segmentOf(left.shift())) + queryString(query);
}

/** Refuses `.` and `..`: URL parsers resolve both, even if encoded. */
function segmentOf(value: unknown): string {
  if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  const found = typeof value === 'string' ? JSON.stringify(value) : typeof value;
  throw new TypeError(
    `An id or a bib number must be a string other than "", "." and "..", not ${found}`,
  );
}

function queryString(query: Query): string {
  const pairs: readonly (readonly [string, unknown])[] = Array.isArray(query)
    ? query
    : Object.entries(query);
  const sent = pairs.flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, String(one)]])),
  );
  const text = new URLSearchParams(sent).toString();
  return text && `?${text}`;
}
