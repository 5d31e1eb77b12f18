import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { RACE_FILE } from '../files/race-file.ts';
import { connect, explainError } from '../queue/api.ts';
import { openUser } from '../queue/user.ts';
import { say, useLanguageOf } from '../words.ts';
import {
  type CommandName,
  help,
  type Invocation,
  isCommand,
  nearestCommand,
  parseArguments,
} from './arguments.ts';
import { requireBound } from './bound-key.ts';
import { check } from './commands/check.ts';
import { log } from './commands/log.ts';
import { missing } from './commands/missing.ts';
import { release } from './commands/release.ts';
import { resend } from './commands/resend.ts';
import { send } from './commands/send.ts';
import { set } from './commands/set.ts';
import { setup } from './commands/setup.ts';
import { status } from './commands/status.ts';
import { undo } from './commands/undo.ts';
import { watch } from './commands/watch.ts';
import type { Command, Terminal } from './context.ts';
import { createOutput, type Output } from './output.ts';
import { createPrompter } from './prompt.ts';
import { openSettings, requireAccess, type Settings } from './settings.ts';

/** For a call that a person waits for: a lost answer is asked for again, a lost network is said soon. */
const ATTEMPTS = 3;

const RUN: Record<Exclude<CommandName, 'setup'>, Command> = {
  ...{ check, send, watch, status, missing, set, release, resend, log, undo },
};

/** Runs one command line. Prints its errors. */
export async function raceResults(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  useLanguageOf(terminal.env);
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
    const exitCode = known?.exitCode ?? EXIT.bug;
    const message = known?.message ?? bugText(error);
    output.error({ type: 'error', exit_code: exitCode, message }, message);
    return exitCode;
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
  const user = await openUser(env);
  if (invocation.command === 'setup') return setup(open, user, { output, prompter, signal });
  const question = say('api_key_not_shown');
  const apiKey = open.apiKey ?? (prompter.canAsk ? await prompter.secret(question) : undefined);
  const known = requireAccess({ ...open, apiKey: apiKey || undefined });
  await requireBound(user, known, prompter);
  const onAccepted = () => user.bind(known.apiKey, new URL(known.apiUrl).origin);
  const settings: Settings = { ...known, user, onAccepted };
  warnOfAnotherEvent(settings, output);
  const client = connect(settings, { maxAttempts: ATTEMPTS });
  return RUN[invocation.command]({ settings, output, stdout, prompter, client, signal });
}

/** A variable of last week's race, still set in this terminal, would send to last week's event. */
function warnOfAnotherEvent({ eventId, race }: Settings, output: Output): void {
  if (race.event === undefined || race.event === eventId) return;
  const name = race.event_name ?? '-';
  output.warning(
    { type: 'other_event', event: eventId, expected: race.event },
    say('this_is_about_event_as', { eventId, race_file: RACE_FILE, event: race.event, name }),
  );
}

/** The reason of `stop` after Ctrl-C. */
export const interrupted = (): CliError => new CliError(EXIT.interrupted, say('stopped_by_ctrl_c'));

const bugText = (error: unknown): string =>
  `${say('this_is_a_mistake_in')}\n${error instanceof Error ? error.stack : String(error)}`;

const keyAsArgument = (): CliError => new CliError(EXIT.usage, say('a_key_is_never_an'));

function unknownCommand(word: string): CliError {
  const meant = nearestCommand(word);
  const hint = meant ? say('did_you_mean', { meant }) : '';
  const quoted = JSON.stringify(word.slice(0, 100));
  return new CliError(
    EXIT.usage,
    `${say('there_is_no_command', { quoted })} ${hint}${say('run')} \`race-results --help\`.`,
  );
}

declare const RACE_RESULTS_VERSION: string | undefined;

/** The build writes the version of the project into the program. */
const version = (): string =>
  typeof RACE_RESULTS_VERSION === 'string' ? RACE_RESULTS_VERSION : 'development';
