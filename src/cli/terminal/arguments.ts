import { type ParseArgsConfig, parseArgs } from 'node:util';
import { PARAMETER_NAMES } from '../../timing-files/read/parameters.ts';
import { type CliError, EXIT, failure } from '../exit-codes.ts';
import { codeOf } from '../own-files.ts';
import { messageOf } from '../queue/api.ts';
import { isText, say } from '../words.ts';
import { check } from './commands/check.ts';
import { exportResults } from './commands/export.ts';
import { log } from './commands/log.ts';
import { missing } from './commands/missing.ts';
import { send } from './commands/send.ts';
import { keep, release, remove, set } from './commands/set.ts';
import { startList } from './commands/start-list.ts';
import { status } from './commands/status.ts';
import { resend, undo } from './commands/undo.ts';
import { verify } from './commands/verify.ts';
import { verifyOfficial } from './commands/verify-official.ts';
import { watch } from './commands/watch.ts';
import type { Command } from './context.ts';
import type { Invocation } from './settings.ts';

const TEXT = { type: 'string', multiple: true } as const;
const SWITCH = { type: 'boolean' } as const;

type Flags = NonNullable<ParseArgsConfig['options']>;

const ANYWHERE: Flags = {
  api: TEXT,
  event: TEXT,
  state: TEXT,
  insecure: SWITCH,
  json: SWITCH,
  yes: { ...SWITCH, short: 'y' },
  help: { ...SWITCH, short: 'h' },
};

const flagOf = (parameter: string): string => parameter.replaceAll('_', '-');

/** The parameters of an upload, as flags. */
const FILE: Flags = {
  ...Object.fromEntries(PARAMETER_NAMES.map((name) => [flagOf(name), TEXT])),
  'times-of-day': SWITCH,
};

const DECISION: Flags = { status: TEXT, 'chip-time': TEXT, 'gun-time': TEXT, hold: SWITCH };

/** A command: its operand, the flags that only it has, and its function. `setup` runs before there is a context. */
type Described = {
  operand?: string;
  flags?: Flags;
  run?: Command;
  /** Runs first, without a key. */
  keyless?: typeof verifyOfficial;
};

/** Every command. Its texts are `does_NAME` and `flag_NAME`. */
export const COMMANDS: Readonly<Record<string, Described>> = {
  setup: { operand: '[FOLDER]', flags: { start: TEXT, zone: TEXT } },
  check: { run: check, operand: 'FILE', flags: { ...FILE, force: TEXT } },
  send: { run: send, operand: 'FILE', flags: { ...FILE, force: TEXT } },
  watch: {
    run: watch,
    operand: 'FILE|FOLDER|https://…',
    flags: { ...FILE, open: SWITCH, 'start-list': TEXT, delimiter: TEXT },
  },
  status: { run: status },
  missing: { run: missing, flags: { distance: TEXT, 'cut-off': TEXT } },
  set: { run: set, operand: 'BIB', flags: { ...DECISION, force: TEXT } },
  release: { run: release, operand: 'BIB' },
  keep: { run: keep, operand: '[BIB]' },
  remove: { run: remove, operand: 'BIB' },
  resend: { run: resend },
  log: { run: log, flags: { file: TEXT } },
  undo: { run: undo, operand: '[BATCH]' },
  verify: {
    run: verify,
    keyless: verifyOfficial,
    operand: 'FILE…',
    flags: { ...FILE, keys: TEXT },
  },
  export: { run: exportResults, operand: 'NAME.csv' },
  'start-list': { run: startList, operand: 'FILE', flags: { delimiter: TEXT } },
};

/** @throws CliError naming the flag or operand that is wrong */
export function parseArguments(command: string, argv: readonly string[]): Invocation {
  const { operand: expected = '', flags = {} } = COMMANDS[command] ?? {};
  const { values, positionals } = parse(command, argv, { ...ANYWHERE, ...flags });
  const texts = (flag: string) => [values[flag] ?? []].flat().map(String);
  const [operand = '', surplus = ''] = expected === '' ? ['', ...positionals] : positionals;
  if (operand === '' && /^\w/.test(expected) && values['help'] !== true) {
    throw usage(command, say('operand_missing', { expected: operandText(expected) }));
  }
  if (surplus !== '' && !expected.endsWith('…'))
    throw usage(command, say('operand_surplus', { word: surplus }));
  const names = 'time-format' in flags ? PARAMETER_NAMES : [];
  return {
    operand,
    operands: positionals,
    text: (flag) => texts(flag).at(-1)?.trim() || undefined,
    texts,
    has: (flag) => values[flag] === true,
    fileFlags: names.flatMap((name) =>
      texts(flagOf(name)).map((value): [string, string] => [name, value]),
    ),
  };
}

function parse(command: string, argv: readonly string[], options: Flags) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    // The sentences of `parseArgs` end with advice about its own options.
    const [first = ''] = messageOf(error).split(/\. (?=To specify)|\n/);
    const detail = first.endsWith('.') ? first : `${first}.`;
    const [, option = '-'] = /'([^']*)'/.exec(first) ?? [];
    const isUnknown = codeOf(error) === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    const key = isUnknown ? 'detail_option_unknown' : 'detail_option_value';
    throw usage(command, say(key, { detail, option }));
  }
}

const usage = (command: string, found: string): CliError =>
  failure(EXIT.usage, 'usage_of', { found, synopsis: synopsis(command), command });

const synopsis = (command: string): string =>
  `race-results ${command} ${operandText(COMMANDS[command]?.operand ?? '')}`.trimEnd();

/** `[FILE]` in the language of the computer. */
const operandText = (operand: string): string =>
  operand.replace(/[A-Z]+/g, (word) => {
    const key = `operand_${word.toLowerCase()}`;
    return isText(key) ? say(key) : word;
  });

/** The part of a text's name that a command or a flag has. */
const wordOf = (name: string): string => name.replaceAll('-', '_');

/** The text of `--help`, of a command or of all. */
export function help(command?: string): string {
  const textOf = (...keys: string[]) => keys.filter(isText).map((key) => say(key))[0] ?? '';
  if (command === undefined) {
    const names = Object.keys(COMMANDS);
    const lines = names.map((name) => `  ${name.padEnd(11)}${textOf(`does_${wordOf(name)}`)}`);
    return say('help', { commands: lines.join('\n') });
  }
  const flags = Object.keys({ ...COMMANDS[command]?.flags, ...ANYWHERE }).map((flag) => {
    const name = wordOf(flag);
    return `  ${textOf(`${wordOf(command)}_${name}`, `flag_${name}`)}`;
  });
  const does = textOf(`does_${wordOf(command)}`);
  return say('help_of', { synopsis: synopsis(command), does, flags: flags.join('\n') });
}
