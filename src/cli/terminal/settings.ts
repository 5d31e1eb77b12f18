import { relative, resolve } from 'node:path';
import type { RaceClock } from '../../timing-files/read/race-clock.ts';
import { EXIT, failure } from '../exit-codes.ts';
import { isAddress, LOOPBACK, PublishedList } from '../files/published-list.ts';
import { RACE_FILE, readRaceFile } from '../files/race-file.ts';
import { parametersOf } from '../files/reading.ts';
import type { User } from '../queue/user.ts';
import { type Environment, say } from '../words.ts';
import type { Prompter } from './prompt.ts';

/** A command line as it was typed. */
export type Invocation = {
  /** Blank if there is none. */
  operand: string;
  /** All operands, where a command takes several. */
  operands: readonly string[];
  /** The trimmed text after a flag, the last one of several; undefined for a blank one. */
  text(flag: string): string | undefined;
  /** All texts after a flag. */
  texts(flag: string): readonly string[];
  /** Whether a flag without a text is there. */
  has(flag: string): boolean;
  /** The file flags as the query of an upload, in the order of the API's parameters. */
  fileFlags: [string, string][];
};

/** How long a file has to be calm before it is read, and how often something is sent. */
export type Pace = { settleMs: number; everyMs: number };

const PACE: Pace = { settleMs: 2_000, everyMs: 4_000 };

/** Settings where address, key and event may still be missing. */
export type OpenSettings = ReturnType<typeof openSettings>;

/** Flags, environment and race.json together, checked. The key is never printed and never written. */
export type Settings = Omit<OpenSettings, 'apiUrl' | 'apiKey' | 'eventId'> & {
  apiUrl: string;
  apiKey: string;
  eventId: string;
  user: User;
  onAccepted: () => Promise<void>;
};

/**
 * Flags win, then the environment, then race.json.
 * @param folder that of race.json
 * @param pace another one than the usual, for tests and rehearsals
 * @throws CliError for a flag, a variable or a race.json that is wrong
 */
export function openSettings(
  invocation: Invocation,
  env: Environment,
  folder: string,
  pace = PACE,
) {
  const race = readRaceFile(folder);
  const { text, has, operand, operands, fileFlags } = invocation;
  const variable = (name: string) => env[`RACE_RESULTS_${name}`]?.trim() || undefined;
  const apiUrl = text('api') ?? variable('API') ?? race.api;
  const isInsecure = has('insecure');
  const fromVariable = text('event') === undefined ? variable('EVENT') : undefined;
  parametersOf(fileFlags);
  const stateDir = resolve(folder, text('state') ?? '.race-results');
  const lists = new Map(
    operands.filter(isAddress).map((one) => [one, new PublishedList(one, stateDir)]),
  );
  const files = operands.map((one) => {
    const list = lists.get(one);
    return list ? relative(folder, list.path) : one;
  });
  return {
    ...invocation,
    folder,
    race,
    operand: operand === '' ? '' : (files[0] ?? ''),
    operands: files,
    /** The operands that are addresses. In `operands`, their files stand for them. */
    lists: [...lists.values()],
    isInsecure,
    apiUrl: apiUrl && checkedAddress(apiUrl, isInsecure),
    apiKey: variable('KEY'),
    eventId: text('event') ?? variable('EVENT') ?? race.event,
    /** Absolute. */
    stateDir,
    isYes: has('yes'),
    isJson: has('json'),
    /** The guards to be passed. */
    force: new Set(text('force')?.split(/[\s,]+/)),
    pace,
    /** Whether the times of the file are times of day. */
    isOfDay: has('times-of-day'),
    /** The name that a person gives this folder. */
    senderName: text('sender'),
    /** The event of a variable, where race.json names another one. */
    otherEvent: race.event !== undefined && fromVariable !== race.event ? fromVariable : undefined,
    /** Makes race times of times of day, by this version of the starts. `setClock` sets both. */
    clock: undefined as RaceClock | undefined,
    startsVersion: undefined as number | undefined,
  };
}

/** @returns undefined where nobody can be asked */
export const askKey = async (prompter: Prompter): Promise<string | undefined> =>
  prompter.canAsk ? (await prompter.secret(say('ask_key'))) || undefined : undefined;

/**
 * Completes settings. The folder of a race may come from anybody: its address does not get a key that was used
 * with another one, unless a person says so.
 * @throws CliError saying what is missing
 */
export async function withAccess(
  open: OpenSettings,
  user: User,
  prompter: Prompter,
): Promise<Settings> {
  const { apiUrl, eventId } = open;
  if (apiUrl === undefined) throw failure(EXIT.usage, 'no_address', { race_file: RACE_FILE });
  if (eventId === undefined) throw failure(EXIT.usage, 'no_event_named', { race_file: RACE_FILE });
  const apiKey = open.apiKey ?? (await askKey(prompter));
  if (apiKey === undefined) throw failure(EXIT.key, 'no_key');
  const { origin } = new URL(apiUrl);
  const before = user.addressOf(apiKey);
  if (before !== undefined && before !== origin) {
    const question = say('ask_other_address', { before, origin });
    const isAllowed = prompter.canAsk && (await prompter.confirm(question));
    if (!isAllowed) throw failure(EXIT.key, 'other_address', { before, origin });
  }
  return { ...open, apiUrl, apiKey, eventId, user, onAccepted: () => user.bind(apiKey, origin) };
}

/** @throws CliError for what is no address, and for one that sends the key readable through a network */
export function checkedAddress(address: string, isInsecure: boolean): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    const isLocal = LOOPBACK.test(address.replace(/:\d+.*$/, ''));
    const proposal = `${isLocal ? 'http' : 'https'}://${address.replace(/^\W+/, '')}`;
    throw failure(EXIT.usage, 'address_wrong', { address, proposal });
  }
  if (url.protocol === 'https:' || LOOPBACK.test(url.hostname) || isInsecure) return address;
  throw failure(EXIT.usage, 'address_insecure', { address });
}
