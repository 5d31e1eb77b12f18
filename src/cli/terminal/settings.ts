import { relative, resolve } from 'node:path';
import type { RaceClock } from '../../timing-files/read/race-clock.ts';
import { EXIT, failure } from '../exit-codes.ts';
import { isAddress, LOOPBACK, PublishedList } from '../files/published-list.ts';
import { RACE_FILE, readRaceFile } from '../files/race-file.ts';
import { parametersOf } from '../files/reading.ts';
import type { Told } from '../queue/store.ts';
import type { User } from '../queue/user.ts';
import { type Environment, say } from '../words.ts';
import type { Prompter } from './prompt.ts';

/** A command line as typed. */
export type Invocation = {
  /** Blank without an operand. */
  operand: string;
  /** All operands, where a command takes several. */
  operands: readonly string[];
  /** The trimmed text after a flag. The last of several texts counts; a blank text is undefined. */
  text(flag: string): string | undefined;
  /** All texts after a flag. */
  texts(flag: string): readonly string[];
  /** Whether the command line has a flag without a text. */
  has(flag: string): boolean;
  /** The file flags as the query of an upload, in the order of the API's parameters. */
  fileFlags: [string, string][];
};

/** The time without changes before a file is read, and the time between two uploads. */
export type Pace = { settleMs: number; everyMs: number };

const PACE: Pace = { settleMs: 2_000, everyMs: 4_000 };

/** Settings with an optional address, key and event. */
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
 * @param folder the folder of race.json
 * @param pace replaces the usual pace in tests and rehearsals
 * @throws CliError for a wrong flag, variable or race.json
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
  const eventId = text('event') ?? variable('EVENT') ?? race.event;
  const stateDir = resolve(folder, text('state') ?? stateOf(eventId, race));
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
    /** The lists of the operands with an address. `operands` has the file of each list. */
    lists: [...lists.values()],
    isInsecure,
    apiUrl: apiUrl && checkedAddress(apiUrl, isInsecure),
    apiKey: variable('KEY'),
    eventId,
    /** Absolute. */
    stateDir,
    isYes: has('yes'),
    isJson: has('json'),
    /** The guards to be passed. */
    force: new Set(text('force')?.split(/[\s,]+/)),
    pace,
    /** Whether the times of the file are times of day. */
    isOfDay: has('times-of-day'),
    /** The folder's name, given by a person. */
    senderName: text('sender'),
    /** The event of a variable, if race.json names another event. */
    otherEvent: race.event !== undefined && fromVariable !== race.event ? fromVariable : undefined,
    /** Turns times of day into race times, by the told starts. `readClock` sets both values. */
    clock: undefined as RaceClock | undefined,
    told: undefined as Told | undefined,
  };
}

/** The state folder of an event. A second event in the folder of a race has a state of its own. */
const stateOf = (event: string | undefined, race: { event?: string | undefined }): string =>
  event === undefined || race.event === undefined || event === race.event
    ? '.race-results'
    : `.race-results-${event.slice(0, 8)}`;

/** @returns undefined without a person to ask */
export const askKey = async (prompter: Prompter): Promise<string | undefined> =>
  prompter.canAsk ? (await prompter.secret(say('ask_key'))) || undefined : undefined;

/**
 * Completes settings. The folder of a race may come from anybody. So a key used with another address does not go to the
 * folder's address without a yes from a person.
 * @throws CliError with the name of the missing setting
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

/** @throws CliError for an invalid address, and for an address without encryption */
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
