import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startExport } from './export-file.ts';
import type { Report } from './plan.ts';

const report = (bib: number, seconds: number): Report => ({
  atMs: 0,
  row: {
    bib_number: `${bib}`,
    status: 'FINISHED',
    chip_time: `00:40:${seconds}.000`,
    splits: { 'Km 5': '00:20:00.000' },
  },
});

test('writes every row whole in the end, and at times half', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'results.csv');
  const seen: string[] = [];
  const file = await startExport(path, ['Km 5'], async () => {
    seen.push(readFileSync(path, 'utf8'));
  });
  for (let bib = 1; bib <= 10; bib++) {
    await file.write([report(bib, 10)]);
    const lines = readFileSync(path, 'utf8').split('\r\n');
    expect(lines.slice(0, 2)).toEqual([
      'bib;status;chip_time;gun_time;Km 5',
      '1;FINISHED;00:40:10.000;;00:20:00.000',
    ]);
    expect(lines).toHaveLength(bib + 2);
  }
  await file.write([report(3, 59), report(11, 10)]);
  const text = readFileSync(path, 'utf8');
  expect(text.match(/^3;FINISHED;00:40:59.000/gm)).toHaveLength(1);
  expect(file.rows()).toBe(11);
  expect(seen.some((half) => !half.endsWith('\r\n'))).toBe(true);
});
