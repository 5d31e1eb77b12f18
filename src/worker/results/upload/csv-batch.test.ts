import { expect, test, vi } from 'vitest';
import { streamOf } from '../../../testing/csv.ts';
import { workbookOf } from '../../../testing/workbook.ts';
import { FileError } from '../../../timing-files/read/file-error.ts';
import { PLAIN } from '../../../timing-files/read/parameters.ts';
import { readCsvBatch } from './csv-batch.ts';

const encoder = new TextEncoder();
const ROWS = 12_000;
const text = [
  'dorsal,tiempo,Ñandú',
  ...Array.from({ length: ROWS }, (_, at) => `${at},59:59,10:00`),
]
  .map((line) => `${line}\n`)
  .join('');

test('decodes each part of a file before the next one arrives', async () => {
  const decode = vi.spyOn(TextDecoder.prototype, 'decode');
  const decoded: number[] = [];
  async function* arriving() {
    const bytes = encoder.encode(text);
    for (let from = 0; from < bytes.length; from += 65_536) {
      decoded.push(decode.mock.calls.length);
      yield bytes.subarray(from, from + 65_536);
    }
  }
  const { total } = await readCsvBatch(arriving());
  decode.mockRestore();
  expect(total).toBe(ROWS);
  expect(decoded).toEqual([0, 1, 2, 3]);
});

test('reads a file as latin-1 from its first byte, and each row once, if its last byte says so', async () => {
  const last = Uint8Array.from([...encoder.encode('x,59:59,'), 0xf1]);
  const { total, errors, loadable } = await readCsvBatch(streamOf([encoder.encode(text), last]));
  expect({ total, errors }).toEqual({ total: ROWS + 1, errors: 0 });
  expect(loadable.splitNames).toContainEqual(['Ã‘andÃº']);
});

test('takes no part of a workbook for the whole, if the rest cannot be read', async () => {
  const rows = Array.from({ length: ROWS }, (_, at) => [`${at}`, '59:59']);
  const workbook = workbookOf({ Results: [['dorsal', 'tiempo'], ...rows] });
  let bytes = 0;
  const grow = (more: number) => {
    bytes += more;
    if (bytes > 100_000) throw FileError.of('workbook_broken');
  };
  const reading = readCsvBatch(streamOf([workbook]), PLAIN, { grow });
  await expect(reading).rejects.toThrow('The workbook is broken');
});
