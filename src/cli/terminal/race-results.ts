import { type CliError, EXIT, type ExitCode, failure } from '../exit-codes.ts';
import { RACE_FILE } from '../files/race-file.ts';
import { connect, explainError } from '../queue/api.ts';
import { openUser } from '../queue/user.ts';
import { version } from '../version.ts';
import { say, useLanguageOf } from '../words.ts';
import { COMMANDS, completion, help, isCommand, nearest, parseArguments } from './arguments.ts';
import { setup } from './commands/setup.ts';
import type { Command, Terminal } from './context.ts';
import { createOutput, type Output } from './output.ts';
import { createPrompter } from './prompt.ts';
import { openSettings, withAccess } from './settings.ts';

/** Few, because a person waits: a lost answer is asked for again, a lost network is reported soon. */
const ATTEMPTS = 3;

/** Runs one command line. Prints its errors. */
export async function raceResults(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  useLanguageOf(terminal.env);
  const [word = '', ...rest] = argv;
  const output = createOutput({ isJson: argv.includes('--json') }, terminal.screen ?? terminal);
  const print = (text: string, exitCode: ExitCode = EXIT.done): ExitCode => {
    terminal.stdout.write(`${text}\n`);
    return exitCode;
  };
  try {
    if (['--version', '-V'].includes(word)) {
      output.answer('version', { version: version() }, version());
      return EXIT.done;
    }
    if (word === '') return print(help(), EXIT.usage);
    const [asked] = rest;
    if (['--help', '-h', 'help'].includes(word))
      return print(help(isCommand(asked) ? asked : undefined));
    if (argv.some((argument) => argument.includes('er_live_'))) {
      throw failure(EXIT.usage, 'key_as_argument');
    }
    if (!Object.hasOwn(COMMANDS, word)) {
      const hint = nearest(word, Object.keys(COMMANDS));
      throw failure(EXIT.usage, 'command_unknown', { word: word.slice(0, 20), hint });
    }
    const invocation = parseArguments(word, rest);
    if (invocation.has('help')) return print(help(word));
    if (word === 'completion') return print(completion(invocation.operand));
    const open = openSettings(invocation, terminal.env, terminal.folder, terminal.pace);
    const { run: command, keyless } = COMMANDS[word] ?? {};
    const done = await keyless?.(open, output, terminal.stop.signal);
    return done ?? (await run(command, open, output, terminal));
  } catch (error) {
    const known = explainError(error);
    const stack = error instanceof Error ? error.stack : String(error);
    const exit_code = known?.exitCode ?? EXIT.bug;
    output.error('error', { exit_code }, known?.message ?? say('bug', { stack }));
    return exit_code;
  }
}

/** @param command undefined for `setup`, because `setup` needs no address, key and event */
async function run(
  command: Command | undefined,
  open: ReturnType<typeof openSettings>,
  output: Output,
  { stdin, stderr, env, stop }: Terminal,
): Promise<ExitCode> {
  const { signal } = stop;
  const prompter = createPrompter(
    { isJson: open.isJson, signal, interrupt: () => stop.abort(interrupted()) },
    { input: stdin, output: stderr },
  );
  const user = await openUser(env);
  if (!command) return setup(open, user, { output, prompter, signal });
  const settings = await withAccess(open, user, prompter);
  const { otherEvent: event, race } = settings;
  // A variable of last week's race is still set in this terminal.
  if (event !== undefined) {
    const expected = `${race.event} (${race.event_name ?? '-'})`;
    throw failure(EXIT.usage, 'two_events', { event, race_file: RACE_FILE, expected });
  }
  const client = connect(settings, { maxAttempts: ATTEMPTS });
  return command({ settings, output, prompter, client, signal });
}

/** The reason of `stop` after Ctrl-C. */
export const interrupted = (): CliError => failure(EXIT.interrupted, 'stopped_by_ctrl_c');
