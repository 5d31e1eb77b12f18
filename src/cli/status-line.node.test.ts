import { expect, test } from 'vitest';
import { createOutput } from './output.ts';
import { createStatusLine, type Status, statusText } from './status-line.ts';

const at = (time: string) => new Date(`2026-05-03T${time}`);

const STATUS: Status = {
  connection: 'online',
  file: { at: at('14:03:20'), rows: 412 },
  ...{ added: 7, changed: 1, unchanged: 404, queue: 0, rejected: 2, rejectedBibs: ['27'] },
  ...{ missing: 38, held: 1, stopped: undefined },
};

test('says everything in one line', () => {
  expect(statusText(STATUS, at('14:03:22'))).toBe(
    '14:03:22 online  file 14:03:20 412 rows  +7 ~1 =404  queue 0  rejected 2 (bib 27)  missing 38  held 1',
  );
  const early = { ...STATUS, file: undefined, missing: undefined, rejectedBibs: [] };
  expect(statusText({ ...early, stopped: 'fewer_rows' }, at('09:00:00'))).toBe(
    '09:00:00 online  file -  +7 ~1 =404  queue 0  rejected 2  missing -  held 1  file not read: fewer_rows',
  );
});

function streams(isTTY: boolean, settings = { isJson: false, isQuiet: false }) {
  const written: string[] = [];
  const terminal = { isTTY, columns: 200, write: (text: string) => written.push(text) > 0 };
  const output = createOutput(settings, { stdout: terminal, stderr: terminal });
  return { written, line: createStatusLine(output, settings, terminal) };
}

test('prints a line without a terminal only when something has changed', () => {
  const { written, line } = streams(false);
  line.show(STATUS);
  line.show({ ...STATUS });
  line.show({ ...STATUS, queue: 3 });
  line.end();
  expect(written).toHaveLength(2);
  expect(written[1]).toMatch(/queue 3 .*\n$/);
});

test('draws one line in a terminal, and other lines above it', () => {
  const { written, line } = streams(true);
  line.show(STATUS);
  line.output.progress({ type: 'note' }, 'A note');
  line.show(STATUS);
  line.end();
  const [first, cleared, note, again, end] = written;
  expect(first).toMatch(/^\d\d:\d\d:\d\d online.*held 1$/);
  expect([cleared, note, end]).toEqual(['\r\u001b[2K', 'A note\n', '\n']);
  expect(again).toMatch(/held 1$/);
});

test('prints one object a line with --json, and nothing with --quiet', () => {
  const json = streams(true, { isJson: true, isQuiet: false });
  json.line.show(STATUS);
  expect(JSON.parse(json.written.join(''))).toMatchObject({
    ...{ type: 'status', queue: 0, rejected_bibs: ['27'], missing: 38 },
  });
  const quiet = streams(true, { isJson: false, isQuiet: true });
  quiet.line.show(STATUS);
  expect(quiet.written).toEqual([]);
});
