import type { RaceResultsClient } from '../../client/index.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Environment } from '../words.ts';
import type { Output, Stream } from './output.ts';
import type { Input, Prompter } from './prompt.ts';
import type { Pace, Settings } from './settings.ts';

/** The surroundings of a command, from the process or from a test. */
export type Terminal = {
  stdin: Input;
  stdout: NodeJS.WritableStream & Stream;
  stderr: NodeJS.WritableStream & Stream;
  env: Environment;
  /** The working folder. */
  folder: string;
  /** Output for a command with no time to wait for the terminal. */
  screen?: { stdout: Stream; stderr: Stream };
  /** Replaces the usual pace in tests and rehearsals. */
  pace?: Pace;
  /** Aborted by Ctrl-C, with the reason `interrupted()`. */
  stop: AbortController;
};

/** The context of every command. */
export type Context = {
  settings: Settings;
  output: Output;
  prompter: Prompter;
  /** Retries only a little, because a person waits. */
  client: RaceResultsClient;
  /** Aborted by Ctrl-C. The reason is a `CliError` with the code 130. */
  signal: AbortSignal;
};

export type Command = (context: Context) => Promise<ExitCode>;
