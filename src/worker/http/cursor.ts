import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Moment } from '../db/since.ts';
import { invalid } from '../errors.ts';

/** The list that a cursor belongs to. A cursor has no meaning for another list. */
export type Copied = {
  list: 'participants' | 'results' | 'passings' | 'start-list';
  eventId: string;
};

/**
 * @property identity of the database
 * @property transaction fewer than 10¹⁸: PostgreSQL counts to 2⁶³
 */
type Cursor = Copied & { identity: string; transaction: string };

const FORM = /^([a-z-]+)\.([\da-f-]{36})\.([\da-f]{12})\.(\d{1,18})\.([\da-f]{1,8})$/;
const CURSOR_MAX = 200;

const checksum = (text: string): string => crc32(text).toString(16);

/** The identity of a database in few characters. @param generation raised by hand if a restore keeps the identity */
const shortIdentity = (identity: string, generation: string): string =>
  createHash('sha256').update(`${identity} ${generation}`).digest('hex').slice(0, 12);

/** The text of a cursor, in base64url. A cursor is no secret: the checksum finds a cut or mistyped cursor. */
export function writeCursor(
  { list, eventId }: Copied,
  { cursor, identity }: Moment,
  generation: string,
): string {
  const text = [list, eventId.toLowerCase(), shortIdentity(identity, generation), cursor].join('.');
  return Buffer.from(`${text}.${checksum(text)}`).toString('base64url');
}

/** @throws ApiError VALIDATION_ERROR unless the text is a cursor of this list */
export function readCursor(of: Copied, text: string): Cursor {
  const written = text.length > CURSOR_MAX ? '' : Buffer.from(text, 'base64url').toString('latin1');
  const [, list, eventId, identity = '', transaction = '', sum] = FORM.exec(written) ?? [];
  if (sum === undefined || checksum(written.slice(0, -sum.length - 1)) !== sum) {
    throw mangledCursor();
  }
  if (list !== of.list || eventId !== of.eventId.toLowerCase()) throw foreignCursor();
  return { ...of, identity, transaction };
}

/** @throws ApiError VALIDATION_ERROR if the cursor comes from another database */
export function checkCursor(
  { identity, transaction }: Cursor,
  now: Moment,
  generation: string,
): void {
  const isSame = identity === shortIdentity(now.identity, generation);
  if (!isSame || BigInt(transaction) > BigInt(now.cursor)) throw restoredDatabase();
}

const AGAIN = 'Read the list once from its start, with an empty changed_since.';

export const mangledCursor = () =>
  invalid(
    'bad_cursor',
    `changed_since: expected nothing or the Next-Cursor of an answer. ${AGAIN}`,
  );

export const foreignCursor = () =>
  invalid('bad_cursor', `changed_since: this cursor is of another list or event. ${AGAIN}`);

export const restoredDatabase = () =>
  invalid(
    'bad_cursor',
    `changed_since: this cursor is of another database, or of one before it was restored. ${AGAIN}`,
  );

export const filterBesideCursor = (name: string) =>
  invalid('filter_beside_cursor', `changed_since answers whole lists: send it without ${name}.`);
