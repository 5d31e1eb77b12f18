import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { RaceProgress } from './player.ts';
import { progressBar, raceClock } from './progress.ts';

const progress: RaceProgress = {
  clockMs: 2_537_000,
  endsAtMs: 5_074_000,
  passed: [
    { point: 'Start', count: 20 },
    { point: 'Km 5', count: 12 },
    { point: 'Finish', count: 2 },
  ],
  stored: { FINISHED: 2, DNF: 1, DNS: 1, DSQ: 0 },
  lastArrivals: [
    { bib_number: '17', status: 'FINISHED', chip_time: '00:42:03.120', splits: {} },
    { bib_number: '4', status: 'FINISHED', chip_time: '00:41:59.004', splits: {} },
  ],
  uploads: 3,
};

function screen(columns?: number) {
  const stream = new PassThrough();
  const output = columns === undefined ? stream : Object.assign(stream, { isTTY: true, columns });
  return { output, written: () => String(stream.read() ?? '') };
}

test('overwrites its two lines on a terminal', () => {
  const { output, written } = screen(120);
  const bar = progressBar(output);
  bar.show(progress);
  const lines = [
    '00:42:17 ████████████░░░░░░░░░░░░ 01:24:34  Start 20 · Km 5 12 · Finish 2',
    '2 finished, 1 DNF, 1 DNS, 0 DSQ in 3 uploads; last 17 00:42:03.120, 4 00:41:59.004',
  ];
  const CLEAR = '\u001b[0J';
  const UP_TWO = '\u001b[2A';
  expect(written()).toBe(`${CLEAR}${lines.join('\n')}\n`);
  bar.show(progress);
  expect(written()).toBe(`${UP_TWO}${CLEAR}${lines.join('\n')}\n`);
  bar.clear();
  expect(written()).toBe(`${UP_TWO}${CLEAR}`);
});

test('keeps each line shorter than the terminal', () => {
  const { output, written } = screen(30);
  progressBar(output).show(progress);
  const widths = written()
    .slice(4)
    .trimEnd()
    .split('\n')
    .map((line) => line.length);
  expect(widths).toEqual([29, 29]);
});

test('writes one line now and then to a log', () => {
  const { output, written } = screen();
  const bar = progressBar(output);
  bar.show(progress);
  bar.show(progress);
  bar.clear();
  expect(written()).toBe(
    '00:42:17  2 finished, 1 DNF, 1 DNS, 0 DSQ in 3 uploads; last 17 00:42:03.120, 4 00:41:59.004\n',
  );
});

test.each([
  [0, '00:00:00'],
  [59_999, '00:00:59'],
  [3_661_000, '01:01:01'],
  [360_000_000, '100:00:00'],
])('formats %d ms on the race clock as %s', (timeMs, shown) => {
  expect(raceClock(timeMs)).toBe(shown);
});
