import type { RaceResultsClient } from '../../client/index.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Environment } from '../words.ts';
import type { Output, Stream } from './output.ts';
import type { Input, Prompter } from './prompt.ts';
import type { Pace, Settings } from './settings.ts';

/** The surroundings of a command: those of this process, or the ones that a test passes in. */
export type Terminal = {
  stdin: Input;
  stdout: NodeJS.WritableStream & Stream;
  stderr: NodeJS.WritableStream & Stream;
  env: Environment;
  /** The working folder. */
  folder: string;
  /** Output of a command that must not wait for its terminal. */
  screen?: { stdout: Stream; stderr: Stream };
  /** Another pace than the usual, for tests and rehearsals. */
  pace?: Pace;
  /** Aborted by Ctrl-C, with `interrupted()` as its reason. */
  stop: AbortController;
};

/** The surroundings that every command works with. */
export type Context = {
  settings: Settings;
  output: Output;
  prompter: Prompter;
  /** Retries a little: for calls that a person waits for. */
  client: RaceResultsClient;
  /** Aborted by Ctrl-C, with `CliError` of the code 130 as its reason. */
  signal: AbortSignal;
};

export type Command = (context: Context) => Promise<ExitCode>;
