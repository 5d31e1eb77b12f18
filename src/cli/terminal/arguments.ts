import { parseArgs } from 'node:util';
import { PARAMETER_NAMES } from '../../timing-files/read/parameters.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { isText, say } from '../words.ts';

const TEXT = { type: 'string' } as const;
const SWITCH = { type: 'boolean' } as const;

const ANYWHERE = {
  api: TEXT,
  event: TEXT,
  state: TEXT,
  insecure: SWITCH,
  json: SWITCH,
  quiet: SWITCH,
  yes: { ...SWITCH, short: 'y' },
  help: { ...SWITCH, short: 'h' },
} as const;

type Flag = { type: 'string' | 'boolean'; multiple?: boolean; short?: string };
type Flags = Readonly<Record<string, Flag>>;

const REPEATED = new Set<string>(['split', 'status_word', 'where']);

/** The parameters of an upload, as flags. */
const FILE: Flags = Object.fromEntries(
  PARAMETER_NAMES.map((name): [string, Flag] => [
    name.replaceAll('_', '-'),
    REPEATED.has(name) ? { ...TEXT, multiple: true } : TEXT,
  ]),
);

type Described = {
  /** The arguments behind the command. */
  operand?: string;
  isOptional?: boolean;
  flags: Flags;
};

/** Every command with its operand and the flags that only it has. */
export const COMMANDS = {
  setup: {
    flags: {},
  },
  check: {
    operand: 'FILE',
    flags: FILE,
  },
  send: {
    operand: 'FILE',
    flags: { ...FILE, force: TEXT, settle: TEXT },
  },
  watch: {
    operand: 'FILE|FOLDER',
    flags: { ...FILE, every: TEXT, settle: TEXT },
  },
  status: {
    flags: {},
  },
  missing: {
    flags: { distance: TEXT },
  },
  set: {
    operand: 'BIB',
    flags: { status: TEXT, 'chip-time': TEXT, 'gun-time': TEXT, hold: SWITCH, force: TEXT },
  },
  release: {
    operand: 'BIB',
    flags: {},
  },
  resend: {
    flags: {},
  },
  log: {
    flags: { since: TEXT, file: TEXT },
  },
  undo: {
    operand: 'BATCH',
    isOptional: true,
    flags: {},
  },
} as const satisfies Record<string, Described>;

export type CommandName = keyof typeof COMMANDS;

export const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

const commandNames = (): CommandName[] => Object.keys(COMMANDS).filter(isCommand);

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
  const options: Flags = { ...ANYWHERE, ...described.flags };
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
  const { operand: expected, isOptional } = described;
  if (switches.has('help')) return { command, operand, texts, switches };
  if (expected && !isOptional && operand === undefined) {
    throw usage(command, say('is_missing', { expected }));
  }
  const surplus = expected ? more[0] : operand;
  if (surplus !== undefined) {
    const word = JSON.stringify(surplus);
    throw usage(command, say('is_one_word_too_many', { word }));
  }
  return { command, operand, texts, switches };
}

const parse = (argv: readonly string[], options: Flags) =>
  parseArgs({ args: [...argv], options: { ...options }, allowPositionals: true, tokens: true });

/** `parseArgs` keeps the last of several values without a word. */
function refuseRepeats(
  command: CommandName,
  tokens: ReturnType<typeof parse>['tokens'],
  options: Flags,
): void {
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option' || options[token.name]?.multiple) continue;
    if (options[token.name]?.type === 'string' && seen.has(token.name)) {
      const flag = `--${token.name}`;
      throw usage(command, say('stands_twice_give_it_once', { flag }));
    }
    seen.add(token.name);
  }
}

/** The sentences of `parseArgs` end with advice about its own options. */
const explain = (message: string): string => {
  const [first = ''] = message.split(/\. (?=To specify)|\n/);
  return first.endsWith('.') ? first : `${first}.`;
};

export const usage = (command: CommandName, found: string): CliError =>
  new CliError(
    EXIT.usage,
    `${found} ${say('usage')}: ${synopsis(command)}. ${say('help_lists_the_flags', { command })}`,
  );

function synopsis(command: CommandName): string {
  const { operand, isOptional }: Described = COMMANDS[command];
  const shown = operand && (isOptional ? ` [${operand}]` : ` ${operand}`);
  return `race-results ${command}${shown ?? ''}`;
}

/** The command that was meant. */
export function nearestCommand(word: string): CommandName | undefined {
  const names = commandNames();
  const far = (name: string) =>
    name.startsWith(word.slice(0, 3)) && word.length >= 2 ? 1 : differences(word, name);
  const [nearest] = names.sort((one, other) => far(one) - far(other));
  return nearest !== undefined && far(nearest) <= 2 ? nearest : undefined;
}

/** How many letters were mistyped, left out, added or swapped. */
function differences(one: string, other: string): number {
  if (one === '' || other === '') return Math.max(one.length, other.length);
  if (one.length > 20) return one.length;
  if (one[0] === other[0]) return differences(one.slice(1), other.slice(1));
  const isSwap = one.length > 1 && one[0] === other[1] && one[1] === other[0];
  if (isSwap) return 1 + differences(one.slice(2), other.slice(2));
  // Both went wrong here, or one has a letter more.
  const same = other.length > 1 && one[0] === other[1] ? [one, other.slice(1)] : undefined;
  const extra = one.length > 1 && one[1] === other[0] ? [one.slice(1), other] : undefined;
  const [left = '', right = ''] = same ?? extra ?? [one.slice(1), other.slice(1)];
  return 1 + differences(left, right);
}

/** The file flags as the query of an upload, in the order of the API's parameters. */
export function fileFlags({ command, texts }: Invocation): [string, string][] {
  if (!('time-format' in COMMANDS[command].flags)) return [];
  return PARAMETER_NAMES.flatMap((name) =>
    (texts.get(name.replaceAll('_', '-')) ?? []).map((value): [string, string] => [name, value]),
  );
}

/** The text of `--help`, of a command or of all. */
export function help(command?: CommandName): string {
  if (command === undefined) {
    const list = commandNames().map((name) => `  ${name.padEnd(9)}${say(`does_${name}`)}`);
    return [
      `${say('usage')}: race-results ${say('command')}`,
      '',
      ...list,
      '',
      say('the_key_is_read_from'),
      say('exit_codes_0_all_stored'),
    ].join('\n');
  }
  const { flags }: Described = COMMANDS[command];
  const lines = Object.keys({ ...flags, ...ANYWHERE }).map((flag) => {
    const name = flag.replaceAll('-', '_');
    const key = command === 'set' && isText(`set_${name}`) ? `set_${name}` : `flag_${name}`;
    return isText(key) ? `  ${say(key)}` : `  --${flag}`;
  });
  const does = say(`does_${command}`);
  return [`${say('usage')}: ${synopsis(command)}`, '', does, '', ...lines].join('\n');
}
