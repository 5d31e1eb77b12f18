import { expect, test } from 'vitest';
import { createOutput } from './output.ts';
import { exitCodeOf, lineOf, type StateName, type View } from './view.ts';

const AT = new Date('2026-05-03T14:03:22');
const FACTS: View['facts'] = {
  queue: 0,
  isOffline: false,
  stopped: 0,
  unread: 0,
  left: 0,
  rejected: 2,
  old: 0,
  stored: 410,
  decided: 0,
  on_course: 0,
  rows: 412,
  missing: 38,
  official: null,
};

const viewWith = (state: StateName, facts: Partial<View['facts']> = {}, why = ''): View => ({
  state,
  why,
  facts: { ...FACTS, ...facts },
  files: [],
  questions: [],
  told: [],
  senders: [],
});

test.each<[StateName, Partial<View['facts']>, number]>([
  ['OK', { rejected: 0 }, 0],
  ['OK', {}, 1],
  ['OFFLINE', { queue: 3 }, 6],
  ['SENDING', { queue: 3 }, 6],
  ['LOOK', { left: 3, isOffline: true }, 4],
  ['STOPPED', { stopped: 1 }, 4],
])('ends %s with %o in %i', (state, facts, exitCode) => {
  expect(exitCodeOf(viewWith(state, facts))).toBe(exitCode);
});

test.each([
  [80, 'OFFLINE  14:03:22  queue 7  left 1  rejected 2  412 rows  missing 38  no network'],
  [60, 'OFFLINE  14:03:22  queue 7  left 1  rejected 2  412 rows'],
])('never hides that it is offline, and the queue, in %i columns', (columns, line) => {
  const offline = viewWith('OFFLINE', { queue: 7, left: 1, isOffline: true }, 'no network');
  expect(lineOf(offline, '14:03:22', columns)).toBe(line);
  const stopped = viewWith('STOPPED', { queue: 7, stopped: 1, isOffline: true }, 'r.csv: header');
  expect(lineOf(stopped, '14:03:22', columns)).toMatch(
    /^STOPPED {2}14:03:22 {2}OFFLINE {2}queue 7 {2}.*r\.csv: header$/,
  );
});

test.each([80, 60])('has the reason of STOPPED in %i columns', (columns) => {
  const why = 'finish.csv: times of day';
  const line = lineOf(viewWith('STOPPED', { stopped: 1 }, why), '14:03:22', columns);
  expect([line.length <= columns, line.endsWith(why)]).toEqual([true, true]);
});

test('S22: says as much of the reason as there is room for', () => {
  const look = viewWith('LOOK', { rejected: 1, rows: 9, missing: null }, 'x'.repeat(90));
  const line = lineOf(look, '14:03:22', 80);
  expect(line).toMatch(/^LOOK {5}14:03:22 {2}queue 0 {2}rejected 1 {2}9 rows {2}x+…$/);
  expect(line).toHaveLength(80);
});

function streams(isTTY: boolean, settings = { isJson: false }) {
  const written: string[] = [];
  const terminal = { isTTY, columns: 200, write: (text: string) => written.push(text) > 0 };
  return { written, output: createOutput(settings, { stdout: terminal, stderr: terminal }) };
}

test('S23: prints a line without a terminal only when something has changed', () => {
  const { written, output } = streams(false);
  output.status(viewWith('OK'), AT);
  output.status(viewWith('OK'), new Date(0));
  output.status(viewWith('OK', { queue: 3 }), AT);
  output.end();
  expect(written).toEqual([
    'OK       14:03:22  queue 0  rejected 2  412 rows  missing 38\n',
    'OK       14:03:22  queue 3  rejected 2  412 rows  missing 38\n',
  ]);
});

test('draws one line in a terminal, and other lines above it', () => {
  const { written, output } = streams(true);
  output.status(viewWith('OK'), AT);
  output.progress('note', {}, 'A note');
  output.status(viewWith('OK'), AT);
  output.end();
  const [first, cleared, note, again, end] = written;
  expect(first).toMatch(/^OK .*missing 38$/);
  expect([cleared, note, end]).toEqual(['\r\u001b[2K', 'A note\n', '\n']);
  expect(again).toBe(first);
});

test('O07: colours what needs a person where the terminal has colours', () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  for (const isColoured of [true, false]) {
    const terminal = { isTTY: true, columns: 200, write, hasColors: () => isColoured };
    const output = createOutput({ isJson: false }, { stdout: terminal, stderr: terminal });
    output.error('x', {}, 'Look');
    output.status(viewWith('STOPPED'), AT);
    output.status(viewWith('LOOK'), AT);
    output.end();
  }
  const shown = written.join('');
  expect(shown.split('\u001b[31m')).toHaveLength(3);
  expect(shown.split('\u001b[33m')).toHaveLength(2);
});

test('rings once when a person is needed', () => {
  const { written, output } = streams(true);
  const look = viewWith('LOOK');
  const views = [viewWith('OK'), look, viewWith('LOOK', { queue: 1 }), viewWith('OK'), look];
  for (const view of views) output.status(view, AT);
  expect(written.filter((text) => text.endsWith('\u0007'))).toHaveLength(2);
  for (const stopped of [1, 2, 2]) output.status(viewWith('STOPPED', { stopped }), AT);
  expect(written.filter((text) => text.endsWith('\u0007'))).toHaveLength(4);
});

test('O06: prints one object a line with --json', () => {
  const json = streams(true, { isJson: true });
  json.output.status(viewWith('OK'), AT);
  expect(JSON.parse(json.written.join(''))).toMatchObject({
    type: 'status',
    state: 'OK',
    queue: 0,
    missing: 38,
  });
});

test.each([false, true])(
  'S20: lets no text of others steer the terminal, with --json: %s',
  (isJson) => {
    const { written, output } = streams(true, { isJson });
    const hostile = 'a\u001b]0;x\u0007\u009b2J\u202eb\rc';
    output.warning('x', { hostile }, hostile);
    const printed = written.join('').replaceAll('\u001b[33m', '').replaceAll('\u001b[39m', '');
    for (const control of ['\u001b', '\u0007', '\u009b', '\u202e', '\r']) {
      expect(printed).not.toContain(control);
    }
    expect(printed).toContain('2J');
  },
);
