import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'er_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
const STORED_PREFIX_LENGTH = 12;

/** A new key: `er_live_`, 32 random base62 characters and a checksum of 6. */
export function generateApiKey(): string {
  const unsigned = PREFIX + randomBase62(SECRET_LENGTH);
  return unsigned + checksum(unsigned);
}

/** Checks the shape and the checksum of a key, and not whether the key exists. */
export function isWellFormedApiKey(text: string): boolean {
  return (
    SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
  );
}

/** Tells a key of this service from another service's token. */
export const hasApiKeyPrefix = (text: string): boolean => text.startsWith(PREFIX);

/** SHA-256 in hex. The API never stores, counts or logs the key. */
export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** The stored start of a key: people recognize the key by this start. */
export const apiKeyPrefix = (key: string): string => key.slice(0, STORED_PREFIX_LENGTH);

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

function randomBase62(length: number): string {
  // A byte above the last multiple of 62 would favour the first characters of the alphabet.
  const ceiling = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < ceiling && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}
