import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { endsInLineEnd, FileWatch, type Look, wholeLines } from './file-snapshot.ts';

const SETTLE_MS = 2_000;

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function watchedFile() {
  const path = join(folderOf(), 'r.csv');
  const watch = new FileWatch(path, SETTLE_MS);
  let nowMs = 0;
  return {
    path,
    watch,
    /** Looks after so many milliseconds. */
    after(ms: number): Promise<Look> {
      nowMs += ms;
      return watch.look(nowMs);
    },
  };
}

const textOf = (look: Look): string =>
  look.kind === 'changed' ? Buffer.from(look.snapshot.bytes).toString() : look.kind;

test('reads a file when it has been calm, and not again', async () => {
  const { path, after } = watchedFile();
  expect(textOf(await after(0))).toBe('absent');
  writeFileSync(path, 'a\n');
  expect(textOf(await after(250))).toBe('busy');
  expect(textOf(await after(SETTLE_MS - 1))).toBe('busy');
  appendFileSync(path, 'b\n');
  expect(textOf(await after(1))).toBe('busy');
  expect(textOf(await after(SETTLE_MS))).toBe('a\nb\n');
  expect(textOf(await after(SETTLE_MS))).toBe('unchanged');
});

test('sees a rewrite of the same size, and passes over one of the same content', async () => {
  const { path, after } = watchedFile();
  writeFileSync(path, 'a\n');
  await after(0);
  await after(SETTLE_MS);
  utimesSync(path, 1, 1);
  await after(0);
  expect(textOf(await after(SETTLE_MS))).toBe('unchanged');
  writeFileSync(path, 'b\n');
  await after(0);
  expect(textOf(await after(SETTLE_MS))).toBe('b\n');
});

test('sees a file that replaces another, even with its size and time', async () => {
  const { path, after } = watchedFile();
  writeFileSync(path, 'a\n');
  utimesSync(path, 1, 1);
  await after(0);
  await after(SETTLE_MS);
  writeFileSync(`${path}.tmp`, 'b\n');
  utimesSync(`${path}.tmp`, 1, 1);
  renameSync(`${path}.tmp`, path);
  await after(0);
  expect(textOf(await after(SETTLE_MS))).toBe('b\n');
});

test('waits for the end of the last line, and leaves the line out if it never comes', async () => {
  const { path, after } = watchedFile();
  writeFileSync(path, 'a\n1:28');
  await after(0);
  expect(textOf(await after(SETTLE_MS))).toBe('cut');
  const look = await after(5 * SETTLE_MS);
  expect(textOf(look)).toBe('a\n');
  expect(look).toMatchObject({ snapshot: { isCut: true } });
  appendFileSync(path, ':03\n');
  await after(0);
  expect(textOf(await after(SETTLE_MS))).toBe('a\n1:28:03\n');
});

test('reads of a file that is never calm what stays as it is', async () => {
  const { path, after } = watchedFile();
  writeFileSync(path, 'a\n');
  for (let step = 0; step < 10; step++) {
    appendFileSync(path, `${step}\n`);
    expect(textOf(await after(SETTLE_MS / 2))).toBe('busy');
  }
  appendFileSync(path, 'b\nhal');
  expect(textOf(await after(SETTLE_MS / 2))).toBe('busy');
  appendFileSync(path, 'f\n');
  expect(textOf(await after(SETTLE_MS / 2))).toBe('a\n0\n1\n2\n3\n4\n5\n6\n7\n8\n9\nb\n');
});

test('takes the newest file of a folder that may have results', async () => {
  const folder = folderOf();
  mkdirSync(join(folder, 'x.csv'));
  for (const [name, at] of [
    ['old.csv', 1],
    ['new.TXT', 2],
    ['.hidden.csv', 3],
    ['~$new.csv', 3],
    ['photo.jpg', 4],
  ] as const) {
    writeFileSync(join(folder, name), `${name}\n`);
    utimesSync(join(folder, name), at, at);
  }
  const watch = new FileWatch(folder, SETTLE_MS);
  await watch.look(0);
  expect(textOf(await watch.look(SETTLE_MS))).toBe('new.TXT\n');
  writeFileSync(join(folder, 'newer.csv'), 'newer\n');
  await watch.look(SETTLE_MS);
  expect(textOf(await watch.look(2 * SETTLE_MS))).toBe('newer\n');
});

test('returns a file once more when it is asked to', async () => {
  const { path, after, watch } = watchedFile();
  writeFileSync(path, 'a\n');
  await after(0);
  await after(SETTLE_MS);
  watch.forget();
  await after(0);
  expect(textOf(await after(SETTLE_MS))).toBe('a\n');
});

test.each<[string, Buffer, boolean]>([
  ['LF', Buffer.from('a\n'), true],
  ['CR', Buffer.from('a\r'), true],
  ['no line end', Buffer.from('a'), false],
  ['nothing', Buffer.from(''), true],
  ['UTF-16', Buffer.from('\uFEFFa\r\n', 'utf16le'), true],
  ['UTF-16 that is cut in a character', Buffer.from('\uFEFFa\n', 'utf16le').subarray(0, 5), false],
])('knows the line end of a file with %s', (_, bytes, ends) => {
  expect(endsInLineEnd(bytes)).toBe(ends);
});

test('whole lines are the longest start that ends in a line end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'ñ', '\n', '\r')),
      fc.constantFrom('utf8' as const, 'utf16le' as const),
      (characters, encoding) => {
        const mark = encoding === 'utf16le' ? '\uFEFF' : '';
        const text = characters.join('');
        const whole = Buffer.from(wholeLines(Buffer.from(mark + text, encoding)));
        const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
        expect(whole.toString(encoding).replace('\uFEFF', '')).toBe(text.slice(0, end));
      },
    ),
  );
});
