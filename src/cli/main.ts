#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
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
import type { Command } from './context.ts';
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

async function main(argv: readonly string[]): Promise<ExitCode> {
  const [word = '', ...rest] = argv;
  const isPlain = !argv.includes('--json');
  const output = createOutput({ isJson: !isPlain, isQuiet: argv.includes('--quiet') });
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
    return invocation.switches.has('help') ? print(help(word)) : await run(invocation, output);
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

async function run(invocation: Invocation, output: Output): Promise<ExitCode> {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new CliError(EXIT.interrupted, 'Stopped by Ctrl-C.'));
  // The second Ctrl-C does not wait for anything.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => (stop.signal.aborted ? process.exit(EXIT.interrupted) : interrupt()));
  }
  const { signal } = stop;
  const open = openSettings(invocation, process.env, process.cwd());
  const prompter = createPrompter({ isJson: open.isJson, signal, interrupt });
  if (invocation.command === 'setup') return setup(open, { output, prompter, signal });
  const apiKey =
    open.apiKey ?? (prompter.canAsk ? await prompter.secret('API key (not shown):') : undefined);
  const settings = requireAccess({ ...open, apiKey: apiKey || undefined });
  warnOfAnotherEvent(settings, output);
  const client = connect(settings, ATTEMPTS);
  return RUN[invocation.command]({ settings, output, prompter, client, signal });
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

function print(text: string): ExitCode {
  process.stdout.write(`${text}\n`);
  return EXIT.done;
}

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

// V8 would let rows that are read and forgotten take 100 MB. A laptop at a finish line has other work.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--optimize-for-size');
// `race-results log | head` closes the pipe early.
process.stdout.on('error', () => process.exit());
process.exitCode = await main(process.argv.slice(2));
