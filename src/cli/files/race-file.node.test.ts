import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { CliError } from '../exit-codes.ts';
import { readRaceFile, writeRaceFile } from './race-file.ts';

let folder: string;
const folders: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'race-file-'));
  folders.push(folder);
});
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});

const write = (text: string) => writeFileSync(join(folder, 'race.json'), text);

test('reads what it wrote, and leaves no other file', async () => {
  const readings = [{ header: ['Nº', 'Zeit'], read: 'bib=Nº' }];
  const race = { api: 'http://a', event: 'e', readings };
  await writeRaceFile(folder, { api: 'http://before' });
  await writeRaceFile(folder, race);
  expect(readRaceFile(folder)).toEqual(race);
  expect(readdirSync(folder)).toEqual(['race.json']);
});

test('reads a missing file as an empty one', () => {
  expect(readRaceFile(folder)).toEqual({});
});

test('reads a file that an editor saved with a byte order mark', () => {
  write('\uFEFF{ "event": "e" }');
  expect(readRaceFile(folder)).toEqual({ event: 'e' });
});

test.each([
  ['no JSON', '{ "event": ', 'JSON'],
  ['a wrong type', '{ "event": 7 }', 'event:'],
  ['an unknown field', '{ "key": "er_live_x" }', 'key'],
])('O20: refuses %s and names the file', (_, text, message) => {
  write(text);
  expect(() => readRaceFile(folder)).toThrow(CliError);
  expect(() => readRaceFile(folder)).toThrow(message);
  expect(() => readRaceFile(folder)).toThrow('race.json');
  expect(readFileSync(join(folder, 'race.json'), 'utf8')).toBe(text);
});
