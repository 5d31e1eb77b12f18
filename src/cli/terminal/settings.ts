import { resolve } from 'node:path';
import { CliError, EXIT } from '../exit-codes.ts';
import { RACE_FILE, type RaceFile, readRaceFile } from '../files/race-file.ts';
import { type FileFlags, parametersOf } from '../files/reading.ts';
import type { User } from '../queue/user.ts';
import { say } from '../words.ts';
import { fileFlags, type Invocation } from './arguments.ts';

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
  user: User;
  onAccepted: () => Promise<void>;
  /** The usage text after the command's name, or blank. */
  operand: string;
  /** The parameters of the file from the flags. */
  fileFlags: FileFlags;
  isYes: boolean;
  isInsecure: boolean;
  isJson: boolean;
  isQuiet: boolean;
  /** The guards to be passed. */
  force: ReadonlySet<string>;
  everyMs: number;
  settleMs: number;
  distance: string | undefined;
  since: Date | undefined;
  file: string | undefined;
  /** The decision of `set`. */
  decision: { status: string; chipTime: string; gunTime: string; isHeld: boolean };
};

type Later = 'apiUrl' | 'apiKey' | 'eventId' | 'user' | 'onAccepted';

/** Settings where address, key and event may still be missing. */
export type OpenSettings = Omit<Settings, Later> & {
  apiUrl: string | undefined;
  apiKey: string | undefined;
  eventId: string | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;

const LONGEST_SECONDS = 3_600;

/** @throws CliError for a flag, a variable or a race.json that is wrong */
export function openSettings(
  invocation: Invocation,
  env: Environment,
  folder: string,
): OpenSettings {
  const race = readRaceFile(folder);
  const { texts, switches } = invocation;
  const text = (name: string) => texts.get(name)?.[0];
  const filled = (value: string | undefined) => value?.trim() || undefined;
  const apiUrl = filled(text('api')) ?? filled(env['RACE_RESULTS_API']) ?? race.api;
  const isInsecure = switches.has('insecure');
  const flags = fileFlags(invocation);
  parametersOf(flags);
  return {
    folder,
    race,
    apiUrl: apiUrl === undefined ? undefined : checkedAddress(apiUrl, isInsecure),
    apiKey: filled(env['RACE_RESULTS_KEY']),
    eventId: filled(text('event')) ?? filled(env['RACE_RESULTS_EVENT']) ?? race.event,
    stateDir: resolve(folder, filled(text('state')) ?? '.race-results'),
    operand: invocation.operand ?? '',
    fileFlags: flags,
    isYes: switches.has('yes'),
    isInsecure,
    isJson: switches.has('json'),
    isQuiet: switches.has('quiet'),
    force: new Set(filled(text('force'))?.split(/[\s,]+/)),
    everyMs: seconds('--every', text('every'), 3),
    settleMs: seconds('--settle', text('settle'), 2),
    distance: filled(text('distance')),
    since: sinceOf(filled(text('since'))),
    file: filled(text('file')),
    decision: {
      status: text('status') ?? '',
      chipTime: text('chip-time') ?? '',
      gunTime: text('gun-time') ?? '',
      isHeld: switches.has('hold'),
    },
  };
}

type Complete = OpenSettings & { apiUrl: string; apiKey: string; eventId: string };

/** @throws CliError saying where to give what is missing */
export function requireAccess(settings: OpenSettings): Complete {
  const { apiUrl, apiKey, eventId } = settings;
  if (apiUrl === undefined) {
    throw missing(say('the_address_of_the_api'), 'RACE_RESULTS_API', '--api');
  }
  if (eventId === undefined) {
    throw missing(say('the_event'), 'RACE_RESULTS_EVENT', '--event');
  }
  if (apiKey !== undefined) return { ...settings, apiUrl, apiKey, eventId };
  throw new CliError(EXIT.key, say('there_is_no_api_key'));
}

const missing = (what: string, variable: string, flag: string): CliError =>
  new CliError(
    EXIT.usage,
    say('does_not_name_run_setup', { race_file: RACE_FILE, what, variable, flag }),
  );

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @throws CliError for what is no address, and for one that sends the key readable through a network */
export function checkedAddress(text: string, isInsecure: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const quoted = JSON.stringify(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new CliError(EXIT.usage, say('is_not_a_web_address', { quoted }));
  }
  if (url.protocol === 'https:' || LOOPBACK.test(url.hostname) || isInsecure) return text;
  throw new CliError(EXIT.usage, say('would_send_the_key_readable', { quoted }));
}

function seconds(flag: string, text: string | undefined, preset: number): number {
  if (text === undefined) return preset * 1_000;
  const value = /^\d{1,9}(\.\d{1,9})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value > 0 && value <= LONGEST_SECONDS) return value * 1_000;
  throw new CliError(
    EXIT.usage,
    say('is_expected_seconds_from_0', {
      flag,
      text: JSON.stringify(text),
      longest_seconds: LONGEST_SECONDS,
      preset,
    }),
  );
}

/** An hour of today, or a day. */
function sinceOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const today = new Date();
  const [, hour, minute] = /^(\d{1,2}):(\d\d)$/.exec(text) ?? [];
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const at =
    hour === undefined
      ? new Date(isDay ? `${text}T00:00:00` : text)
      : new Date(today.setHours(Number(hour), Number(minute), 0, 0));
  if (!Number.isNaN(at.getTime())) return at;
  throw new CliError(EXIT.usage, say('since_is_expected_14_30', { text: JSON.stringify(text) }));
}
