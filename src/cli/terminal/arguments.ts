import { type ParseArgsConfig, parseArgs } from 'node:util';
import { PARAMETER_NAMES } from '../../timing-files/read/parameters.ts';
import { typingErrors } from '../../timing-files/read/text.ts';
import { type CliError, EXIT, failure } from '../exit-codes.ts';
import { codeOf } from '../own-files.ts';
import { messageOf } from '../queue/api.ts';
import { isText, say } from '../words.ts';
import { check } from './commands/check.ts';
import { decide } from './commands/decide.ts';
import { exportResults } from './commands/export.ts';
import { missing } from './commands/missing.ts';
import { send } from './commands/send.ts';
import { remove, set } from './commands/set.ts';
import { startList } from './commands/start-list.ts';
import { status } from './commands/status.ts';
import { log, undo } from './commands/undo.ts';
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
  sender: TEXT,
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

const DECISION: Flags = { status: TEXT, 'chip-time': TEXT, 'gun-time': TEXT };

/**
 * A command: the operand, the command's own flags, and the function. `setup` has no function here, because `setup` runs
 * without a context.
 */
type Described = {
  operand?: string;
  flags?: Flags;
  run?: Command;
  /** Runs first, without a key. */
  keyless?: typeof verifyOfficial;
};

/** Every command. The texts of a command are `does_NAME` and `flag_NAME`. */
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
  decide: { run: decide, operand: '[BIB…]' },
  set: { run: set, operand: 'BIB', flags: { ...DECISION, force: TEXT } },
  remove: { run: remove, operand: 'BIB' },
  log: { run: log, flags: { file: TEXT } },
  undo: { run: undo, operand: '[BATCH]', flags: { any: SWITCH } },
  verify: {
    run: verify,
    keyless: verifyOfficial,
    operand: 'FILE…',
    flags: { ...FILE, keys: TEXT },
  },
  export: { run: exportResults, operand: 'NAME.csv' },
  'start-list': { run: startList, operand: 'FILE', flags: { delimiter: TEXT } },
  completion: { operand: 'SHELL' },
};

const flagsOf = (command: string): Flags => ({ ...COMMANDS[command]?.flags, ...ANYWHERE });

export const isCommand = (word: string | undefined): word is string =>
  word !== undefined && Object.hasOwn(COMMANDS, word);

/** @throws CliError with the name of the wrong flag or operand */
export function parseArguments(command: string, argv: readonly string[]): Invocation {
  const { operand: expected = '', flags = {} } = COMMANDS[command] ?? {};
  const { values, positionals } = parse(command, argv, flagsOf(command));
  const texts = (flag: string) => [values[flag] ?? []].flat().map(String);
  const [operand = '', surplus = ''] = expected === '' ? ['', ...positionals] : positionals;
  if (operand === '' && /^\w/.test(expected) && values['help'] !== true) {
    throw usage(command, say('operand_missing', { expected: operandText(expected) }));
  }
  if (surplus !== '' && !/…\]?$/.test(expected))
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
    // The messages of `parseArgs` end with advice irrelevant here.
    const [first = ''] = messageOf(error).split(/\. (?=To specify)|\n/);
    const detail = first.endsWith('.') ? first : `${first}.`;
    const [, option = '-'] = /'([^']*)'/.exec(first) ?? [];
    const isUnknown = codeOf(error) === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    const key = isUnknown ? 'detail_option_unknown' : 'detail_option_value';
    const flags = Object.keys(options).map((name) => `--${name}`);
    const hint = isUnknown ? nearest(option, flags) : '';
    throw usage(command, say(key, { detail, option }) + hint);
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

/** A command or flag, as a part of a text's name. */
const wordOf = (name: string): string => name.replaceAll('-', '_');

/** The text of `--help`, for a single command or for all commands. */
export function help(command?: string): string {
  const textOf = (...keys: string[]) => keys.filter(isText).map((key) => say(key))[0] ?? '';
  if (command === undefined) {
    const names = Object.keys(COMMANDS);
    const lines = names.map((name) => `  ${name.padEnd(11)}${textOf(`does_${wordOf(name)}`)}`);
    return say('help', { commands: lines.join('\n') });
  }
  const flags = Object.keys(flagsOf(command)).map((flag) => {
    const name = wordOf(flag);
    return `  ${textOf(`${wordOf(command)}_${name}`, `flag_${name}`)}`;
  });
  const does = textOf(`does_${wordOf(command)}`);
  const examples = textOf(`examples_${wordOf(command)}`);
  return say('help_of', { synopsis: synopsis(command), does, examples, flags: flags.join('\n') });
}

/** Proposes the nearest known word, with at most half of the letters different. Blank without such a word. */
export function nearest(word: string, known: readonly string[]): string {
  const [[near, steps] = ['', Number.POSITIVE_INFINITY]] = known
    .map((one): [string, number] => [one, typingErrors(word, one)])
    .sort(([, one], [, other]) => one - other);
  return steps * 2 <= near.length ? ` ${say('did_you_mean', { near })}` : '';
}

/** A completion script for commands and flags. @throws CliError for an unknown shell */
export function completion(shell = ''): string {
  const names = Object.keys(COMMANDS);
  const words = names.join(' ');
  if (shell === 'fish') {
    const flags = names.flatMap((name) =>
      Object.keys(flagsOf(name)).map((flag) => `'__fish_seen_subcommand_from ${name}' -l ${flag}`),
    );
    return [`__fish_use_subcommand -a '${words}'`, ...flags]
      .map((end) => `complete -c race-results -n ${end}`)
      .join('\n');
  }
  if (shell !== 'bash' && shell !== 'zsh') {
    throw usage('completion', say('shell_unknown', { shell: shell || '-' }));
  }
  const cases = names.map((name) => {
    const flags = Object.keys(flagsOf(name)).map((flag) => `--${flag}`);
    return `    ${name}) words='${flags.join(' ')}' ;;`;
  });
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_race_results() {
  local words='' COMP_COMMAND
  read -r _ COMP_COMMAND _ <<< "$COMP_LINE"
  [ "$COMP_CWORD" -eq 1 ] && words='${words}'
  [ "$COMP_CWORD" -gt 1 ] && case "$COMP_COMMAND" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$2"))
}
complete -o default -F _race_results race-results`;
}
