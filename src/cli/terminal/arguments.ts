import { type ParseArgsConfig, parseArgs } from 'node:util';
import { PARAMETER_NAMES } from '../../timing-files/read/parameters.ts';
import { type CliError, EXIT, failure } from '../exit-codes.ts';
import { messageOf } from '../queue/api.ts';
import { isText, say } from '../words.ts';

const TEXT = { type: 'string', multiple: true } as const;
const SWITCH = { type: 'boolean' } as const;

type Flags = NonNullable<ParseArgsConfig['options']>;

const ANYWHERE: Flags = {
  api: TEXT,
  event: TEXT,
  state: TEXT,
  insecure: SWITCH,
  json: SWITCH,
  quiet: SWITCH,
  yes: { ...SWITCH, short: 'y' },
  help: { ...SWITCH, short: 'h' },
};

const flagOf = (parameter: string): string => parameter.replaceAll('_', '-');

/** The parameters of an upload, as flags. */
const FILE: Flags = Object.fromEntries(PARAMETER_NAMES.map((name) => [flagOf(name), TEXT]));

/** Every command with its operand and the flags that only it has. */
export const COMMANDS = {
  setup: { flags: {} },
  check: { operand: 'FILE', flags: FILE },
  send: { operand: 'FILE', flags: { ...FILE, force: TEXT, settle: TEXT } },
  watch: { operand: 'FILE|FOLDER', flags: { ...FILE, every: TEXT, settle: TEXT } },
  status: { flags: {} },
  missing: { flags: { distance: TEXT } },
  set: {
    operand: 'BIB',
    flags: { status: TEXT, 'chip-time': TEXT, 'gun-time': TEXT, hold: SWITCH, force: TEXT },
  },
  release: { operand: 'BIB', flags: {} },
  resend: { flags: {} },
  log: { flags: { since: TEXT, file: TEXT } },
  undo: { operand: '[BATCH]', flags: {} },
} as const satisfies Record<string, { operand?: string; flags: Flags }>;

export type CommandName = keyof typeof COMMANDS;

export const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

const described = (command: CommandName): { operand?: string; flags: Flags } => COMMANDS[command];

/** A command line as it was typed. */
export type Invocation = {
  command: CommandName;
  /** Blank if there is none. */
  operand: string;
  /** The trimmed text after a flag, the last one of several; undefined for a blank one. */
  text(flag: string): string | undefined;
  /** Whether a flag without a text is there. */
  has(flag: string): boolean;
  /** The file flags as the query of an upload, in the order of the API's parameters. */
  fileFlags: [string, string][];
};

/** @throws CliError naming the flag or operand that is wrong */
export function parseArguments(command: CommandName, argv: readonly string[]): Invocation {
  const { operand: expected = '', flags } = described(command);
  const { values, positionals } = parse(command, argv, { ...ANYWHERE, ...flags });
  const texts = (flag: string) => [values[flag] ?? []].flat().map(String);
  const [operand = '', surplus = ''] = expected === '' ? ['', ...positionals] : positionals;
  if (operand === '' && /^\w/.test(expected) && values['help'] !== true) {
    throw usage(command, say('operand_missing', { expected }));
  }
  if (surplus !== '') throw usage(command, say('operand_surplus', { word: surplus }));
  const names = 'time-format' in flags ? PARAMETER_NAMES : [];
  return {
    command,
    operand,
    text: (flag) => texts(flag).at(-1)?.trim() || undefined,
    has: (flag) => values[flag] === true,
    fileFlags: names.flatMap((name) =>
      texts(flagOf(name)).map((value): [string, string] => [name, value]),
    ),
  };
}

function parse(command: CommandName, argv: readonly string[], options: Flags) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    // The sentences of `parseArgs` end with advice about its own options.
    const [first = ''] = messageOf(error).split(/\. (?=To specify)|\n/);
    throw usage(command, first.endsWith('.') ? first : `${first}.`);
  }
}

const usage = (command: CommandName, found: string): CliError =>
  failure(EXIT.usage, 'usage_of', { found, synopsis: synopsis(command), command });

const synopsis = (command: CommandName): string =>
  `race-results ${command} ${described(command).operand ?? ''}`.trimEnd();

/** The letters of one word that the other lacks. */
const lacks = (one: string, other: string): number =>
  [...other].reduce((rest, letter) => rest.replace(letter, ''), one).length;

/** The command that was meant, if at most two letters are wrong. */
export function nearestCommand(word: string): string | undefined {
  const far = (name: string) => lacks(word, name) + lacks(name, word);
  return Object.keys(COMMANDS).find((name) => far(name) <= 2);
}

/** The text of `--help`, of a command or of all. */
export function help(command?: CommandName): string {
  const textOf = (...keys: string[]) => keys.filter(isText).map((key) => say(key))[0] ?? '';
  if (command === undefined) {
    const names = Object.keys(COMMANDS);
    const lines = names.map((name) => `  ${name.padEnd(9)}${textOf(`does_${name}`)}`);
    return say('help', { commands: lines.join('\n') });
  }
  const flags = Object.keys({ ...described(command).flags, ...ANYWHERE }).map((flag) => {
    const name = flag.replaceAll('-', '_');
    return `  ${textOf(`${command}_${name}`, `flag_${name}`)}`;
  });
  const does = textOf(`does_${command}`);
  return say('help_of', { synopsis: synopsis(command), does, flags: flags.join('\n') });
}
