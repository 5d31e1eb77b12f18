import { parseArgs } from 'node:util';
import { PARAMETER_NAMES } from '../timing-files/read/parameters.ts';
import { CliError, EXIT } from './exit-codes.ts';

const TEXT = { type: 'string' } as const;
const SWITCH = { type: 'boolean' } as const;

const ANYWHERE = {
  api: TEXT,
  event: TEXT,
  state: TEXT,
  json: SWITCH,
  quiet: SWITCH,
  yes: { ...SWITCH, short: 'y' },
  help: { ...SWITCH, short: 'h' },
} as const;

/** The parameters of an upload, as flags. */
const FILE = {
  bib: TEXT,
  'chip-time': TEXT,
  'gun-time': TEXT,
  status: TEXT,
  split: { ...TEXT, multiple: true },
  'header-line': TEXT,
  'time-format': TEXT,
  'status-word': { ...TEXT, multiple: true },
  where: { ...TEXT, multiple: true },
} as const;

const SENDING = { ...FILE, force: TEXT, every: TEXT, settle: TEXT } as const;

type Operand = { name: string; isRequired: boolean };
const required = (name: string): Operand => ({ name, isRequired: true });
const optional = (name: string): Operand => ({ name, isRequired: false });

type Flag = { type: 'string' | 'boolean'; multiple?: boolean; short?: string };
type Described = { does: string; operand?: Operand; flags: Readonly<Record<string, Flag>> };

/** Every command with its operand and the flags that only it has. */
export const COMMANDS = {
  setup: { does: 'asks for address and key, lists the events, writes race.json', flags: {} },
  check: {
    does: 'shows what would be read, and keeps the answers in race.json. Sends nothing',
    operand: required('FILE'),
    flags: FILE,
  },
  send: {
    does: 'checks a file, shows what changes, asks, sends it once, reads it back',
    operand: required('FILE'),
    flags: SENDING,
  },
  watch: {
    does: 'sends what changes in a file or a folder, until Ctrl-C',
    operand: required('FILE|FOLDER'),
    flags: SENDING,
  },
  status: { does: 'shows queue, last success, rejected, missing and held rows', flags: {} },
  missing: { does: 'lists the bibs without a result', flags: { distance: TEXT } },
  set: {
    does: 'decides a result by hand; with --hold, later files do not change it',
    operand: required('BIB'),
    flags: { status: TEXT, 'chip-time': TEXT, 'gun-time': TEXT, hold: SWITCH, force: TEXT },
  },
  release: {
    does: 'ends a hold: files may change the bib again',
    operand: required('BIB'),
    flags: {},
  },
  log: { does: 'lists what was sent, newest first', flags: {} },
  undo: {
    does: 'takes an upload back, the latest one by default',
    operand: optional('BATCH'),
    flags: {},
  },
} as const satisfies Record<string, Described>;

export type CommandName = keyof typeof COMMANDS;

export const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

/** A command line as it was typed. Flags that a command does not have are absent. */
export type Invocation = {
  command: CommandName;
  operand: string | undefined;
  /** The text after a flag, by the flag's name. */
  texts: ReadonlyMap<string, readonly string[]>;
  /** The flags without a text. */
  switches: ReadonlySet<string>;
};

/** @throws CliError naming the flag or operand that is wrong */
export function parseArguments(command: CommandName, argv: readonly string[]): Invocation {
  const described: Described = COMMANDS[command];
  const options = { ...ANYWHERE, ...described.flags };
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv, options);
  } catch (error) {
    throw usage(command, error instanceof Error ? explain(error.message) : String(error));
  }
  const texts = new Map<string, string[]>();
  const switches = new Set<string>();
  for (const [name, value] of Object.entries(parsed.values)) {
    if (value === true) switches.add(name);
    else texts.set(name, [value ?? []].flat().map(String));
  }
  refuseRepeats(command, parsed.tokens, options);
  const [operand, ...more] = parsed.positionals;
  const { operand: expected } = described;
  if (!switches.has('help')) {
    if (expected?.isRequired && operand === undefined) {
      throw usage(command, `${expected.name} is missing.`);
    }
    const surplus = expected ? more[0] : operand;
    if (surplus !== undefined) {
      throw usage(
        command,
        `${JSON.stringify(surplus)} is one word too many. Put a name with blanks in quotes.`,
      );
    }
  }
  return { command, operand, texts, switches };
}

const parse = (argv: readonly string[], options: Readonly<Record<string, Flag>>) =>
  parseArgs({ args: [...argv], options: { ...options }, allowPositionals: true, tokens: true });

/** `parseArgs` keeps the last of several values without a word. */
function refuseRepeats(
  command: CommandName,
  tokens: ReturnType<typeof parse>['tokens'],
  options: Readonly<Record<string, Flag>>,
): void {
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option' || options[token.name]?.multiple) continue;
    if (options[token.name]?.type === 'string' && seen.has(token.name)) {
      throw usage(command, `--${token.name} stands twice. Give it once.`);
    }
    seen.add(token.name);
  }
}

/** The sentences of `parseArgs` end with advice about its own options. */
const explain = (message: string): string => {
  const [first = ''] = message.split(/\. (?=To specify)|\n/);
  return first.endsWith('.') ? first : `${first}.`;
};

export const usage = (command: CommandName | undefined, found: string): CliError =>
  new CliError(
    EXIT.usage,
    `${found} ${command ? usageLine(command) : 'Run `race-results --help`.'}`,
  );

const usageLine = (command: CommandName): string =>
  `Usage: ${synopsis(command)}. \`race-results ${command} --help\` lists the flags.`;

function synopsis(command: CommandName): string {
  const { operand }: Described = COMMANDS[command];
  const shown = operand && (operand.isRequired ? ` ${operand.name}` : ` [${operand.name}]`);
  return `race-results ${command}${shown ?? ''}`;
}

/** The file flags as the query of an upload, in the order of the API's parameters. */
export function fileFlags({ command, texts }: Invocation): [string, string][] {
  if (!('time-format' in COMMANDS[command].flags)) return [];
  return PARAMETER_NAMES.flatMap((name) =>
    (texts.get(name.replaceAll('_', '-')) ?? []).map((value): [string, string] => [name, value]),
  );
}

const WHAT_FLAGS_MEAN: Readonly<Record<string, string>> = {
  api: '--api URL              the address of the API (RACE_RESULTS_API)',
  event: '--event ID             the event (RACE_RESULTS_EVENT)',
  state: '--state DIR            where queue and rejected rows are kept (.race-results)',
  yes: '--yes, -y              answers yes; guards still stop',
  json: '--json                 prints one object a line',
  quiet: '--quiet                prints only answers, warnings and errors',
  help: '--help, -h             shows this text',
  bib: '--bib COLUMN           the column of the bib, by name or as #3',
  'chip-time': '--chip-time COLUMN     the column of the chip time',
  'gun-time': '--gun-time COLUMN      the column of the gun time',
  status: '--status COLUMN        the column of the status',
  split: '--split COLUMN         a split column; repeat it; --split= means none',
  'header-line': '--header-line N        the line of the header; 0: the file has none',
  'time-format': '--time-format FORMAT   how times are written, such as seconds or apostrophes',
  'status-word': '--status-word WORD:DNF what a word of the file means; repeat it',
  where: '--where COLUMN:VALUE   reads only these rows; repeat it',
  force: '--force REASON         passes a guard; the reason is kept in the log',
  every: '--every SECONDS        how often to look and send (3)',
  settle: '--settle SECONDS       how long a file has to be calm before it is read (2)',
  distance: '--distance NAME        only this distance, such as 21K',
  hold: '--hold                 later files do not change this bib',
};

const WHAT_SET_FLAGS_MEAN: Readonly<Record<string, string>> = {
  status: '--status STATUS        FINISHED, DNS, DNF or DSQ',
  'chip-time': '--chip-time TIME       such as 1:28:03',
  'gun-time': '--gun-time TIME        such as 1:28:41',
};

/** The text of `--help`, of a command or of all. */
export function help(command?: CommandName): string {
  if (command === undefined) {
    const list = Object.entries(COMMANDS).map(
      ([name, { does }]: [string, Described]) => `  ${name.padEnd(9)}${does}`,
    );
    return [
      'Usage: race-results COMMAND',
      '',
      ...list,
      '',
      'The key is read from RACE_RESULTS_KEY, or asked for. It is never an argument.',
      '`race-results COMMAND --help` lists the flags of a command.',
      '',
      'Exit codes: 0 all stored, 1 some rows rejected, 2 usage, 3 file unreadable or unclear,',
      '4 stopped by a guard, 5 key or scope, 6 offline with the queue kept, 7 already running,',
      '130 Ctrl-C with the queue kept.',
    ].join('\n');
  }
  const { does, flags }: Described = COMMANDS[command];
  const meanings =
    command === 'set' ? { ...WHAT_FLAGS_MEAN, ...WHAT_SET_FLAGS_MEAN } : WHAT_FLAGS_MEAN;
  const lines = [...Object.keys(flags), ...Object.keys(ANYWHERE)].map(
    (name) => `  ${meanings[name]}`,
  );
  return [`Usage: ${synopsis(command)}`, '', `  ${does}.`, '', ...lines].join('\n');
}
