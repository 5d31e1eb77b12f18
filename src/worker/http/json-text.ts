import { JSON_ROWS_MAX, SPLIT_NAMES_MAX } from '../../timing-files/read/result.ts';
import { atOnce } from '../../timing-files/read/turns.ts';
import { invalid } from '../errors.ts';
import { createBracketFinder } from '../json-brackets.ts';

/** Nested arrays and objects in a JSON body. An upload needs four levels. */
export const JSON_DEPTH_MAX = 20;

/** Values in a JSON body: 100 for each row. */
export const JSON_VALUES_MAX = 100 * JSON_ROWS_MAX;

/**
 * The limit of members of an array or object in a JSON body: twice the rows of a list. Distinct names take the most
 * memory.
 */
export const JSON_MEMBERS_MAX = 2 * JSON_ROWS_MAX;

/** The limit of different names in a JSON body: twice the splits of an upload. */
export const JSON_NAMES_MAX = 2 * SPLIT_NAMES_MAX;

/** Bytes of an array or object in a list of a JSON body, such as a row. A thousand splits take half of these bytes. */
export const JSON_ROW_MAX = 128 * 1_024;

/** The rows in `{"results": [{…}, …]}` have this depth. */
const ROW_DEPTH = 3;

/**
 * So much work keeps the processor busy for a few ms, whether names, failing rows or long texts make the work. A pause
 * makes the upload a millisecond longer.
 */
const WORK_AT_ONCE = 1_024 * 1_024;
/** The unit of work is a byte. A value with its name takes as long as these bytes of text. */
const WORK_OF_VALUE = 256;
/** Beyond its values, a row takes as long as 8 values. */
const WORK_OF_ROW = 8 * WORK_OF_VALUE;
/** The counting looks for a pause after so many bytes. */
const COUNTED_AT_ONCE = 16 * 1_024;

/** A JSON body with counted depth, values and names. Parsed without counting, a few MiB may take hundreds of MiB. */
export type JsonBody = {
  /** All values. Only for a small body. @throws ApiError VALIDATION_ERROR */
  parse(): unknown;
  /** All values, where `[2]` stands for the third row. @throws ApiError VALIDATION_ERROR */
  parseOuter(): unknown;
  /** The row behind an item of a list. Items that are not rows are values. @throws ApiError VALIDATION_ERROR */
  parseRow(item: unknown, label: string): unknown;
  /** Looks for errors in all rows, step by step. @throws ApiError VALIDATION_ERROR */
  check(): Generator<undefined, void>;
  /** Whether concurrent requests shall go on before the next row. */
  isPauseDue(): boolean;
  /** The number of rows, in all lists. */
  rows: number;
};

/** @throws ApiError VALIDATION_ERROR for too deep a nesting, too many values or names, or too long a row */
export const openJson = (bytes: Buffer): JsonBody => atOnce(openingJson(bytes));

/** Opens a large body step by step. @throws ApiError as `openJson` does */
export function* openingJson(bytes: Buffer): Generator<void, JsonBody> {
  const rows = yield* countJson(bytes);
  const { addWork, isPauseDue } = createPauses();
  // A part of a Buffer takes longer to make.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  function textOf(row: Row | undefined): string {
    const text = plain.subarray(row?.from, row?.to);
    addWork(text.length + WORK_OF_VALUE * (row?.values ?? 0) + WORK_OF_ROW);
    return decode(text);
  }

  return {
    rows: rows.length,
    isPauseDue,
    parse: () => parseJson(decode(bytes)),
    parseOuter: () => parseJson(decode(outerOf(bytes, rows))),
    parseRow: (item, label) =>
      Array.isArray(item) ? parseJson(textOf(rows[item[0]]), label) : item,
    *check() {
      for (const row of rows) {
        parseJson(textOf(row));
        if (isPauseDue()) yield undefined;
      }
    },
  };
}

export async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** @throws ApiError VALIDATION_ERROR */
function parseJson(text: string, label = ''): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(
      'not_json',
      `The body is not JSON: ${label}${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
}

function createPauses() {
  let work = 0;
  return {
    addWork(amount: number): void {
      work += amount;
    },
    isPauseDue(): boolean {
      if (work < WORK_AT_ONCE) return false;
      work = 0;
      return true;
    },
  };
}

type Row = { from: number; to: number; values: number };

/** Counts levels, values and names, and finds the rows. @throws ApiError VALIDATION_ERROR */
function* countJson(bytes: Buffer): Generator<void, Row[]> {
  let depth = 0;
  // A comma or an opening bracket precedes every value except the first.
  let values = 1;
  /**
   * Members so far of the open array or object at each depth. Outside of rows, all arrays and objects count together.
   */
  const members = new Uint32Array(JSON_DEPTH_MAX + 1).fill(1);
  const countNames = createNameCount(bytes);
  const rows: Row[] = [];
  /** Where the latest row begins, and the values before the row. */
  let from = 0;
  let before = 0;
  const { addWork, isPauseDue } = createPauses();

  function addValue(): void {
    values += 1;
    if (values > JSON_VALUES_MAX) throw tooManyValues();
  }

  const findBrackets = createBracketFinder({
    open(at) {
      addValue();
      depth += 1;
      if (depth > JSON_DEPTH_MAX) throw nestedTooDeep(at);
      if (depth < ROW_DEPTH) return;
      members[depth] = 1;
      if (depth > ROW_DEPTH) return;
      // A comma may be missing between rows.
      if (rows.length === JSON_MEMBERS_MAX) throw tooManyMembers();
      from = at;
      before = values;
    },
    close(at) {
      if (depth === ROW_DEPTH) {
        const to = at + 1;
        if (to - from > JSON_ROW_MAX) throw rowTooLong();
        rows.push({ from, to, values: values - before });
      }
      depth -= 1;
    },
    comma() {
      addValue();
      // Rows and values beside them are parsed together. Each list may be short, and the lists many.
      const level = Math.max(depth, ROW_DEPTH - 1);
      const count = (members[level] ?? 0) + 1;
      if (count > JSON_MEMBERS_MAX) throw tooManyMembers();
      members[level] = count;
    },
    name(from, to) {
      if (countNames(from, to) > JSON_NAMES_MAX) throw tooManyNames();
    },
  });
  for (let at = 0; at < bytes.length; ) {
    const [start, already] = [at, values];
    at = findBrackets(bytes, start, Math.min(start + COUNTED_AT_ONCE, bytes.length));
    addWork(at - start + WORK_OF_VALUE * (values - already));
    if (isPauseDue()) yield;
  }
  return rows;
}

/**
 * Counts different names. Most rows have the names of the row before in an equal order, so the name after the latest
 * name is compared with the name that followed last time: a text for each name would cost more than reading the rows.
 * @returns the number of different names so far
 */
function createNameCount(bytes: Buffer) {
  const known: Uint8Array[] = [];
  const places = new Map<string, number>();
  /** At `place + 1`, the place of the name that followed last time; at 0, the place of the first name. */
  const following: number[] = [];
  let latest = -1;

  return (from: number, to: number): number => {
    const expected = following[latest + 1];
    if (expected !== undefined && isEqual(known[expected], bytes, from, to)) {
      latest = expected;
      return known.length;
    }
    const name = bytes.toString('latin1', from, to);
    const place = places.get(name) ?? known.push(bytes.subarray(from, to)) - 1;
    places.set(name, place);
    following[latest + 1] = place;
    latest = place;
    return known.length;
  };
}

function isEqual(name: Uint8Array | undefined, bytes: Buffer, from: number, to: number): boolean {
  if (name?.length !== to - from) return false;
  for (let at = from; at < to; at++) if (bytes[at] !== name[at - from]) return false;
  return true;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** The bytes with `[2]` in place of the third row. */
function outerOf(bytes: Buffer, rows: readonly Row[]): Uint8Array {
  const inRows = rows.reduce((sum, { from, to }) => sum + to - from, 0);
  const longest = `[${rows.length}]`.length;
  const outer = new Uint8Array(bytes.length - inRows + rows.length * longest);
  let written = 0;
  let read = 0;
  function copy(to: number): void {
    outer.set(bytes.subarray(read, to), written);
    written += to - read;
  }
  for (const [index, { from, to }] of rows.entries()) {
    copy(from);
    for (const sign of `[${index}]`) outer[written++] = sign.charCodeAt(0);
    read = to;
  }
  copy(bytes.length);
  return outer.subarray(0, written);
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('not_json', 'The body is not in UTF-8.');
  }
}

export const nestedTooDeep = (byte: number) =>
  invalid(
    'json_too_large',
    `The JSON is nested deeper than ${JSON_DEPTH_MAX} levels at byte ${byte}; ` +
      `at most ${JSON_DEPTH_MAX} are accepted.`,
  );

export const rowTooLong = () =>
  invalid(
    'json_too_large',
    `A row of the JSON is longer than ${JSON_ROW_MAX / 1_024} KiB; leave out what no field of a row is for.`,
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

/** An escaped sign. JSON.stringify escapes half of a surrogate pair only if the second half is missing. */
const ESCAPED = /\\(?:u(d[89a-f][\da-f]{2})|.)/g;

/** A value as JSON for every decoder: U+FFFD replaces half a surrogate pair, as in browsers. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return text.replaceAll(ESCAPED, (escaped, half) => (half === undefined ? escaped : '\ufffd'));
}
