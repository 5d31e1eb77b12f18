import { deflateRawSync, crc32 as sum } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { unpack, type ZipEntry } from './zip.ts';

const TEXT = new TextEncoder().encode('Dorsal;Tiempo\n'.repeat(20_000));

const entryOf = (unpacked: Uint8Array, changes: Partial<ZipEntry> = {}): ZipEntry => ({
  isDeflated: true,
  bytes: deflateRawSync(unpacked),
  size: unpacked.length,
  checksum: sum(unpacked),
  ...changes,
});

// A browser has no zlib.
describe.each([
  ['Node’s zlib', undefined],
  ['no zlib', null],
] as const)('with %s', (_what, by) => {
  async function unpacked(entry: ZipEntry): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for await (const piece of unpack(entry, by)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  test('yields the content in pieces', async () => {
    const entry = entryOf(TEXT);
    expect(await unpacked(entry)).toEqual(Buffer.from(TEXT));
    expect(await unpacked({ ...entry, isDeflated: false, bytes: TEXT })).toEqual(Buffer.from(TEXT));
  });

  test('ignores bytes behind the content', async () => {
    const { bytes } = entryOf(TEXT);
    const more = Buffer.concat([bytes, new Uint8Array(70_000)]);
    expect(await unpacked(entryOf(TEXT, { bytes: more }))).toEqual(Buffer.from(TEXT));
  });

  test.each([
    ['a cut off content', ({ bytes }: ZipEntry) => ({ bytes: bytes.subarray(0, -5) })],
    ['no content', () => ({ bytes: new Uint8Array() })],
    ['bytes that are no content', () => ({ bytes: new Uint8Array(100).fill(0xff) })],
    ['a wrong checksum', ({ checksum }: ZipEntry) => ({ checksum: checksum ^ 1 })],
    ['a larger size', ({ size }: ZipEntry) => ({ size: size + 1 })],
    ['a smaller size', ({ size }: ZipEntry) => ({ size: size - 1 })],
  ])('refuses %s', async (_name, change) => {
    const entry = entryOf(TEXT);
    await expect(unpacked({ ...entry, ...change(entry) })).rejects.toThrow(/broken or cut off/);
  });

  test('unpacks hardly more than the size', async () => {
    const bomb = entryOf(new Uint8Array(40_000_000), { size: 1_000_000 });
    let length = 0;
    const read = async () => {
      for await (const piece of unpack(bomb, by)) length += piece.length;
    };
    await expect(read()).rejects.toThrow(/broken or cut off/);
    expect(length).toBeLessThanOrEqual(1_000_000);
  });

  test('lets a reader leave', async () => {
    for await (const piece of unpack(entryOf(TEXT), by)) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
  });
});
