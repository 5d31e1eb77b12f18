import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { exportTo } from './export-file.ts';
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
  let clocksBack = 0;
  const write = exportTo(path, ['Km 5'], async () => {
    seen.push(readFileSync(path, 'utf8'));
  });
  for (let bib = 1; bib <= 12; bib++) {
    await write([report(bib, 10)]);
    const text = readFileSync(path, 'utf8');
    seen.push(text);
    expect(text.split('\r\n')[0]).toBe('bib;status;chip_time;gun_time;Km 5');
    expect(text).toContain(`\r\n${bib};FINISHED;00:40:10.000;;00:20:00.000`);
    if (statSync(path).mtimeMs < Date.now() / 2) clocksBack += 1;
  }
  expect(clocksBack).toBe(2);
  expect(seen.filter((text) => !text.includes('\r\n1;')).length).toBeGreaterThan(0);
  await write([report(3, 59), report(13, 10)]);
  await write([]);
  const text = readFileSync(path, 'utf8');
  expect(text.match(/^3;FINISHED;00:40:59.000/gm)).toHaveLength(1);
  expect(text.trimEnd().split('\r\n')).toHaveLength(14);
  expect(seen.some((half) => !half.endsWith('\r\n'))).toBe(true);
  expect(seen.some((half) => /00:4$/.test(half) || /;[^;]{1,11}$/.test(half))).toBe(true);
});
