import { resolve } from 'node:path';
import { FileError } from '../timing-files/read/file-error.ts';
import { type Parameters, parseParameters, writeQuery } from '../timing-files/read/parameters.ts';
import { fileFlags, type Invocation } from './arguments.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { RACE_FILE, type RaceFile, readRaceFile } from './race-file.ts';

/** Flags, environment and race.json together, checked. Flags win, then the environment. */
export type Settings = {
  /** The folder of race.json. */
  folder: string;
  race: RaceFile;
  apiUrl: string;
  /** Never printed, never written. */
  apiKey: string;
  eventId: string;
  /** Absolute. */
  stateDir: string;
  /** FILE, FOLDER, BIB or BATCH: what stands after the command. Blank where nothing does. */
  operand: string;
  /** How files are read: race.json, replaced name by name by the flags. */
  parameters: Parameters;
  /** The same as the query of an upload. */
  read: string;
  /** What the flags alone say, as a query. Undefined without any such flag. */
  readByFlags: string | undefined;
  isYes: boolean;
  isJson: boolean;
  isQuiet: boolean;
  /** Why a guard is to be passed. */
  force: string | undefined;
  everyMs: number;
  settleMs: number;
  /** `missing --distance` */
  distance: string | undefined;
  /** The decision of `set`. */
  decision: { status: string; chipTime: string; gunTime: string; isHeld: boolean };
};

type Access = 'apiUrl' | 'apiKey' | 'eventId';

/** Settings where address, key and event may still be missing. */
export type OpenSettings = Omit<Settings, Access> & { [Name in Access]: string | undefined };

export type Environment = Readonly<Record<string, string | undefined>>;

const LONGEST_SECONDS = 3_600;

/** @throws CliError for a flag, a variable or a race.json that is wrong */
export function openSettings(
  invocation: Invocation,
  env: Environment,
  folder: string,
): OpenSettings {
  const race = readRaceFile(folder);
  const text = (name: string) => invocation.texts.get(name)?.[0];
  const filled = (value: string | undefined) => value?.trim() || undefined;
  const apiUrl = filled(text('api')) ?? filled(env['RACE_RESULTS_API']) ?? race.api;
  const flags = fileFlags(invocation);
  const parameters = parametersOf(flags, race.read);
  return {
    folder,
    race,
    apiUrl: apiUrl === undefined ? undefined : checkedAddress(apiUrl),
    apiKey: filled(env['RACE_RESULTS_KEY']),
    eventId: filled(text('event')) ?? filled(env['RACE_RESULTS_EVENT']) ?? race.event,
    stateDir: resolve(folder, filled(text('state')) ?? '.race-results'),
    operand: invocation.operand ?? '',
    parameters,
    read: writeQuery(parameters),
    readByFlags: flags.length === 0 ? undefined : writeQuery(parametersOf(flags)),
    isYes: invocation.switches.has('yes'),
    isJson: invocation.switches.has('json'),
    isQuiet: invocation.switches.has('quiet'),
    force: reasonOf(text('force')),
    everyMs: seconds('--every', text('every'), 3),
    settleMs: seconds('--settle', text('settle'), 2),
    distance: filled(text('distance')),
    decision: {
      status: text('status') ?? '',
      chipTime: text('chip-time') ?? '',
      gunTime: text('gun-time') ?? '',
      isHeld: invocation.switches.has('hold'),
    },
  };
}

/** @throws CliError saying where to give what is missing */
export function requireAccess(settings: OpenSettings): Settings {
  const { apiUrl, apiKey, eventId } = settings;
  if (apiUrl === undefined) throw missing('the address of the API', 'RACE_RESULTS_API', '--api');
  if (eventId === undefined) throw missing('the event', 'RACE_RESULTS_EVENT', '--event');
  if (apiKey === undefined) {
    throw new CliError(
      EXIT.key,
      'There is no API key. Set RACE_RESULTS_KEY, or run the command in a terminal, which asks for it.',
    );
  }
  return { ...settings, apiUrl, apiKey, eventId };
}

const missing = (what: string, variable: string, flag: string): CliError =>
  new CliError(
    EXIT.usage,
    `${RACE_FILE} does not name ${what}. Run \`race-results setup\` in this folder, set ${variable}, or give ${flag}.`,
  );

export function checkedAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return text;
  throw new CliError(
    EXIT.usage,
    `The address ${JSON.stringify(text)} is none. Expected one such as https://results.example.`,
  );
}

function parametersOf(flags: readonly [string, string][], read = ''): Parameters {
  const given = new Set(flags.map(([name]) => name));
  const kept = [...new URLSearchParams(read)].filter(([name]) => !given.has(name));
  try {
    return parseParameters([...kept, ...flags]);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new CliError(EXIT.usage, `The flags of the file do not fit together: ${error.message}`);
  }
}

function reasonOf(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() !== '') return text?.trim();
  throw new CliError(
    EXIT.usage,
    '--force needs a reason, as in --force "wrong start time mended".',
  );
}

function seconds(flag: string, text: string | undefined, preset: number): number {
  if (text === undefined) return preset * 1_000;
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value > 0 && value <= LONGEST_SECONDS) return value * 1_000;
  throw new CliError(
    EXIT.usage,
    `${flag} is ${JSON.stringify(text)}. Expected seconds from 0.1 to ${LONGEST_SECONDS}, such as ${preset}.`,
  );
}
