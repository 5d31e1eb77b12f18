import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { endsInLineEnd, type Version, WatchedFiles, wholeLines } from './watched-files.ts';

const SETTLE_MS = 2_000;

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'watched-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Files that are looked at by a clock of the test. */
function watchedFiles(target: string) {
  const files = new WatchedFiles([target], SETTLE_MS);
  let nowMs = 0;
  let problems: string[] = [];
  const after = async (ms: number): Promise<Version[]> => {
    nowMs += ms;
    problems = [];
    const versions: Version[] = [];
    for await (const found of files.look(nowMs)) {
      if ('problem' in found) problems.push(found.problem);
      else versions.push(found);
    }
    return versions;
  };
  return {
    files,
    after,
    textAfter: async (ms: number): Promise<string> =>
      (await after(ms)).map(({ bytes }) => Buffer.from(bytes).toString()).join(),
    problems: () => problems,
  };
}

function watchedFile() {
  const path = join(folderOf(), 'r.csv');
  return { path, ...watchedFiles(path) };
}

test('reads a file when it has been calm, and not again', async () => {
  const { path, after, textAfter, problems } = watchedFile();
  expect(await textAfter(0)).toBe('');
  expect(problems()).toEqual(['ENOENT']);
  writeFileSync(path, 'a\n');
  expect(await textAfter(250)).toBe('');
  expect(problems()).toEqual([]);
  expect(await textAfter(SETTLE_MS - 1)).toBe('');
  expect(await after(1)).toMatchObject([{ isPartial: false }]);
  expect(await textAfter(SETTLE_MS)).toBe('');
});

test('S02 W04: counts a file as unread until its reader asks for the next', async () => {
  const { path, files, after } = watchedFile();
  writeFileSync(path, 'a\n');
  await after(0);
  expect(files.pending).toBe(1);
  const counts: number[] = [];
  for await (const _ of files.look(SETTLE_MS)) counts.push(files.pending);
  expect([...counts, files.pending]).toEqual([1, 0]);
});

test('reads a file that changes all the time as a part, and as a whole when it is calm', async () => {
  const { path, after, textAfter } = watchedFile();
  writeFileSync(path, 'a\n');
  await after(0);
  appendFileSync(path, 'b\n');
  expect(await textAfter(SETTLE_MS - 1)).toBe('');
  const [part] = await after(1);
  expect(part).toMatchObject({ bytes: Buffer.from('a\nb\n'), isPartial: true });
  const [whole] = await after(SETTLE_MS);
  expect(whole).toMatchObject({ bytes: Buffer.from('a\nb\n'), isPartial: false });
  expect(await textAfter(SETTLE_MS)).toBe('');
});

test('sees a rewrite of the same size, and passes over one of the same content', async () => {
  const { path, textAfter } = watchedFile();
  writeFileSync(path, 'a\n');
  await textAfter(0);
  expect(await textAfter(SETTLE_MS)).toBe('a\n');
  utimesSync(path, 1, 1);
  await textAfter(0);
  expect(await textAfter(SETTLE_MS)).toBe('');
  writeFileSync(path, 'b\n');
  await textAfter(0);
  expect(await textAfter(SETTLE_MS)).toBe('b\n');
});

test('sees a file that replaces another, even with its size and time', async () => {
  const { path, textAfter } = watchedFile();
  writeFileSync(path, 'a\n');
  utimesSync(path, 1, 1);
  await textAfter(0);
  await textAfter(SETTLE_MS);
  writeFileSync(`${path}.tmp`, 'b\n');
  utimesSync(`${path}.tmp`, 1, 1);
  renameSync(`${path}.tmp`, path);
  await textAfter(0);
  expect(await textAfter(SETTLE_MS)).toBe('b\n');
});

test('F43: waits 10 s for the end of the last line, and then takes the line without it', async () => {
  const { path, after, textAfter } = watchedFile();
  writeFileSync(path, 'a\n1:28');
  await after(0);
  const [whole] = await after(SETTLE_MS);
  expect(Buffer.from(whole?.bytes ?? []).toString()).toBe('a\n');
  expect(whole).toMatchObject({ isPartial: true, isCut: false });
  appendFileSync(path, ':03');
  await after(0);
  expect(await textAfter(SETTLE_MS)).toBe('');
  expect(await textAfter(10_000 - SETTLE_MS - 1)).toBe('');
  const [all] = await after(1);
  expect(Buffer.from(all?.bytes ?? []).toString()).toBe('a\n1:28:03');
  expect(all).toMatchObject({ isPartial: false, isCut: true });
  expect(await textAfter(10_000)).toBe('');
});

test('reads the whole lines of a file that is never calm, every 2 s', async () => {
  const { path, after } = watchedFile();
  writeFileSync(path, 'a\n');
  const read: string[] = [];
  for (let step = 0; step <= 20; step++) {
    appendFileSync(path, `${step}\nhal`);
    for (const { bytes, isPartial } of await after(SETTLE_MS / 2)) {
      expect(isPartial).toBe(true);
      read.push(Buffer.from(bytes).toString());
    }
  }
  expect(read).toHaveLength(10);
  expect(read[0]).toMatch(/^a\n0\nhal1\nhal2\n$/);
  expect(read[9]).toMatch(/hal20\n$/);
});

test('names a file that cannot be read, after 10 s', async () => {
  const { path, after, problems } = watchedFile();
  const isRoot = process.getuid?.() === 0;
  // Root reads a file without permissions, but not the first byte of a process's memory.
  if (isRoot) symlinkSync('/proc/self/mem', path);
  else writeFileSync(path, 'a\n', { mode: 0o000 });
  await after(0);
  await after(SETTLE_MS);
  expect(problems()).toEqual([]);
  await after(10_000);
  expect(problems()).toEqual([isRoot ? 'EIO' : 'EACCES']);
  rmSync(path);
  writeFileSync(path, 'a\n');
  await after(1);
  await after(SETTLE_MS);
  expect(problems()).toEqual([]);
});

test('says that a folder is away after a pause alone, and knows when it is back', async () => {
  const folder = folderOf();
  const { files, after, problems } = watchedFiles(folder);
  await after(0);
  rmSync(folder, { recursive: true });
  await after(400);
  expect([problems(), files.isAway(folder)]).toEqual([[], true]);
  await after(5 * SETTLE_MS);
  expect(problems()).toEqual(['ENOENT']);
  mkdirSync(folder);
  await after(250);
  expect([problems(), files.isAway(folder)]).toEqual([[], false]);
});

test('takes a link to itself for a file that is away', async () => {
  const { path, after, problems } = watchedFile();
  symlinkSync(path, path);
  expect(await after(0)).toEqual([]);
  expect(problems()).toEqual(['ENOENT']);
});

test('takes an error of the system that it does not know for a file that is away', async () => {
  const { after, problems } = watchedFiles(join(folderOf(), `${'long'.repeat(100)}.csv`));
  expect(await after(0)).toEqual([]);
  expect(problems()).toEqual(['ENOENT']);
});

test('F45 F46: reads every file of a folder that may have results, by name and not by time', async () => {
  const folder = folderOf();
  mkdirSync(join(folder, 'x.csv'));
  const names = ['run 10.csv', 'run 9.TXT', '.hidden.csv', '~$run.csv', 'photo.jpg', 'run 11.tsv'];
  for (const [at, name] of names.entries()) {
    writeFileSync(join(folder, name), `${name}\n`);
    utimesSync(join(folder, name), 100 - at, 100 - at);
  }
  const { after } = watchedFiles(folder);
  await after(0);
  const versions = await after(SETTLE_MS);
  const read = versions.map(({ file }) => basename(file));
  expect(read).toEqual(['run 9.TXT', 'run 10.csv', 'run 11.tsv']);
  writeFileSync(join(folder, 'run 1.csv'), 'late\n');
  await after(1);
  expect((await after(SETTLE_MS)).map(({ file }) => basename(file))).toEqual(['run 1.csv']);
});

test('looks at a few of many files, and at all of them in turn', async () => {
  const folder = folderOf();
  for (let at = 0; at < 300; at++) writeFileSync(join(folder, `${at}.csv`), `${at}\n`);
  const { after } = watchedFiles(folder);
  await after(0);
  let read = 0;
  for (let step = 0; step < 20; step++) {
    const { length } = await after(SETTLE_MS);
    expect(length).toBeLessThanOrEqual(40);
    read += length;
  }
  expect(read).toBe(300);
  writeFileSync(join(folder, '7.csv'), 'changed\n');
  const changed: string[] = [];
  for (let step = 0; step < 20; step++) {
    for (const { file } of await after(SETTLE_MS)) changed.push(basename(file));
  }
  expect(changed).toEqual(['7.csv']);
});

test('returns a file once more when it is asked to', async () => {
  const { path, textAfter, files } = watchedFile();
  writeFileSync(path, 'a\n');
  await textAfter(0);
  await textAfter(SETTLE_MS);
  files.forget();
  expect(await textAfter(SETTLE_MS)).toBe('a\n');
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

test('takes the longest start that ends in a line end for whole lines', () => {
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
