import { parseArgs } from 'node:util';
import { PARAMETER_NAMES } from '../../timing-files/read/parameters.ts';
import { type CliError, EXIT, failure } from '../exit-codes.ts';
import { messageOf } from '../queue/api.ts';
import { isText, say } from '../words.ts';

/** `parseArgs` would keep the last of several values without a word. */
const TEXT = { type: 'string', multiple: true } as const;
const SWITCH = { type: 'boolean' } as const;

type Flag = { type: 'string' | 'boolean'; multiple?: boolean; short?: string };
type Flags = Readonly<Record<string, Flag>>;

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

const REPEATED = new Set(['split', 'status-word', 'where']);

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
  /** The text after a flag. */
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
  for (const flag of Object.keys({ ...ANYWHERE, ...flags })) {
    if (texts(flag).length < 2 || REPEATED.has(flag)) continue;
    throw usage(command, say('flag_twice', { flag }));
  }
  const [operand = '', surplus = ''] = expected === '' ? ['', ...positionals] : positionals;
  if (operand === '' && /^\w/.test(expected) && values['help'] !== true) {
    throw usage(command, say('operand_missing', { expected }));
  }
  if (surplus !== '') throw usage(command, say('operand_surplus', { word: surplus }));
  const names = 'time-format' in flags ? PARAMETER_NAMES : [];
  return {
    command,
    operand,
    text: (flag) => texts(flag)[0],
    has: (flag) => values[flag] === true,
    fileFlags: names.flatMap((name) =>
      texts(flagOf(name)).map((value): [string, string] => [name, value]),
    ),
  };
}

function parse(command: CommandName, argv: readonly string[], options: Flags) {
  try {
    return parseArgs({ args: [...argv], options: { ...options }, allowPositionals: true });
  } catch (error) {
    // The sentences of `parseArgs` end with advice about its own options.
    const [first = ''] = messageOf(error).split(/\. (?=To specify)|\n/);
    throw usage(command, first.endsWith('.') ? first : `${first}.`);
  }
}

export const usage = (command: CommandName, found: string): CliError =>
  failure(EXIT.usage, 'usage_of', { found, synopsis: synopsis(command), command });

const synopsis = (command: CommandName): string =>
  `race-results ${command} ${described(command).operand ?? ''}`.trimEnd();

/** The letters of one word that the other lacks. */
const lacks = (one: string, other: string): number =>
  [...other].reduce((rest, letter) => rest.replace(letter, ''), one).length;

/** The command that was meant, if at most two letters are wrong. */
export function nearestCommand(word: string): string | undefined {
  const far = (name: string) => lacks(word, name) + lacks(name, word);
  const [nearest = ''] = Object.keys(COMMANDS).sort((one, other) => far(one) - far(other));
  return far(nearest) <= 2 ? nearest : undefined;
}

/** The text of `--help`, of a command or of all. */
export function help(command?: CommandName): string {
  const does = (name: string) => {
    const key = `does_${name}`;
    return isText(key) ? say(key) : '';
  };
  if (command === undefined) {
    const commands = Object.keys(COMMANDS).map((name) => `  ${name.padEnd(9)}${does(name)}`);
    return say('help', { commands: commands.join('\n') });
  }
  const flags = Object.keys({ ...described(command).flags, ...ANYWHERE }).map((flag) => {
    const own = `${command}_${flag.replaceAll('-', '_')}`;
    const key = isText(own) ? own : `flag_${flag.replaceAll('-', '_')}`;
    return isText(key) ? `  ${say(key)}` : `  --${flag}`;
  });
  const values = { synopsis: synopsis(command), does: does(command), flags: flags.join('\n') };
  return say('help_of', values);
}
