import { readFileSync } from 'node:fs';
import { connect, explainError } from './api.ts';
import {
  COMMANDS,
  type CommandName,
  help,
  type Invocation,
  isCommand,
  parseArguments,
} from './arguments.ts';
import { check } from './commands/check.ts';
import { log } from './commands/log.ts';
import { missing } from './commands/missing.ts';
import { release } from './commands/release.ts';
import { send } from './commands/send.ts';
import { set } from './commands/set.ts';
import { setup } from './commands/setup.ts';
import { status } from './commands/status.ts';
import { undo } from './commands/undo.ts';
import { watch } from './commands/watch.ts';
import type { Command, Terminal } from './context.ts';
import { CliError, EXIT, type ExitCode } from './exit-codes.ts';
import { createOutput, type Output } from './output.ts';
import { createPrompter } from './prompt.ts';
import { RACE_FILE } from './race-file.ts';
import { openSettings, requireAccess, type Settings } from './settings.ts';

/** For a call that a person waits for: a lost answer is asked for again, a lost network is said soon. */
const ATTEMPTS = 3;

const RUN: Record<Exclude<CommandName, 'setup'>, Command> = {
  check,
  send,
  watch,
  status,
  missing,
  set,
  release,
  log,
  undo,
};

/** Runs one command line. Prints its errors. */
export async function raceResults(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [word = '', ...rest] = argv;
  const flags = { isJson: argv.includes('--json'), isQuiet: argv.includes('--quiet') };
  const output = createOutput(flags, terminal);
  const print = (text: string): ExitCode => {
    terminal.stdout.write(`${text}\n`);
    return EXIT.done;
  };
  try {
    if (word === '--version') return print(version());
    if (word === '--help' || word === '-h' || word === 'help') return print(help());
    if (word === '') {
      print(help());
      return EXIT.usage;
    }
    if (argv.some((argument) => argument.includes('er_live_'))) throw keyAsArgument();
    if (!isCommand(word)) throw unknownCommand(word);
    const invocation = parseArguments(word, rest);
    return invocation.switches.has('help')
      ? print(help(word))
      : await run(invocation, output, terminal);
  } catch (error) {
    const known = explainError(error);
    if (!known) {
      const stack = error instanceof Error ? error.stack : String(error);
      output.error(
        { type: 'error', exit_code: EXIT.bug, message: String(error) },
        `This is a mistake in race-results, not in your data. Nothing that was queued is lost.\n${stack}`,
      );
      return EXIT.bug;
    }
    output.error(
      { type: 'error', exit_code: known.exitCode, message: known.message },
      known.message,
    );
    return known.exitCode;
  }
}

async function run(invocation: Invocation, output: Output, terminal: Terminal): Promise<ExitCode> {
  const { stdin, stdout, stderr, env, folder, stop } = terminal;
  const { signal } = stop;
  const open = openSettings(invocation, env, folder);
  const prompter = createPrompter(
    { isJson: open.isJson, signal, interrupt: () => stop.abort(interrupted()) },
    { input: stdin, output: stderr },
  );
  if (invocation.command === 'setup') return setup(open, { output, prompter, signal });
  const apiKey =
    open.apiKey ?? (prompter.canAsk ? await prompter.secret('API key (not shown):') : undefined);
  const settings = requireAccess({ ...open, apiKey: apiKey || undefined });
  warnOfAnotherEvent(settings, output);
  const client = connect(settings, ATTEMPTS);
  return RUN[invocation.command]({ settings, output, stdout, prompter, client, signal });
}

/** A variable of last week's race, still set in this terminal, would send to last week's event. */
function warnOfAnotherEvent({ eventId, race }: Settings, output: Output): void {
  if (race.event === undefined || race.event === eventId) return;
  output.warning(
    { type: 'other_event', event: eventId, expected: race.event },
    `This is about event ${eventId}, as --event or RACE_RESULTS_EVENT says. ` +
      `${RACE_FILE} names ${race.event} (${race.event_name ?? 'without a name'}).`,
  );
}

/** The reason of `stop` after Ctrl-C. */
export const interrupted = (): CliError => new CliError(EXIT.interrupted, 'Stopped by Ctrl-C.');

const keyAsArgument = (): CliError =>
  new CliError(
    EXIT.usage,
    'A key is never an argument: the history of the terminal keeps it, and other programs can read it. ' +
      'Set RACE_RESULTS_KEY, and replace this key in the panel.',
  );

function unknownCommand(word: string): CliError {
  const meant = Object.keys(COMMANDS).find(
    (name) => name.startsWith(word.slice(0, 3)) || word.startsWith(name.slice(0, 3)),
  );
  const hint = meant ? `Did you mean \`${meant}\`? ` : '';
  return new CliError(
    EXIT.usage,
    `There is no command ${JSON.stringify(word)}. ${hint}Run \`race-results --help\`.`,
  );
}

/** The package's own file stands two folders up, both from `src/cli` and from `dist/cli`. */
function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const manifest: unknown = JSON.parse(text);
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown';
}
