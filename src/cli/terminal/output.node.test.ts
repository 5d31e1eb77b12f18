import { expect, test } from 'vitest';
import { createOutput, exitCodeOf, type Facts, shownState } from './output.ts';

const AT = new Date('2026-05-03T14:03:22');
const FACTS: Facts = {
  stopped: undefined,
  heldBack: 0,
  heldWhy: '',
  offline: undefined,
  unchangedMinutes: 0,
  fileRows: 412,
  queue: 0,
  rejected: 2,
  missing: 38,
  held: 1,
};

test.each<[Partial<Facts>, string, number]>([
  [{}, 'OK', 1],
  [{ unchangedMinutes: 12 }, 'FILE UNCHANGED for 12 min', 1],
  [
    { offline: 'no network', queue: 3, unchangedMinutes: 12 },
    'OFFLINE, 3 rows in the queue: no network',
    6,
  ],
  [
    { heldBack: 3, heldWhy: 'bib 61 DSQ, file FINISHED 01:28:03.000', offline: 'no network' },
    'HELD BACK 3 rows: bib 61 DSQ, file FINISHED 01:28:03.000',
    4,
  ],
  [{ stopped: 'r.csv: another header', heldBack: 3 }, 'STOPPED: r.csv: another header', 4],
])('says first what needs a person: %o', (facts, text, exitCode) => {
  const shown = shownState({ ...FACTS, ...facts });
  expect(shown.text).toBe(text);
  expect(exitCodeOf(shown.state, FACTS.rejected)).toBe(exitCode);
});

test('says the state in 60 columns', () => {
  const long = shownState({ ...FACTS, stopped: 'x'.repeat(100) }).text;
  expect(long).toHaveLength(60);
});

function streams(isTTY: boolean, settings = { isJson: false, isQuiet: false }) {
  const written: string[] = [];
  const terminal = { isTTY, columns: 200, write: (text: string) => written.push(text) > 0 };
  return { written, output: createOutput(settings, { stdout: terminal, stderr: terminal }) };
}

test('prints a line without a terminal only when something has changed', () => {
  const { written, output } = streams(false);
  output.status(FACTS, AT);
  output.status({ ...FACTS }, new Date(0));
  output.status({ ...FACTS, queue: 3 }, AT);
  output.end();
  expect(written).toEqual([
    'OK  14:03:22  412 rows  queue 0  rejected 2  missing 38  held 1\n',
    'OK  14:03:22  412 rows  queue 3  rejected 2  missing 38  held 1\n',
  ]);
});

test('draws one line in a terminal, and other lines above it', () => {
  const { written, output } = streams(true);
  output.status(FACTS, AT);
  output.progress('note', {}, 'A note');
  output.status(FACTS, AT);
  output.end();
  const [first, cleared, note, again, end] = written;
  expect(first).toMatch(/^OK .*held 1$/);
  expect([cleared, note, end]).toEqual(['\r\u001b[2K', 'A note\n', '\n']);
  expect(again).toBe(first);
});

test('colours what needs a person where the terminal has colours', () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  const settings = { isJson: false, isQuiet: false };
  for (const isColoured of [true, false]) {
    const terminal = { isTTY: true, columns: 200, write, hasColors: () => isColoured };
    const output = createOutput(settings, { stdout: terminal, stderr: terminal });
    output.error('x', {}, 'Look');
    output.status({ ...FACTS, stopped: 'r.csv' }, AT);
    output.end();
  }
  const shown = written.join('');
  expect(shown.split('\u001b[31m')).toHaveLength(3);
  expect(shown.match(/(Look|STOPPED)/g)).toHaveLength(4);
});

test('rings once when a person is needed', () => {
  const { written, output } = streams(true);
  const stopped = { ...FACTS, stopped: 'r.csv: another header' };
  for (const facts of [FACTS, stopped, { ...stopped, queue: 1 }, FACTS, stopped])
    output.status(facts, AT);
  expect(written.filter((text) => text === '\u0007')).toHaveLength(2);
});

test('prints one object a line with --json, and nothing with --quiet', () => {
  const json = streams(true, { isJson: true, isQuiet: false });
  json.output.status(FACTS, AT);
  expect(JSON.parse(json.written.join(''))).toMatchObject({
    type: 'status',
    state: 'OK',
    queue: 0,
    missing: 38,
  });
  const quiet = streams(true, { isJson: false, isQuiet: true });
  quiet.output.status(FACTS, AT);
  expect(quiet.written).toEqual([]);
});

test.each([false, true])('lets no text of others steer the terminal, with --json: %s', (isJson) => {
  const { written, output } = streams(true, { isJson, isQuiet: false });
  const hostile = 'a\u001b]0;x\u0007\u009b2J\u202eb\rc';
  output.warning('x', { hostile }, hostile);
  const printed = written.join('').replaceAll('\u001b[33m', '').replaceAll('\u001b[39m', '');
  for (const control of ['\u001b', '\u0007', '\u009b', '\u202e', '\r']) {
    expect(printed).not.toContain(control);
  }
  expect(printed).toContain('2J');
});
