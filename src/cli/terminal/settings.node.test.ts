import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writeQuery } from '../../timing-files/read/parameters.ts';
import { CliError } from '../exit-codes.ts';
import { type RaceFile, writeRaceFile } from '../files/race-file.ts';
import { parametersOf } from '../files/reading.ts';
import type { User } from '../queue/user.ts';
import { type Environment, TEXTS } from '../words.ts';
import { parseArguments } from './arguments.ts';
import { createPrompter } from './prompt.ts';
import { openSettings, withAccess } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Given = { env?: Environment; race?: RaceFile };

async function settingsOf(line: string[], { env = {}, race = {} }: Given = {}) {
  await writeRaceFile(folder, race);
  const [command = '', ...rest] = line;
  return openSettings(parseArguments(command, rest), env, folder);
}

const refusalOf = async (run: () => Promise<unknown>): Promise<CliError> => {
  try {
    await run();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
};

const USER: User = {
  secret: 'synthetic',
  addressOf: () => undefined,
  bind: async () => {},
};
const NOBODY = createPrompter(
  { isJson: true, signal: new AbortController().signal, interrupt: () => {} },
  { input: process.stdin, output: process.stdout },
);

const WATCH = ['watch', 'finish.csv'];

test('reads the presets', async () => {
  expect(await settingsOf(WATCH)).toMatchObject({
    apiUrl: undefined,
    apiKey: undefined,
    eventId: undefined,
    operand: 'finish.csv',
    stateDir: join(folder, '.race-results'),
    pace: { settleMs: 2_000, everyMs: 4_000 },
    fileFlags: [],
    isYes: false,
    isJson: false,
    force: new Set(),
  });
});

test('prefers a flag to the environment, and the environment to race.json', async () => {
  const race = { api: 'https://file', event: 'e-file' };
  const env = { RACE_RESULTS_API: 'https://env', RACE_RESULTS_EVENT: 'e-env' };
  const flags = ['--api', 'https://flag', '--event=e-flag'];
  const read = async (line: string[], given: Given) => {
    const { apiUrl, eventId } = await settingsOf(line, given);
    return [apiUrl, eventId];
  };
  expect(await read(WATCH, { race })).toEqual(['https://file', 'e-file']);
  expect(await read(WATCH, { race, env })).toEqual(['https://env', 'e-env']);
  expect(await read([...WATCH, ...flags], { race, env })).toEqual(['https://flag', 'e-flag']);
});

test('takes a blank variable for one that is not set', async () => {
  const env = { RACE_RESULTS_API: ' ', RACE_RESULTS_KEY: '', RACE_RESULTS_EVENT: '' };
  expect(await settingsOf(WATCH, { env, race: { api: 'https://file', event: 'e' } })).toMatchObject(
    {
      apiUrl: 'https://file',
      apiKey: undefined,
      eventId: 'e',
    },
  );
});

test('reads the file flags as the parameters of an upload', async () => {
  const flags = '--bib Stnr --chip-time Zeit --split=Km_5 --split Km_10 --header-line 3';
  const more = '--time-format seconds --status-word DQ:DSQ --where Messpunkt:Ziel';
  const { fileFlags } = await settingsOf([...WATCH, ...flags.split(' '), ...more.split(' ')]);
  expect(fileFlags.map(([name, value]) => `${name}=${value}`).join('&')).toBe(
    'bib=Stnr&chip_time=Zeit&split=Km_5&split=Km_10&header_line=3&time_format=seconds&status_word=DQ:DSQ&where=Messpunkt:Ziel',
  );
});

test('replaces single answers of race.json by flags', async () => {
  const kept = 'bib=Stnr&split=Km_5&split=Km_10&time_format=seconds';
  expect(writeQuery(parametersOf([['split', 'Km_20']], kept))).toBe(
    'bib=Stnr&split=Km_20&time_format=seconds',
  );
  expect(writeQuery(parametersOf([['split', '']], kept))).toBe(
    'bib=Stnr&split=&time_format=seconds',
  );
});

test.each([
  ['http://192.168.1.5:8787', false],
  ['http://localhost.example', false],
  ['http://localhost:8787', true],
  ['http://127.0.0.1', true],
  ['http://[::1]:1', true],
  ['https://results.example', true],
])(
  'sends a key readable only to this computer: %s is accepted: %s',
  async (address, isAccepted) => {
    const accept =
      (...flags: string[]) =>
      () =>
        settingsOf(['status', '--api', address, ...flags]);
    if (isAccepted) await expect(accept()()).resolves.toMatchObject({ apiUrl: address });
    else await expect(accept()()).rejects.toThrow('--insecure');
    await expect(accept('--insecure')()).resolves.toMatchObject({ apiUrl: address });
  },
);

test('reads the flags of set as a value, not as columns', async () => {
  const settings = await settingsOf(['set', '27', '--status', 'DSQ', '--chip-time', '1:28:03']);
  expect(settings).toMatchObject({ operand: '27', fileFlags: [] });
  const flags = ['status', 'chip-time', 'gun-time'];
  expect(flags.map(settings.text)).toEqual(['DSQ', '1:28:03', undefined]);
});

test('P15 O22: gives no advice that it does not take when it is pasted', () => {
  const refused = Object.values(TEXTS).flatMap((texts) =>
    Object.values(texts).flatMap((text) =>
      Array.from(text.matchAll(/`race-results ([^`]*)`/g), ([, line = '']) => line).filter(
        (line) => {
          const filled = line.replace(/\{command\}/g, 'send').replace(/\{\w+\}/g, 'x');
          const words = filled.match(/"[^"]*"|\S+/g) ?? [];
          const [command = '', ...rest] = words.map((word) => word.replaceAll('"', ''));
          try {
            return command !== '--help' && !parseArguments(command, rest);
          } catch {
            return true;
          }
        },
      ),
    ),
  );
  expect(refused).toEqual([]);
});

describe('refuses', () => {
  test.each<[string, string[], string]>([
    ['a missing operand', ['send'], 'FILE is missing.'],
    ['a second operand', ['send', 'my', 'finish.csv'], '"finish.csv" is one word too many'],
    ['an operand where there is none', ['status', '27'], '"27" is one word too many'],
    ['an unknown flag', ['send', 'a.csv', '--bibb', 'x'], "Unknown option '--bibb'."],
    ['a flag of another command', ['status', '--open'], "Unknown option '--open'."],
    ['a flag without its text', ['send', 'a.csv', '--bib'], "'--bib <value>' argument missing."],
    [
      'a flag that stands twice',
      ['send', 'a.csv', '--bib', 'a', '--bib', 'b'],
      'bib is sent more than once',
    ],
    ['the key as an argument', ['send', 'a.csv', '--key', 'er_live_x'], "Unknown option '--key'."],
    [
      'an address without a scheme',
      ['status', '--api', 'localhost:1'],
      '"localhost:1" is not a web address.',
    ],
    ['a guard passed for a whole day', [...WATCH, '--force', 'x'], "Unknown option '--force'."],
    ['an unknown time format', [...WATCH, '--time-format', 'x'], '--time-format is "x"'],
  ])('%s', async (_, line, message) => {
    const refusal = await refusalOf(() => settingsOf(line));
    expect(refusal.message).toContain(message);
    expect(refusal.exitCode).toBe(2);
  });

  test.each<[string, RaceFile, Environment, string, number]>([
    ['no address', { event: 'e' }, { RACE_RESULTS_KEY: 'k' }, 'RACE_RESULTS_API', 2],
    ['no event', { api: 'https://a' }, { RACE_RESULTS_KEY: 'k' }, 'RACE_RESULTS_EVENT', 2],
    ['no key', { api: 'https://a', event: 'e' }, {}, 'RACE_RESULTS_KEY', 5],
  ])('%s', async (_, race, env, message, exitCode) => {
    const refusal = await refusalOf(async () =>
      withAccess(await settingsOf(WATCH, { race, env }), USER, NOBODY),
    );
    expect(refusal.message).toContain(message);
    expect(refusal.exitCode).toBe(exitCode);
  });
});
