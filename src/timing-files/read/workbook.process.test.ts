import { cpuUsage } from 'node:process';
import { expect, test } from 'vitest';
import { streamOf } from '../../testing/csv.ts';
import { workbookOf } from '../../testing/workbook.ts';
import { FileError } from './file-error.ts';
import { openFile } from './open-file.ts';

const row = '<row><c><v>7</v></c><c><v>8</v></c></row>';
const KINDS: Readonly<Record<string, (count: number) => Uint8Array>> = {
  'blank rows': (count) => workbookOf({ A: `${row}${row}${'<row/>'.repeat(count)}` }),
  'unknown elements': (count) => workbookOf({ A: '<x/>'.repeat(count) }),
  'rows of two cells': (count) => workbookOf({ A: row.repeat(count / 8) }),
  'long texts outside of cells': (count) =>
    workbookOf({ A: `<f>${'x'.repeat(300_000)}</f>`.repeat(count / 100_000) }),
  'shared texts': (count) => workbookOf({ A: row }, { shared: '<si><t>x</t></si>'.repeat(count) }),
};

/** Milliseconds of processor time. */
async function costOf(workbook: Uint8Array): Promise<number> {
  const start = cpuUsage();
  try {
    await openFile(streamOf([workbook]), {});
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
  return cpuUsage(start).user / 1_000;
}

test.each(Object.entries(KINDS))('costs no more for each of more %s', async (_what, workbook) => {
  const few = workbook(200_000);
  const many = workbook(800_000);
  await costOf(few);
  const least = Math.min(await costOf(few), await costOf(few));
  expect(await costOf(many)).toBeLessThan(8 * least + 100);
});
