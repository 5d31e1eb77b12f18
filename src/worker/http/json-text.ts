import { JSON_ROWS_MAX, SPLIT_NAMES_MAX } from '../../timing-files/read/result.ts';
import { invalid } from '../errors.ts';
import { createBracketFinder } from '../json-brackets.ts';

/** Nested arrays and objects in a JSON body. An upload needs four levels. */
export const JSON_DEPTH_MAX = 20;

/** Values in a JSON body: 100 for each row. */
export const JSON_VALUES_MAX = 100 * JSON_ROWS_MAX;

/** Members of one array or object in a JSON body: a list of rows, and as many more. Distinct names take the most memory. */
export const JSON_MEMBERS_MAX = 2 * JSON_ROWS_MAX;

/** Different names in a JSON body: those of the splits of an upload, and as many more. */
export const JSON_NAMES_MAX = 2 * SPLIT_NAMES_MAX;

/**
 * The text of a JSON body. Depth, values and names are counted before parsing: parsed, a few MiB of brackets take
 * hundreds of MiB.
 * @throws ApiError VALIDATION_ERROR if it is nested too deep, has too many values or names or is not UTF-8
 */
export async function readJsonText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  const count = createJsonCounter();
  let text = '';
  for await (const piece of body) {
    count(piece);
    text += decode(utf8, piece);
  }
  return text + decode(utf8);
}

/** @throws ApiError VALIDATION_ERROR */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(
      'not_json',
      `The body is not JSON: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
}

/** Counts levels, values and names in the bytes of a JSON text. The bytes may be cut anywhere. */
function createJsonCounter(): (bytes: Uint8Array) => void {
  let depth = 0;
  // A comma or an opening bracket precedes every value except the first.
  let values = 1;
  /** Members so far of the open array or object at each depth. */
  const members = new Uint32Array(JSON_DEPTH_MAX + 1);
  const names = new Set<number>();
  let readBytes = 0;

  const findBrackets = createBracketFinder({
    open(at) {
      values += 1;
      depth += 1;
      if (depth > JSON_DEPTH_MAX) throw nestedTooDeep(readBytes + at);
      members[depth] = 1;
    },
    close() {
      depth -= 1;
    },
    comma() {
      values += 1;
      const count = (members[depth] ?? 0) + 1;
      if (count > JSON_MEMBERS_MAX) throw tooManyMembers();
      members[depth] = count;
    },
    name(digest) {
      if (names.add(digest).size > JSON_NAMES_MAX) throw tooManyNames();
    },
  });

  return (bytes) => {
    findBrackets(bytes);
    readBytes += bytes.length;
    if (values > JSON_VALUES_MAX) throw tooManyValues();
  };
}

function decode(utf8: TextDecoder, piece?: Uint8Array): string {
  try {
    return piece ? utf8.decode(piece, { stream: true }) : utf8.decode();
  } catch {
    throw invalid('not_json', 'The body is not in UTF-8.');
  }
}

export const nestedTooDeep = (place: number) =>
  invalid(
    'json_too_large',
    `The JSON is nested deeper than ${JSON_DEPTH_MAX} levels at byte ${place}; ` +
      `at most ${JSON_DEPTH_MAX} are accepted.`,
  );

export const tooManyValues = () =>
  invalid('json_too_large', `The JSON has more than ${JSON_VALUES_MAX} values; send it in parts.`);

export const tooManyNames = () =>
  invalid(
    'json_too_large',
    `The JSON has more than ${JSON_NAMES_MAX} different names; send it in parts.`,
  );

export const tooManyMembers = () =>
  invalid(
    'json_too_large',
    `An array or object of the JSON has more than ${JSON_MEMBERS_MAX} members; send it in parts.`,
  );

/** An escaped sign. JSON.stringify escapes a half of a surrogate pair only if the other half is missing. */
const ESCAPED = /\\(?:u(d[89a-f][\da-f]{2})|.)/g;

/** A value as JSON that every decoder reads: a half of a surrogate pair is replaced by U+FFFD, as browsers do. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replaceAll(ESCAPED, (escaped, half) => (half === undefined ? escaped : '\ufffd'));
}
